"""Conformance vectors, and what runs them: see README.md."""
