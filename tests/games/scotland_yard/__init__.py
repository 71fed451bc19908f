"""Tests of Scotland Yard, written from the rules alone."""
