"""Tests of the documentation: what it shows is true, and what it points at is there."""
