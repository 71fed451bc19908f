"""A change that would break callers of the last release is found, and one that would not is let through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from google.api import annotations_pb2
from google.protobuf import descriptor_pb2

from tools import contract
from tools.generate import write_image

MOVES = "whitehall/scotlandyard/v1/move.proto"
SERVICE = "whitehall/scotlandyard/v1/service.proto"

Change = Callable[[dict[str, descriptor_pb2.FileDescriptorProto]], None]


def changed(tmp_path: Path, change: Change) -> Path:
    """The contract of the last release with a change."""
    image = descriptor_pb2.FileDescriptorSet.FromString(contract.RELEASED.read_bytes())
    change({file.name: file for file in image.file})
    target = tmp_path / "changed.binpb"
    target.write_bytes(image.SerializeToString())
    return target


def tickets(files: dict[str, descriptor_pb2.FileDescriptorProto]) -> descriptor_pb2.DescriptorProto:
    (found,) = (message for message in files[MOVES].message_type if message.name == "Tickets")
    return found


def remove_a_field(files: dict[str, descriptor_pb2.FileDescriptorProto]) -> None:
    del tickets(files).field[0]


def rename_a_field_in_json(files: dict[str, descriptor_pb2.FileDescriptorProto]) -> None:
    tickets(files).field[0].json_name = "cab"


def change_a_type(files: dict[str, descriptor_pb2.FileDescriptorProto]) -> None:
    tickets(files).field[0].type = descriptor_pb2.FieldDescriptorProto.TYPE_STRING


def remove_a_method(files: dict[str, descriptor_pb2.FileDescriptorProto]) -> None:
    del files[SERVICE].service[0].method[0]


def move_a_path(files: dict[str, descriptor_pb2.FileDescriptorProto]) -> None:
    files[SERVICE].service[0].method[0].options.Extensions[annotations_pb2.http].post = "/v2/games"


def add_a_field(files: dict[str, descriptor_pb2.FileDescriptorProto]) -> None:
    new = tickets(files).field.add(name="tram", json_name="tram", number=90)
    new.type, new.label = new.TYPE_INT32, new.LABEL_OPTIONAL


def test_todays_protos_break_nobody(tmp_path: Path) -> None:
    image = tmp_path / "image.binpb"
    write_image(image)
    assert contract.faults(image) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (remove_a_field, 'field "1" with name "taxi" on message "Tickets" was deleted'),
        (rename_a_field_in_json, 'changed option "json_name" from "taxi" to "cab"'),
        (change_a_type, "changed type"),
        (remove_a_method, 'RPC "CreateGame" on service "ScotlandYardService" was deleted'),
        (move_a_path, "ScotlandYardService/CreateGame can no longer be called by POST /v1/scotland-yard/games"),
    ],
)
def test_what_would_break_a_caller_is_named(change: Change, complaint: str, tmp_path: Path) -> None:
    assert complaint in "\n".join(contract.faults(changed(tmp_path, change)))


def test_what_is_new_breaks_nobody(tmp_path: Path) -> None:
    assert contract.faults(changed(tmp_path, add_a_field)) == []


def test_a_release_holds_what_callers_see_and_is_the_same_each_time(tmp_path: Path) -> None:
    image = tmp_path / "image.binpb"
    write_image(image)
    for name in ("one", "other"):
        contract.release(image, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    files = descriptor_pb2.FileDescriptorSet.FromString((tmp_path / "one").read_bytes()).file
    assert SERVICE in {file.name for file in files}
    assert not [file.name for file in files if "/store/" in file.name or file.HasField("source_code_info")]
