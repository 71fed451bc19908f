"""Text: a sentence in both languages in which people are answered."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """The same sentence in English and in French. Values are formatted into both where it is made:

    `Text(f"there is no station {number}", f"il n'y a pas de station {number}")`
    """

    en: str
    fr: str

    @classmethod
    def of(cls, words: "Text | str") -> "Text":
        """A name, which is the same in both languages, as a text; a text as it is."""
        return words if isinstance(words, Text) else cls(words, words)

    def at(self, place: "Text | str") -> "Text":
        """The sentence behind the place that it speaks of. (French puts a space before a colon.)"""
        there = Text.of(place)
        return Text(f"{there.en}: {self.en}", f"{there.fr} : {self.fr}")

    def by(self, rule: str) -> "Text":
        """The sentence with the id of the rule behind it that says so."""
        return Text(f"{self.en} ({rule})", f"{self.fr} ({rule})")

    def spoken_in(self, language: str) -> str:
        """The French sentence for `fr`, else the English one."""
        return self.fr if language == "fr" else self.en
