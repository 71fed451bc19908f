"""Load for Whitehall: realistic games of all kinds, latencies from the intended start, and every answer checked."""
