"""Several processes that serve at one address: one that watches over them, and those that do the work."""
