"""Which lessons of the hook index each gram, tool or kind of text leads to, updated from build to build."""

import marshal
from collections.abc import Mapping

Keys = Mapping[str, tuple[int, ...] | None]
_TOOL = "tool:"


class Postings:
    """The numbers of lessons; the number of a removed lesson is used for the next one added."""

    def __init__(self) -> None:
        self.grams: dict[str, dict[int, list[int]]] = {}  # kind of text -> gram -> lessons
        self.always: dict[str, list[int]] = {}  # kind of text -> lessons to check with any text
        self.tools: dict[str, list[int]] = {}
        self.session_start: list[int] = []
        self.frequency: dict[int, int] = {}  # how many lessons each gram could find
        self.numbers = 0  # every number is below this
        self._free: list[int] = []

    def add(self, keys: Keys, session_start: bool) -> int:
        """Returns the number of the lesson."""
        if self._free:
            number = self._free.pop()
        else:
            number = self.numbers
            self.numbers += 1
        for kind, grams in keys.items():
            if grams is None:
                self._unconditional(kind).append(number)
                continue
            by_gram = self.grams.setdefault(kind, {})
            for gram in grams:
                by_gram.setdefault(gram, []).append(number)
        if session_start:
            self.session_start.append(number)
        return number

    def remove(self, number: int, keys: Keys, session_start: bool) -> None:
        for kind, grams in keys.items():
            if grams is None:
                self._unconditional(kind).remove(number)
                continue
            by_gram = self.grams[kind]
            for gram in grams:
                by_gram[gram].remove(number)
                if not by_gram[gram]:
                    del by_gram[gram]
        if session_start:
            self.session_start.remove(number)
        self._free.append(number)

    def _unconditional(self, kind: str) -> list[int]:
        if kind.startswith(_TOOL):
            return self.tools.setdefault(kind.removeprefix(_TOOL), [])
        return self.always.setdefault(kind, [])

    def to_bytes(self) -> bytes:
        return marshal.dumps(
            (self.grams, self.always, self.tools, self.session_start, self.frequency, self.numbers, self._free)
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> "Postings":
        """Reads data whose checksum was verified."""
        found = cls()
        (
            found.grams,
            found.always,
            found.tools,
            found.session_start,
            found.frequency,
            found.numbers,
            found._free,
        ) = marshal.loads(data)
        return found
