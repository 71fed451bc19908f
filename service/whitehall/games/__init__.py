"""The rules of every game, pure: values in, values out. One folder a game, beside the shared core."""
