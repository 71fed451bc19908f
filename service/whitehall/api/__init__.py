"""The doors of the service: requests in, answers and refusals out. One servicer behind them all."""
