"""Text in UTF-8, which is what all input is."""

from whitehall.games.core.record_tag import RecordError
from whitehall.games.core.text import Text

_NO_TEXT = Text("what stands here is no text in UTF-8", "ce qui se trouve ici n'est pas du texte en UTF-8")


def decoded(data: bytes) -> str:
    """The text. Raises `RecordError` with the place of the first byte that belongs to none."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        *lines, last = data[: error.start].decode().split("\n")
        raise RecordError(_NO_TEXT, len(lines) + 1, len(last) + 1) from error
