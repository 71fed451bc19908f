"""Sentences that say what is wrong with a value, and that are the same in every game."""

from collections.abc import Iterable, Sequence

from whitehall.games.core.text import Text

HOLDS_NO_MOVE = Text("holds no move", "ne contient pas de coup")
MUST_BE_GIVEN = Text("must be given", "doit être donné")
MUST_ASCEND = Text("must ascend", "doit être en ordre croissant")
STANDS_TWICE = Text("stands here twice", "figure ici deux fois")


def must_be(least: object, most: object) -> Text:
    """The value lies outside of its range, which may be of one value."""
    if str(least) == str(most):
        return Text(f"must be {most}", f"doit être {most}")
    return Text(f"must be {least} to {most}", f"doit se situer entre {least} et {most}")


def must_be_not(least: object, most: object, given: object) -> Text:
    """The value that was given lies outside of its range."""
    must = must_be(least, most)
    return Text(f"{must.en}, not {given}", f"{must.fr}, et non {given}")


def at_most(most: int) -> Text:
    """It is more than there may be."""
    return Text(f"must be {most} at most", f"pas plus de {most}")


def at_least(least: int) -> Text:
    """It is less than there has to be."""
    return Text(f"must be {least} or more", f"au moins {least}")


def taken(name: str) -> Text:
    """Another one has that name already."""
    return Text(f"{name!r} is taken", f"{name!r} est déjà pris")


def no_board(name: str, known: Iterable[str]) -> Text:
    """No board has that name."""
    there = ", ".join(known)
    return Text(
        f"there is no board {name!r}; there are: {there}", f"il n'y a pas de plateau {name!r} ; il y a : {there}"
    )


def no_seat(seat: int) -> Text:
    """The game has no seat of that number."""
    return Text(f"there is no seat {seat}", f"il n'y a pas de place {seat}")


def expected(what: Text | str) -> Text:
    """Something else has to stand there."""
    wanted = Text.of(what)
    return Text(f"expected {wanted.en}", f"attendu : {wanted.fr}")


def number_from(least: int, most: int) -> Text:
    """A number of that range has to stand there."""
    return expected(Text(f"a number from {least} to {most}", f"un nombre de {least} à {most}"))


def unknown_option(name: str, known: Iterable[str]) -> Text:
    """The game has no option of that name."""
    there = ", ".join(known)
    return Text(
        f"there is no option {name!r}; there are: {there}", f"il n'y a pas d'option {name!r} ; il y a : {there}"
    )


def either(words: Sequence[Text | str]) -> Text:
    """One of these words: `a, b or c`."""
    *others, last = map(Text.of, words)
    if not others:
        return last
    en, fr = ", ".join(each.en for each in others), ", ".join(each.fr for each in others)
    return Text(f"{en} or {last.en}", f"{fr} ou {last.fr}")
