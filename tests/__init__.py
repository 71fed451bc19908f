"""Tests of Whitehall: right answers from the rulebooks, from brute force and from the contract."""
