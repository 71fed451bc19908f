"""Faults in what a caller or an operator gave, found by a game before any rule is asked."""

from whitehall.games.core.rule import Rule
from whitehall.games.core.text import Text


class BadInput(ValueError):
    """What was given cannot be used: the place of the fault, if it has one, and why, for people."""

    def __init__(self, text: Text, place: Text | str = "") -> None:
        # Whoever gives a bare string all the same has it told in both languages; it is no reason to fail.
        self.text = Text.of(text)
        self.place = place
        super().__init__(self.placed.en)

    @property
    def placed(self) -> Text:
        """Why, behind the place."""
        return self.text.at(self.place) if self.place else self.text

    @property
    def reason(self) -> str:
        """Why, in English."""
        return self.text.en


class InvalidField(BadInput):
    """A field has a value that it may not have: its path in the request, why, and the rule that says so where one
    does.
    """

    def __init__(self, field: str, text: Text, rule: Rule | None = None) -> None:
        super().__init__(text, field)
        self.field = field
        self.rule = rule

    def below(self, path: str) -> "InvalidField":
        """The same fault seen from a message that holds this one at `path`."""
        return InvalidField(f"{path}.{self.field}" if self.field else path, self.text, self.rule)


class OptionsError(BadInput):
    """Options that cannot make a game: the `field` at fault, why, and the rule that says so."""

    def __init__(self, field: str, text: Text, rule: Rule) -> None:
        super().__init__(text, field)
        self.field = field
        self.rule = rule

    @property
    def told(self) -> InvalidField:
        """The same to whoever asked for them: why ends with the id of the rule."""
        return InvalidField(self.field, self.text.by(self.rule.id), self.rule)


class TooMuchWork(InvalidField):
    """A question that would take more work than any caller may ask for: more than `most` of what is counted there.

    Where the question holds all that it is about, its `field` is to be changed. A question about a game in play has no
    such field, for there the game's options and history make it so.
    """

    def __init__(self, field: str, text: Text, most: int) -> None:
        super().__init__(field, text)
        self.most = most


class BadBoard(BadInput):
    """The data does not make a board that a game could use; the reason, for people, names the place."""


class BoardUnavailable(Exception):
    """A stored game goes on on a board that is not here: its name, and why, for the operator."""

    def __init__(self, board: str, reason: str) -> None:
        super().__init__(f"board {board!r}: {reason}")
        self.board = board
        self.reason = reason
