"""Notation of positions: everything that bears on what may be played, as one line of words.

    new 3 1 mr_x mr_x@45 red@13:11/8/4 blue@26:11/8/4 bobby1@29 bobby2@34 supply:35/29/15 black:5 double:2 moves:0

First the preset, the number of players, the round and whose turn it is (`mr_x` or `hunters`). Then each piece at its
station, a detective with its taxi, bus and underground tickets, a hunter that has moved in this round with an
exclamation mark (`red@13:11/8/4!`); where detectives share a hand, it stands after the pieces (`hand:22/16/8`). Then
the common supply, Mr X's black and double tickets, how many fields of his log are filled, and in the app game what the
app keeps (`app_notation`). Tickets and all that follows the pieces may be left out: they are then as at the
start of a game. Reading takes the words after whose turn it is in any order; writing knows one form for each position.

Where the options are not those of the preset, words for those that differ stand right after it (`option_words`), and
where detectives have black tickets, these follow a hand's others (`red@13:11/8/4/1`).
"""

import re
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, NoReturn

from whitehall.games.core.fault import OptionsError
from whitehall.games.core.notation import NotationError
from whitehall.games.core.sentences import STANDS_TWICE, either, expected
from whitehall.games.core.text import Text
from whitehall.games.scotland_yard import app_notation, differences, option_words, position_words
from whitehall.games.scotland_yard.app_notation import AppWord
from whitehall.games.scotland_yard.options import ScotlandYardOptions
from whitehall.games.scotland_yard.piece import Piece
from whitehall.games.scotland_yard.position import PositionError, position
from whitehall.games.scotland_yard.position_words import Fact, Put, piece_of
from whitehall.games.scotland_yard.sentences import OWN_HANDS, without_app
from whitehall.games.scotland_yard.sides import sides
from whitehall.games.scotland_yard.state import MasterState, Phase, ScotlandYardState
from whitehall.games.scotland_yard.ticket import Tickets
from whitehall.games.scotland_yard.words import fail, words_of

HUNTERS = "hunters"
"""Whose turn it is after Mr X's move."""

_PHASES = {Piece.MR_X.word: Phase.MR_X, HUNTERS: Phase.HUNTERS}
_piece = attrgetter("piece")
_SMALL = re.compile("[1-9][0-9]{0,2}")
_LISTED = re.compile(r"master\.(meeting_points|findings)(?:\[([0-9]+)\])?")
"""What a field of a position is called that is one of several."""
_HEAD = (
    Text("a preset", "un préréglage"),
    Text("the number of players", "le nombre de joueurs"),
    Text("the round", "le tour"),
    Text(f"whose turn it is: mr_x or {HUNTERS}", f"à qui de jouer : mr_x ou {HUNTERS}"),
)
"""What the first words say."""
_FACTS_OR_PIECE = (
    Text("a piece at its station", "un pion à sa station"),
    *("hand", "supply", "black", "double", "moves", "helicopter", "offered", "point", "finding"),
)
"""What the others can be."""
_OPTIONS_FIRST = Text("options stand right after the preset", "les options suivent le préréglage")
_FACTS = {"supply": "supply", "black": "black_tickets", "double": "double_tickets", "moves": "moves_made"}
"""The words after the pieces, each with the position's name for what it says."""


def text(state: ScotlandYardState) -> str:
    """The position in notation.

    Raises `ValueError` while pieces are placed and once the game is over, as then there is nothing to be played; for a
    game with landmarks of its own: those have no words here.
    """
    if state.phase == Phase.OVER:
        raise ValueError("a game that is over has no position to play from")
    if state.phase == Phase.PLACING:
        raise ValueError("a game whose pieces are still placed has no position yet")
    options = state.options
    turn = Piece.MR_X.word if state.phase == Phase.MR_X else HUNTERS
    words = [options.preset, *_option_words(options), str(options.players), str(state.round), turn]
    words.append(f"{Piece.MR_X.word}@{state.mr_x}")
    hands = [_hand_text(state, number) for number in range(options.hands)]
    for number, (piece, station) in enumerate(zip(options.hunters, state.hunters, strict=True)):
        hand = "" if options.pooled or piece.is_bobby else f":{hands[number]}"
        words.append(f"{piece.word}@{station}{hand}{'!' if state.moved >> number & 1 else ''}")
    words += [f"hand:{hands[0]}"] if options.pooled else []
    words += [f"supply:{_listed(state.supply)}"] if options.supply_changes else []
    words.append(f"black:{state.black_tickets} double:{state.double_tickets} moves:{state.moves_made}")
    words += [] if state.master is None else app_notation.words(state.master)
    return " ".join(words)


@lru_cache(64)
def _option_words(options: ScotlandYardOptions) -> tuple[str, ...]:
    usual = sides(options.preset, options.players)
    if replace(usual, seats=options.seats) == options:
        return ()
    return tuple(option_words.words(differences.changes(*map(differences.in_force, (options, usual)))))


def _hand_text(state: ScotlandYardState, number: int) -> str:
    black = f"/{state.black_hands[number]}" if state.options.black_hand else ""
    return _listed(state.hands[number]) + black


def _listed(tickets: Tickets) -> str:
    return "/".join(map(str, tickets))


def parse(text: str) -> ScotlandYardState:
    """The position that a text says; the ends and forced passes that are due in it are made. Raises `NotationError`."""
    words = words_of(text)
    given = 1
    while given < len(words) and words[given].startswith(option_words.START):
        given += 1
    first = given + 3
    options, round_number, phase = _head(tuple(words[:first]), given, text)
    puts: list[Put] = []
    facts: dict[str, Any] = {}
    of_app: list[AppWord] = []
    for index, word in enumerate(words[first:], first):
        try:
            found = position_words.parse(word)
        except NotationError as error:
            fail(error.text, text, index, error.column)
        if type(found) is Put:
            puts.append(found)
        elif type(found) is Fact and found.name not in facts:
            facts[found.name] = found.value
        elif isinstance(found, AppWord) and app_notation.may_follow(of_app, found):
            of_app.append(found)
        elif found is not None:
            fail(STANDS_TWICE, text, index)
        elif word.startswith(option_words.START):
            fail(_OPTIONS_FIRST, text, index)
        else:
            fail(expected(either(_FACTS_OR_PIECE)), text, index)
    puts.sort(key=_piece)
    return _position(options, round_number, phase, puts, facts, of_app, text)


@lru_cache(1 << 10)
def _known_head(words: tuple[str, ...]) -> tuple[ScotlandYardOptions, int, Phase] | None:
    """What the words up to whose turn it is say; None where one of the last three of them is none."""
    preset, *given, players, number, turn = words
    if not (_SMALL.fullmatch(players) and _SMALL.fullmatch(number) and turn in _PHASES):
        return None
    return sides(preset, int(players), option_words.read(given)), int(number), _PHASES[turn]


def _head(words: tuple[str, ...], given: int, text: str) -> tuple[ScotlandYardOptions, int, Phase]:
    """The options, the round and whose turn it is. The number of players stands after so many words as are `given`."""
    try:
        found = _known_head(words) if len(words) == given + 3 else None
    except option_words.WrongWord as error:
        fail(error.text, text, 1 + error.number, error.column)
    except OptionsError as error:
        wrong = option_words.wrong_word(error, words[1:given])
        if wrong is not None:
            fail(wrong.text, text, 1 + wrong.number, wrong.column)
        fail(error.text, text, 0 if error.field == "preset" else given)
    if found is not None:
        return found
    if not words:
        fail(expected(_HEAD[0]), text)
    for index, what in enumerate(_HEAD[1:], given):
        there = words[index] if index < len(words) else ""
        if not (there in _PHASES if index == given + 2 else _SMALL.fullmatch(there)):
            fail(expected(what), text, index)
    raise AssertionError("one of the words is wrong")


def _position(
    options: ScotlandYardOptions,
    round_number: int,
    phase: Phase,
    puts: list[Put],
    facts: dict[str, Any],
    of_app: list[AppWord],
    text: str,
) -> ScotlandYardState:
    if tuple([put.piece for put in puts]) != (Piece.MR_X, *options.hunters):
        _fail_at_piece(options, text)
    mr_x, *hunters = puts
    if mr_x.hand is not None or mr_x.moved:
        why = Text("mr_x has neither a hand nor an exclamation mark", "mr_x n'a ni main ni point d'exclamation")
        fail(why, text, _index(text, "mr_x@"))
    owners = 0 if options.pooled else len(options.detectives)
    for number, put in enumerate(hunters):
        if put.hand is not None and number >= owners:
            word = put.piece.word
            free = Text(f"{word} rides without tickets", f"{word} se déplace sans tickets")
            shared = Text(f"{word} spends from the shared hand", f"{word} puise dans la main commune")
            fail(free if put.piece.is_bobby else shared, text, _index(text, f"{word}@"))
    if "hand" in facts and not options.pooled:
        fail(OWN_HANDS, text, _index(text, "hand:"))
    hands = [facts.get("hand")] if options.pooled else [put.hand for put in hunters[:owners]]
    if of_app and options.master is None:
        fail(without_app(options.preset), text, _index(text, *app_notation.STARTS))
    try:
        return position(
            options,
            mr_x=mr_x.station,
            hunters=[put.station for put in hunters],
            round=round_number,
            phase=phase,
            hands=[options.hand if hand is None else hand.tickets for hand in hands],
            black_hands=[options.black_hand if hand is None or hand.black is None else hand.black for hand in hands],
            moved=[put.piece for put in hunters if put.moved],
            **{_FACTS[name]: value for name, value in facts.items() if name != "hand"},
            master=_master(options, of_app),
        )
    except PositionError as error:
        fail(error.text, text, _place(error, options, text))


def _fail_at_piece(options: ScotlandYardOptions, text: str) -> NoReturn:
    """The pieces are not those of the game: told at the first that is none of them, or none any more; at the end where
    some are missing.
    """
    pieces = ", ".join(piece.word for piece in options.hunters)
    why = Text(
        f"the pieces must be mr_x, {pieces}, each once", f"les pions doivent être mr_x, {pieces}, chacun une fois"
    )
    missing = {Piece.MR_X, *options.hunters}
    for index, word in enumerate(words_of(text)):
        piece = piece_of(word)
        if piece is None:
            continue
        if piece not in missing:
            fail(why, text, index)
        missing.remove(piece)
    fail(why, text)


def _master(options: ScotlandYardOptions, of_app: list[AppWord]) -> MasterState | None:
    """What the app keeps; None where nothing is said of it."""
    if options.master is None or not of_app:
        return None
    return app_notation.kept(of_app, options.master)


def _place(error: PositionError, options: ScotlandYardOptions, text: str) -> int | None:
    """Which word is at fault; None where it is not there."""
    match error.field:
        case "round":
            return next(index for index, word in enumerate(words_of(text)) if word in _PHASES) - 1
        case "master.helicopter_tickets":
            return _index(text, app_notation.HELICOPTER)
        case "mr_x":
            return _index(text, "mr_x@")
        case "hands" | "black_hands" if options.pooled:
            return _index(text, "hand:")
        case "hunters" | "hands" | "black_hands" | "moved" if error.index is not None:
            return _index(text, f"{options.hunters[error.index].word}@")
    if listed := _LISTED.match(error.field):
        start = app_notation.POINT if listed[1] == "meeting_points" else app_notation.FINDING
        return _index(text, start, number=int(listed[2] or 0))
    return _index(text, next((f"{word}:" for word, name in _FACTS.items() if name == error.field), "?"))


def _index(text: str, *starts: str, number: int = 0) -> int | None:
    """The index of the word that starts with one of these; with a `number`, of so many later."""
    found = [index for index, word in enumerate(words_of(text)) if word.startswith(starts)]
    return found[number] if number < len(found) else None
