"""REST: every method that has a path in the contract, as HTTP and JSON. `docs/rest.md` tells callers of it."""
