"""Games in play: sessions, the store that keeps them, and what can be done with them. Knows nothing of gRPC."""
