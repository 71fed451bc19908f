"""Tests of the clients in clients/: as their users call them, over the network."""
