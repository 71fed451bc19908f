"""Connect as a person has it at hand: a real curl."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.api.service import Service
from tests.doors.speech import CREATE_GAME, GET_GAME, SERVICE


@pytest.fixture(autouse=True)
def _needed(external_program: Callable[[str], Path]) -> None:
    external_program("curl")


def curl(service: Service, path: str, message: object, *more: str) -> Any:
    """What curl gets for a message."""
    address = f"http://{service.http}{path}"
    sent = ("--header", "content-type: application/json", "--data", json.dumps(message))
    done = subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", "30", *sent, *more, address], capture_output=True, check=True
    )
    return json.loads(done.stdout)


def test_a_first_move_is_made_with_curl_alone(service: Service) -> None:
    made = curl(service, CREATE_GAME, {"preset": "new", "players": 3})
    game_id = made["game"]["info"]["gameId"]
    bearer = ("--header", f"authorization: Bearer {made['invitations'][0]['token']}")
    legal = curl(service, f"{SERVICE}/ListLegalMoves", {"gameId": game_id}, *bearer)
    text = legal["moves"]["pieces"][0]["rides"][0]["text"]
    played = curl(
        service, f"{SERVICE}/PlayMove", {"gameId": game_id, "moves": [{"text": text}]}, *bearer, "--compressed"
    )
    assert played["update"]["revision"]["revision"] == 2
    seen = curl(service, GET_GAME, {"gameId": game_id}, *bearer)
    assert seen["game"]["view"] == played["update"]["game"]["view"]


def test_curl_is_told_which_rule_forbids_a_move(service: Service) -> None:
    made = curl(service, CREATE_GAME, {"preset": "new", "players": 3})
    bearer = ("--header", f"authorization: Bearer {made['invitations'][0]['token']}")
    move = {"gameId": made["game"]["info"]["gameId"], "moves": [{"text": "taxi 199"}]}
    told = curl(service, f"{SERVICE}/PlayMove", move, *bearer)
    assert told["code"] == "failed_precondition"
    assert re.search(r"\(SY-MOVE-\d\d\)$", told["message"])
    assert told["details"][0]["type"] == "google.rpc.ErrorInfo"


def test_curl_sees_a_game_begin_as_a_stream(service: Service) -> None:
    made = curl(service, CREATE_GAME, {"preset": "new", "players": 2})
    message = json.dumps({"gameId": made["game"]["info"]["gameId"]}).encode()
    headers = ("content-type: application/connect+json", f"authorization: Bearer {made['invitations'][1]['token']}")
    done = subprocess.run(
        [
            *("curl", "--silent", "--no-buffer", "--max-time", "2", "--data-binary", "@-"),
            *(part for header in headers for part in ("--header", header)),
            f"http://{service.http}{SERVICE}/WatchGame",
        ],
        input=b"\0" + len(message).to_bytes(4, "big") + message,
        capture_output=True,
        check=False,
    )
    size = int.from_bytes(done.stdout[1:5], "big")
    assert json.loads(done.stdout[5 : 5 + size])["update"]["revision"]["revision"] == 1
