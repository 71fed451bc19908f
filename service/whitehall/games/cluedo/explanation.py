"""Explanation: which events force a conclusion, and no more of them than it takes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from whitehall.games.cluedo.card import Card
from whitehall.games.cluedo.counting import any_deal
from whitehall.games.cluedo.deduction import ENVELOPE, FACE_UP, Owner, as_evidence
from whitehall.games.cluedo.evidence import Evidence, constraints_of
from whitehall.games.cluedo.sentences import not_in_deck
from whitehall.games.cluedo.view import CluedoView
from whitehall.games.core.fault import InvalidField
from whitehall.games.core.sentences import no_seat
from whitehall.games.core.wanted import IsWanted, always


class Conclusion(NamedTuple):
    """That an owner has a card, or that it has not."""

    card: Card
    owner: Owner
    has: bool = True


class NotCertain(ValueError):
    """The evidence does not force the conclusion: some deal fits in which it is false."""

    def __init__(self, conclusion: Conclusion) -> None:
        super().__init__(f"where {conclusion.card.word} is cannot be concluded")
        self.conclusion = conclusion


def explain(seen: CluedoView | Evidence, conclusion: Conclusion, is_wanted: IsWanted = always) -> tuple[int, ...]:
    """The events of the evidence, by their numbers from 0, that force a conclusion: together they do, with what the
    viewer sees of the cards themselves, and without any one of them they do not.

    Often several such sets exist; one is given. It is empty where the viewer's own cards or the open ones say it all.
    Raises `InvalidField` for a card or an owner that is not in the game, `NotCertain`, and `NoLongerWanted`.
    """
    evidence = as_evidence(seen)
    if conclusion.card not in evidence.cards:
        raise InvalidField("card", not_in_deck(conclusion.card))
    if not FACE_UP <= conclusion.owner < len(evidence.hand_sizes):
        raise InvalidField("owner", no_seat(conclusion.owner))
    everything = range(len(evidence.events))
    forced = _test(evidence, conclusion, is_wanted)
    if not forced(everything):
        raise NotCertain(conclusion)
    return () if forced(()) else tuple(sorted(_least(forced, [], everything)))


def _test(evidence: Evidence, conclusion: Conclusion, is_wanted: IsWanted) -> Callable[[Sequence[int]], bool]:
    """Whether some events force it: whether no deal fits them in which it is false."""
    card, owner, has = conclusion
    if card in evidence.face_up or owner == FACE_UP:
        known = has == (card in evidence.face_up and owner == FACE_UP)
        return lambda events: known
    index = evidence.hidden.index(card)
    this = 1 << (len(evidence.hand_sizes) if owner == ENVELOPE else owner)

    def forced(events: Sequence[int]) -> bool:
        constraints = constraints_of(evidence, [evidence.events[event] for event in events])
        able = constraints.owners[index]
        return not any_deal(constraints.limit(index, able & ~this if has else able & this), is_wanted)

    return forced


def _least(forced: Callable[[Sequence[int]], bool], given: Sequence[int], events: Sequence[int]) -> list[int]:
    """A least part of `events` that forces it together with `given`, which do not by themselves; all together do.

    Halving leaves out many events at once: U. Junker, "QuickXplain: Preferred Explanations and Relaxations for
    Over-Constrained Problems", AAAI 2004.
    """
    if len(events) == 1:
        return list(events)
    first, second = events[: len(events) // 2], events[len(events) // 2 :]
    if forced([*given, *first]):
        return _least(forced, given, first)
    needed = _least(forced, [*given, *first], second)
    if forced([*given, *needed]):
        return needed
    return _least(forced, [*given, *needed], first) + needed
