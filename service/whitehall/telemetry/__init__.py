"""What an operator sees of a running process: metrics, log lines, health, and the port that serves them."""
