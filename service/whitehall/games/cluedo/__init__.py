"""Cluedo James Bond: who did it, with what, and where? By suggestions and by the cards that answer them."""
