"""What the protos' comments say of each element, by its full name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf import descriptor_pb2

_HELD = ("message_type", "enum_type", "service", "nested_type", "field", "oneof_decl", "method", "value")
"""The fields of descriptors that hold elements. Their numbers are the steps of a path in the source's information."""


def comments(image: descriptor_pb2.FileDescriptorSet) -> dict[str, str]:
    """By full name: the comment that stands before an element, its line breaks kept."""
    found: dict[str, str] = {}
    for file in image.file:
        said = {tuple(place.path): place.leading_comments for place in file.source_code_info.location}
        for path, name in _elements(file, (), file.package):
            text = said.get(path, "")
            if text:
                found[name] = re.sub(r"^ ", "", text, flags=re.MULTILINE).strip()
    return found


def _elements(holder: Any, path: tuple[int, ...], name: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """Every element below one: its path and its full name."""
    for kind in _HELD:
        field = holder.DESCRIPTOR.fields_by_name.get(kind)
        held: Sequence[Any] = () if field is None else getattr(holder, kind)
        for index, element in enumerate(held):
            step = ((*path, field.number, index), f"{name}.{element.name}")
            yield step
            yield from _elements(element, *step)


def first_sentence(text: str) -> str:
    """The first sentence, on one line."""
    flat = " ".join(text.split())
    match = re.match(r"(.+?[.:])(?:\s|$)", flat)
    return (match[1] if match else flat).rstrip(".:")
