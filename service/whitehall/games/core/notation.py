"""Notation in every game: the error of what cannot be read."""


class NotationError(ValueError):
    """The text is no move, position or log. `column` is where reading stopped, counted from 1."""

    def __init__(self, reason: str, column: int) -> None:
        super().__init__(f"column {column}: {reason}")
        self.reason = reason
        self.column = column
