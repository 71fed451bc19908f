"""Whole games still read as they did: moves, events, and what every seat sees, word for word."""

from pathlib import Path

import pytest

from tests.games.transcript import TELLERS, play, tell_again, transcripts
from whitehall.games.registry import games


def test_every_game_has_a_teller_and_transcripts() -> None:
    assert set(TELLERS) == set(games()) == {name for name, _ in transcripts()}


@pytest.mark.parametrize(("name", "path"), [pytest.param(*found, id=found[1].stem) for found in transcripts()])
def test_the_transcript_reads_as_it_did(name: str, path: Path) -> None:
    """To tell it anew: `python -m tests.games.transcript --write`, then look at what changed."""
    text = path.read_text(encoding="utf-8")
    assert tell_again(name, text) == text


def test_a_transcript_told_twice_says_the_same() -> None:
    text = play("scotland-yard", {"preset": "new", "players": "3"}, seed=1)
    assert tell_again("scotland-yard", text) == text
