"""Whatever is wrong with what was given is said in English and in French, wherever it is said."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from whitehall.games.core.fault import BadBoard, BadInput, InvalidField, OptionsError
from whitehall.games.core.notation import NotationError
from whitehall.games.core.record_tag import RecordError
from whitehall.games.core.rule import Rule
from whitehall.games.core.sentences import either, expected
from whitehall.games.core.text import Text
from whitehall.games.registry import games
from whitehall.games.scotland_yard.position import PositionError

PACKAGE = Path(__file__).parents[2] / "service/whitehall"

SAYS: dict[str, int] = {
    "BadInput": 0,
    "BadBoard": 0,
    "BadText": 0,
    "UnknownOptionError": 0,
    "NotationError": 0,
    "RecordError": 0,
    "InvalidField": 1,
    "TooMuchWork": 1,
    "OptionsError": 1,
    "PositionError": 1,
    "FieldFault": 1,
    "Fault": 1,
    "Unplayable": 1,
    "Told": 1,
    "invalid_field": 1,
}
"""What tells people of a fault, each with the place of the sentence among its arguments."""

RAISES = {"fail": 0, "_fail": 0, "_fault": 1}
"""What games call that build such a fault."""

ENGLISH = re.compile(
    r"\b(the|there|is|are|be|was|were|must|may|can|cannot|not|of|with|without|and|has|have|this|that|expected|only|once|"
    r"twice|left|given|number|to|by|from|for)\b",
    re.IGNORECASE,
)
"""Words that are English and no French ones."""


def english_words_in(french: str) -> list[str]:
    return ENGLISH.findall(french)


@cache
def modules() -> Mapping[str, ast.Module]:
    paths = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
    return {
        where: ast.parse(path.read_text(encoding="utf-8"))
        for where, path in paths.items()
        if not where.startswith("gen/")
    }


def calls(module: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    yield name, node


def is_one_language(said: ast.expr) -> bool:
    """A string, put together or not, or what an error says in English alone."""
    match said:
        case ast.Constant(value=str()) | ast.JoinedStr() | ast.BinOp():
            return True
        case ast.Call(func=ast.Name(id="str")):
            return True
        case ast.Call(func=ast.Attribute(attr="join" | "format")):
            return True
        case ast.Attribute(attr="reason" | "description" | "en" | "fr"):
            return True
        case ast.IfExp(body=body, orelse=orelse):
            return is_one_language(body) or is_one_language(orelse)
    return False


def test_no_fault_is_told_in_one_language_only() -> None:
    """The types say the same; this names the places even where they are not checked."""
    told = 0
    for where, module in modules().items():
        says = {**SAYS, **RAISES} if where.startswith("games/") else SAYS
        for name, call in calls(module):
            place = says.get(name)
            if place is None or len(call.args) <= place:
                continue
            told += 1
            said = call.args[place]
            assert not is_one_language(said), f"{where}:{said.lineno}: {name} says {ast.unparse(said)}"
    assert told > 150


def literal(said: ast.expr) -> str | None:
    """The words of a sentence that stands in the source, without its values."""
    match said:
        case ast.Constant(value=str(words)):
            return words
        case ast.JoinedStr(values=values):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in values)
    return None


def values(said: ast.expr) -> set[str]:
    """The names of the values in a sentence, but for parts of it that were put together before in its language."""
    return {node.id for node in ast.walk(said) if isinstance(node, ast.Name)} - {"en", "fr"}


def test_both_sentences_of_a_text_hold_the_same_values_and_each_is_in_its_language() -> None:
    texts = 0
    for where, module in modules().items():
        for name, call in calls(module):
            if name != "Text" or len(call.args) != 2:
                continue
            en, fr = (literal(said) for said in call.args)
            if en is None or fr is None:
                continue
            texts += 1
            place = f"{where}:{call.lineno}"
            assert values(call.args[0]) == values(call.args[1]), place
            assert not english_words_in(fr), f"{place}: {fr}"
            if re.search("[a-z]{3}", en.replace("{}", "")):
                assert en != fr or en.split()[0] in ("station", "passage"), place
    assert texts > 200


@pytest.mark.parametrize("rule", [rule for game in games().values() for rule in game.rules], ids=lambda rule: rule.id)
def test_a_rule_is_a_text_in_both_languages(rule: Rule) -> None:
    assert rule.text == Text(rule.en, rule.fr)
    assert not english_words_in(rule.fr.replace("Coup double", "")), rule.fr


def test_a_text_is_spoken_in_french_where_french_is_asked_for_and_else_in_english() -> None:
    text = Text("there is no station 200", "il n'y a pas de station 200")
    assert text.spoken_in("fr") == "il n'y a pas de station 200"
    assert text.spoken_in("en") == text.spoken_in("de") == "there is no station 200"


def test_a_sentence_stands_behind_its_place_as_each_language_has_it() -> None:
    text = Text("must ascend", "doit être en ordre croissant")
    assert text.at("surfacing") == Text("surfacing: must ascend", "surfacing : doit être en ordre croissant")
    assert text.at(Text("row 3", "ligne 3")).fr == "ligne 3 : doit être en ordre croissant"


def test_words_of_which_one_is_expected_are_joined_as_each_language_has_it() -> None:
    piece = Text("a piece", "un pion")
    assert expected(either((piece, "taxi", "bus"))) == Text(
        "expected a piece, taxi or bus", "attendu : un pion, taxi ou bus"
    )
    assert either(["taxi"]) == Text("taxi", "taxi")


def test_a_fault_that_is_told_in_english_only_is_a_fault_all_the_same() -> None:
    """It can't be built without the type checker's complaint, and must not turn a refusal into a failure of ours."""
    rule = next(iter(games().values())).rules[0]
    bare: list[BadInput] = [
        InvalidField("players", "must be less"),  # type: ignore[arg-type]
        OptionsError("players", "must be less", rule),  # type: ignore[arg-type]
        PositionError("players", "must be less"),  # type: ignore[arg-type]
        NotationError("must be less", 3),  # type: ignore[arg-type]
        RecordError("must be less", 1, 3),  # type: ignore[arg-type]
        BadBoard("must be less"),  # type: ignore[arg-type]
    ]
    assert {error.text for error in bare} == {Text("must be less", "must be less")}
    assert {error.reason for error in bare} == {"must be less"}
    assert [str(error) for error in bare] == [
        "players: must be less",
        "players: must be less",
        "players: must be less",
        "column 3: must be less",
        "line 1, column 3: must be less",
        "must be less",
    ]
