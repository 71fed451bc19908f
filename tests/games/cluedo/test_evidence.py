"""Evidence: what a view lets its viewer conclude from, and nothing besides."""

from typing import cast

from tests.games.cluedo.table import cards
from whitehall.games.cluedo.board import Board
from whitehall.games.cluedo.card import Card, card, case, suspect
from whitehall.games.cluedo.deduction import ENVELOPE, possible_solutions
from whitehall.games.cluedo.evidence import SeenAccusation, SeenSuggestion, evidence_of
from whitehall.games.cluedo.options import AccusationMoment, CluedoOptions, DiceSource, Leftovers, Movement
from whitehall.games.cluedo.state import AccusationMade, CluedoState, Phase, SuggestionMade
from whitehall.games.cluedo.theme import Name, Theme
from whitehall.games.cluedo.view import CluedoView, view_of
from whitehall.games.core.seat import PUBLIC, Seat, Viewer


def options(players: int) -> CluedoOptions:
    """Six suspects, six weapons, nine locations. Evidence has no use for a board, so there is none."""

    def names(number: int) -> tuple[Name, ...]:
        return cast("tuple[Name, ...]", ("",) * number)

    return CluedoOptions(
        preset="james-bond",
        seats=tuple(suspect(number) for number in range(1, players + 1)),
        board=cast("Board", None),
        theme=Theme("plain", names(6), names(6), names(9), tuple(range(1, 10))),
        movement=Movement.EXACT,
        accusations=AccusationMoment.RULEBOOK,
        dice=DiceSource.SERVICE,
        leftovers=Leftovers.DEALT,
        neutral_cards=0,
        first_dealt=Seat(0),
    )


def suggestion(
    turn: int, seat: int, words: str, passed: tuple[int, ...], refuter: int | None, shown: str
) -> SuggestionMade:
    return SuggestionMade(
        turn,
        Seat(seat),
        case(words),
        pawn_moved=False,
        weapon_moved=False,
        passed=tuple(map(Seat, passed)),
        refuter=None if refuter is None else Seat(refuter),
        card=card(shown) if shown else None,
    )


HANDS = ("S2 S3 W2 W3 L2 L3", "S4 S5 W4 W5 L4 L5", "S6 W6 L6 L7 L8 L9")
STATE = CluedoState(
    options=options(3),
    turn=4,
    active=Seat(0),
    phase=Phase.SHOW,
    dice=None,
    pawns=(),
    weapons=(),
    called=(),
    envelope=case("S1 W1 L1"),
    hands=tuple(map(cards, HANDS)),
    face_up=(),
    suggestions=(
        suggestion(1, 0, "S4 W1 L4", (), 1, "S4"),
        suggestion(2, 1, "S6 W4 L9", (), 2, "L9"),
        suggestion(3, 2, "S1 W2 L1", (), 0, "W2"),
        suggestion(4, 0, "S6 W1 L1", (1,), 2, ""),
    ),
    accusations=(AccusationMade(2, Seat(1), case("S1 W1 L2"), right=False),),
    eliminated=(Seat(1),),
    outcome=None,
)


def view(viewer: Viewer, state: CluedoState = STATE) -> CluedoView:
    return view_of(state, viewer)


def shown(viewer: Viewer) -> list[Card | None]:
    return [event.card for event in evidence_of(view(viewer)).events if isinstance(event, SeenSuggestion)]


def test_events_are_in_order_of_time_and_a_turns_suggestion_comes_before_its_accusation() -> None:
    events = evidence_of(view(PUBLIC)).events
    assert [type(event) for event in events] == [SeenSuggestion, SeenSuggestion, SeenAccusation, *[SeenSuggestion] * 2]
    assert events[2] == SeenAccusation(Seat(1), case("S1 W1 L2"))


def test_ts_15_a_shown_card_is_evidence_for_the_two_seats_concerned_only() -> None:
    assert shown(Seat(0)) == [card("S4"), None, card("W2"), None]
    assert shown(Seat(1)) == [card("S4"), card("L9"), None, None]
    assert shown(Seat(2)) == [None, card("L9"), card("W2"), None]
    assert shown(PUBLIC) == [None] * 4


def test_each_seat_knows_its_own_hand_and_nobody_else_does() -> None:
    assert evidence_of(view(Seat(2))).hands == ((Seat(2), cards(HANDS[2])),)
    assert evidence_of(view(PUBLIC)).hands == ()


def test_who_accused_wrongly_has_seen_the_envelope() -> None:
    assert list(possible_solutions(view(Seat(1))).solutions) == [case("S1 W1 L1")]
    assert len(possible_solutions(view(Seat(0))).solutions) > 1


def test_a_seat_that_has_been_asked_for_a_card_has_one_before_it_is_shown() -> None:
    """The service passes for all that hold none, so who is asked holds one: S6, as W1 and L1 turn out to be nowhere."""
    before = STATE._replace(suggestions=STATE.suggestions[:-1])
    asked = possible_solutions(view(Seat(0)))
    assert asked.deals < possible_solutions(view(Seat(0), before)).deals
    assert sum(asked.share(card(word), 2) for word in ("S6", "W1", "L1")) >= 1


def test_what_evidence_says_of_itself_names_no_card() -> None:
    assert repr(evidence_of(view(Seat(2)))) == "<Evidence of seats [2], 5 events>"


def test_the_truth_is_always_possible() -> None:
    for viewer in (PUBLIC, Seat(0), Seat(1), Seat(2)):
        found = possible_solutions(view(viewer))
        assert found.share(card("W1"), ENVELOPE) > 0
        assert STATE.envelope in found.solutions
        for seat, hand in enumerate(STATE.hands):
            assert all(found.share(one, seat) > 0 for one in hand)


def test_hidden_things_that_a_seat_cannot_tell_apart_give_it_the_same_evidence() -> None:
    """Seats 1 and 2 swap cards that nobody has asked for, and a card that seat 0 did not see is another one."""
    other = STATE._replace(
        hands=tuple(map(cards, ("S2 S3 W2 W3 L2 L3", "S4 S5 W4 W5 L4 L6", "S6 W6 L5 L7 L8 L9"))),
        suggestions=(
            STATE.suggestions[0],
            STATE.suggestions[1]._replace(card=card("S6")),
            *STATE.suggestions[2:],
        ),
    )
    assert evidence_of(view(Seat(0))) == evidence_of(view(Seat(0), other))
    assert evidence_of(view(PUBLIC)) == evidence_of(view(PUBLIC, other))
