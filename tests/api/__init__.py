"""Tests of the contract: the running service as its callers see it."""
