"""Notation of positions: everything that bears on what may be played, as one line of words.

    new 3 1 mr_x mr_x@45 red@13:11/8/4 blue@26:11/8/4 bobby1@29 bobby2@34 supply:35/29/15 black:5 double:2 moves:0

First the preset, the number of players, the round and whose turn it is (`mr_x` or `hunters`). Then each piece at its
station, a detective with its taxi, bus and underground tickets, a hunter that has moved in this round with an
exclamation mark (`red@13:11/8/4!`); where detectives share a hand, it stands after the pieces (`hand:22/16/8`). Then
the common supply, Mr X's black and double tickets, how many fields of his log are filled, and in the app game his
helicopter tickets (`helicopter:1`). Tickets and all that follows the pieces may be left out: they are then as at the
start of a game. Reading takes the words after the first four in any order; writing knows one form for each position.
"""

import re
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, NoReturn

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import STANDS_TWICE, either, expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import edition
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.overrides import NONE, Overrides
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position import PositionError, position
from whitehall.games.scotland_yard.sentences import OWN_HANDS
from whitehall.games.scotland_yard.state import MasterState, Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Tickets

HUNTERS = "hunters"
"""Whose turn it is after Mr X's move."""

_PHASES = {Piece.MR_X.word: Phase.MR_X, HUNTERS: Phase.HUNTERS}
_PIECES = {piece.word: piece for piece in Piece}
_NUMBER = "(0|[1-9][0-9]{0,2})"
_PUT = re.compile(f"([a-z_0-9]+)@([1-9][0-9]{{0,3}})(?::{_NUMBER}/{_NUMBER}/{_NUMBER})?(!?)")
_TICKETS = re.compile(f"(hand|supply):{_NUMBER}/{_NUMBER}/{_NUMBER}")
_COUNT = re.compile(f"(black|double|moves|helicopter):{_NUMBER}")
_piece = attrgetter("piece")
_SMALL = re.compile("[1-9][0-9]{0,2}")
_WORD = re.compile(r"\S+")
_HEAD = (
    Text("a preset", "un préréglage"),
    Text("the number of players", "le nombre de joueurs"),
    Text("the round", "le tour"),
    Text(f"whose turn it is: mr_x or {HUNTERS}", f"à qui de jouer : mr_x ou {HUNTERS}"),
)
"""What the first words say."""
_FACTS_OR_PIECE = (
    Text("a piece at its station", "un pion à sa station"),
    *("hand", "supply", "black", "double", "moves", "helicopter"),
)
"""What the others can be."""
_FACTS = {"supply": "supply", "black": "black_tickets", "double": "double_tickets", "moves": "moves_made"}
"""The words after the pieces, each with the position's name for what it says."""


class _Put(NamedTuple):
    piece: Piece
    station: int
    tickets: Tickets | None
    moved: bool


class _Fact(NamedTuple):
    name: str
    value: Tickets | int


@lru_cache(64)
def sides(preset: str, players: int, changes: Overrides = NONE) -> ScotlandYardOptions:
    """The options of a position: as in a game for so many players, but with one seat that moves all hunters.

    Raises `OptionsError`.
    """
    detectives = edition.resolve(preset, players).detectives
    return edition.resolve(preset, players, [(Piece.MR_X,), detectives], changes)


def text(state: ScotlandYardState) -> str:
    """The position in notation.

    Raises `ValueError` while pieces are placed and once the game is over, as then there is nothing to be played; for a
    game whose options are not its preset's; and for what the app has found or shown: those have no words here.
    """
    if state.phase == Phase.OVER:
        raise ValueError("a game that is over has no position to play from")
    if state.phase == Phase.PLACING:
        raise ValueError("a game whose pieces are still placed has no position yet")
    options = state.options
    if replace(sides(options.preset, options.players), seats=options.seats) != options:
        raise ValueError("a game with other options than its preset's has no notation for its positions")
    if state.master is not None and (state.master.findings or state.master.meeting_points):
        raise ValueError("a position has no notation for findings and meeting points")
    turn = Piece.MR_X.word if state.phase == Phase.MR_X else HUNTERS
    words = [options.preset, str(options.players), str(state.round), turn, f"{Piece.MR_X.word}@{state.mr_x}"]
    for number, (piece, station) in enumerate(zip(options.hunters, state.hunters, strict=True)):
        hand = "" if options.pooled or piece.is_bobby else f":{_listed(state.hands[number])}"
        words.append(f"{piece.word}@{station}{hand}{'!' if state.moved >> number & 1 else ''}")
    if options.pooled:
        words.append(f"hand:{_listed(state.hands[0])}")
    words.append(f"supply:{_listed(state.supply)}")
    words.append(f"black:{state.black_tickets} double:{state.double_tickets} moves:{state.moves_made}")
    if state.master is not None:
        words.append(f"helicopter:{state.master.helicopter_tickets}")
    return " ".join(words)


def _listed(tickets: Tickets) -> str:
    return "/".join(map(str, tickets))


def parse(text: str) -> ScotlandYardState:
    """The position that a text says; the ends and forced passes that are due in it are made. Raises `NotationError`."""
    words = text.split()
    options, round_number, phase = _head(tuple(words[:4]), text)
    puts: list[_Put] = []
    facts: dict[str, Any] = {}
    for index, word in enumerate(words[4:], 4):
        found = _word(word)
        if type(found) is _Put:
            puts.append(found)
        elif type(found) is _Fact and found.name not in facts:
            facts[found.name] = found.value
        elif found is None:
            _fail(expected(either(_FACTS_OR_PIECE)), text, index)
        else:
            _fail(STANDS_TWICE, text, index)
    puts.sort(key=_piece)
    return _position(options, round_number, phase, puts, facts, text)


@lru_cache(1 << 10)
def _known_head(words: tuple[str, ...]) -> tuple[ScotlandYardOptions, int, Phase] | None:
    if len(words) < 4 or not all(_SMALL.fullmatch(word) for word in words[1:3]) or words[3] not in _PHASES:
        return None
    return sides(words[0], int(words[1])), int(words[2]), _PHASES[words[3]]


def _head(words: tuple[str, ...], text: str) -> tuple[ScotlandYardOptions, int, Phase]:
    try:
        found = _known_head(words)
    except OptionsError as error:
        _fail(error.placed, text, 0 if error.field == "preset" else 1)
    if found is not None:
        return found
    for index, what in enumerate(_HEAD):
        there = words[index] if index < len(words) else ""
        if not there or (index in (1, 2) and not _SMALL.fullmatch(there)) or (index == 3 and there not in _PHASES):
            _fail(expected(what), text, index)
    raise AssertionError("one of the words is wrong")


@lru_cache(1 << 14)
def _word(word: str) -> _Put | _Fact | None:
    """What a word after the first four says; None for nothing. Kept, as positions are made of few different words."""
    if put := _PUT.fullmatch(word):
        if put[1] not in _PIECES:
            return None
        tickets = None if put[3] is None else Tickets(int(put[3]), int(put[4]), int(put[5]))
        return _Put(_PIECES[put[1]], int(put[2]), tickets, bool(put[6]))
    if counted := _TICKETS.fullmatch(word):
        return _Fact(counted[1], Tickets(int(counted[2]), int(counted[3]), int(counted[4])))
    if count := _COUNT.fullmatch(word):
        return _Fact(count[1], int(count[2]))
    return None


def _position(
    options: ScotlandYardOptions,
    round_number: int,
    phase: Phase,
    puts: list[_Put],
    facts: dict[str, Any],
    text: str,
) -> ScotlandYardState:
    if tuple([put.piece for put in puts]) != (Piece.MR_X, *options.hunters):
        pieces = ", ".join(piece.word for piece in options.hunters)
        why = Text(
            f"the pieces must be mr_x, {pieces}, each once", f"les pions doivent être mr_x, {pieces}, chacun une fois"
        )
        _fail(why, text)
    mr_x, *hunters = puts
    if mr_x.tickets is not None or mr_x.moved:
        why = Text("mr_x has neither a hand nor an exclamation mark", "mr_x n'a ni main ni point d'exclamation")
        _fail(why, text, _index(text, "mr_x@"))
    owners = 0 if options.pooled else len(options.detectives)
    for number, put in enumerate(hunters):
        if put.tickets is not None and number >= owners:
            word = put.piece.word
            free = Text(f"{word} rides without tickets", f"{word} se déplace sans tickets")
            shared = Text(f"{word} spends from the shared hand", f"{word} puise dans la main commune")
            _fail(free if put.piece.is_bobby else shared, text, _index(text, f"{word}@"))
    if "hand" in facts and not options.pooled:
        _fail(OWN_HANDS, text, _index(text, "hand:"))
    hands = [facts.get("hand")] if options.pooled else [put.tickets for put in hunters[:owners]]
    helicopters = facts.pop("helicopter", None)
    if helicopters is not None and options.master is None:
        why = Text(
            f"preset {options.preset} plays without helicopters",
            f"le préréglage {options.preset} se joue sans hélicoptères",
        )
        _fail(why, text, _index(text, "helicopter:"))
    try:
        return position(
            options,
            mr_x=mr_x.station,
            hunters=[put.station for put in hunters],
            round=round_number,
            phase=phase,
            hands=[options.hand if hand is None else hand for hand in hands],
            moved=[put.piece for put in hunters if put.moved],
            **{_FACTS[name]: value for name, value in facts.items() if name != "hand"},
            master=_master(options, helicopters),
        )
    except PositionError as error:
        _fail(error.text, text, _place(error, options, text))


def _master(options: ScotlandYardOptions, helicopters: int | None) -> MasterState | None:
    """What the app keeps: as at the start of a game, but for the helicopters."""
    if options.master is None or helicopters is None:
        return None
    return MasterState.at_start(options.master)._replace(helicopter_tickets=helicopters)


def _place(error: PositionError, options: ScotlandYardOptions, text: str) -> int | None:
    """Which word is at fault; None where it is not there."""
    match error.field:
        case "round":
            return 2
        case "master.helicopter_tickets":
            return _index(text, "helicopter:")
        case "mr_x":
            return _index(text, "mr_x@")
        case "hands" if options.pooled:
            return _index(text, "hand:")
        case "hunters" | "hands" | "moved" if error.index is not None:
            return _index(text, f"{options.hunters[error.index].word}@")
    return _index(text, next((f"{word}:" for word, name in _FACTS.items() if name == error.field), "?"))


def _index(text: str, start: str) -> int | None:
    """The index of the word that starts so."""
    return next((index for index, word in enumerate(text.split()) if word.startswith(start)), None)


def _fail(why: Text, text: str, index: int | None = None) -> NoReturn:
    """The word at this index is wrong, or, without one, something is missing at the end."""
    places = [found.start() for found in _WORD.finditer(text)]
    end = len(text.rstrip())
    raise NotationError(why, (places[index] if index is not None and index < len(places) else end) + 1)
