"""Faults in what a caller or an operator gave, found by a game before any rule is asked."""

from whitehall.games.core.rule import Rule


class InvalidField(ValueError):
    """A field has a value that it may not have: its path in the request, why, in words for people, and the rule that
    says so where one does.
    """

    def __init__(self, field: str, description: str, rule: Rule | None = None) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description
        self.rule = rule

    def below(self, path: str) -> "InvalidField":
        """The same fault seen from a message that holds this one at `path`."""
        return InvalidField(f"{path}.{self.field}" if self.field else path, self.description, self.rule)


class OptionsError(ValueError):
    """Options that cannot make a game: the `field` at fault, why, and the rule that says so."""

    def __init__(self, field: str, reason: str, rule: Rule) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason
        self.rule = rule


class TooMuchWork(InvalidField):
    """A question that would take more work than any caller may ask for: more than `most` of what is counted there.

    Where the question holds all that it is about, its `field` is to be changed. A question about a game in play has no
    such field, for there the game's options and history make it so.
    """

    def __init__(self, field: str, description: str, most: int) -> None:
        super().__init__(field, description)
        self.most = most


class BadBoard(ValueError):
    """The data does not make a board that a game could use; the reason, in words for people, names the place."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BoardUnavailable(Exception):
    """A stored game goes on on a board that is not here: its name, and why, in words for people."""

    def __init__(self, board: str, reason: str) -> None:
        super().__init__(f"board {board!r}: {reason}")
        self.board = board
        self.reason = reason
