"""Tests of the games: each game's rulings, and laws that hold for all of them."""
