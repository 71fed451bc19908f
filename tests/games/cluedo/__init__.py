"""Tests of Cluedo, written from the rules alone."""
