"""What a number of games takes: a model made of measured costs, a simulation of hot games, and the page that tells."""
