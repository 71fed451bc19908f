"""Sentences that say what is wrong with something of Scotland Yard, and that several parts of it say."""

from collections.abc import Iterable

from whitehall.games.core.text import Text


def no_station(station: int) -> Text:
    """The board has no station of that number."""
    return Text(f"there is no station {station}", f"il n'y a pas de station {station}")


def no_station_on(board: str, station: int) -> Text:
    """The board of that name has no station of that number."""
    return Text(f"board {board} has no station {station}", f"le plateau {board} n'a pas de station {station}")


def station_twice(station: int) -> Text:
    """A station was named twice that may be named once."""
    return Text(f"station {station} is there twice", f"la station {station} y est deux fois")


def no_field(field: int, fields: int) -> Text:
    """Mr X's log has no field of that number."""
    return Text(
        f"field {field} is none of the log's {fields}", f"la case {field} n'est pas l'une des {fields} de la tablette"
    )


def no_landmark(name: str) -> Text:
    """The game has no landmark of that name."""
    return Text(f"there is no landmark {name!r}", f"il n'y a pas de lieu {name!r}")


def masts_in_order(masts: Iterable[int]) -> Text:
    """An answer of Locate has one word for each mast."""
    listed = ", ".join(map(str, masts))
    return Text(f"must tell of the masts {listed}, in this order", f"doit parler des antennes {listed}, dans cet ordre")


def no_piece(piece: object) -> Text:
    """There is no such piece in the game."""
    return Text(f"there is no piece {piece!r}", f"il n'y a pas de pion {piece!r}")


def without_app(preset: str) -> Text:
    """The app belongs to other presets."""
    return Text(f"preset {preset} plays without the app", f"le préréglage {preset} se joue sans l'application")


def must_be_left_out(why: Text) -> Text:
    """The field has a place in other games only."""
    return Text(f"must be left out: {why.en}", f"à omettre : {why.fr}")


NO_ACTIONS = Text("there are no special actions", "il n'y a pas d'actions spéciales")
NO_APP = Text("must be left out where there is no app", "à omettre s'il n'y a pas d'application")
OWN_HANDS = Text("the detectives of this game have a hand each", "les détectives de cette partie ont chacun leur main")
