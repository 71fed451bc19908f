"""Tests of games in play: the store, and what is done with it."""
