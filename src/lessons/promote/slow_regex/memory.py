"""Remembers which patterns are slow: a slow one takes long to try, and one near the limit is judged once."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from itertools import islice

from lessons.store import slow_patterns

# Of this process: pattern -> why it is slow, or nothing.
_verdicts: dict[str, str] = {}
# The homes of those who remember.
_open: list["_Remembered"] = []
# What was read of each home last, for a change and the build after it: size and time of the file, and its verdicts.
_files: dict[str, tuple[object, dict[str, str]]] = {}


class _Remembered:
    """The verdicts of a home, read when the first pattern is asked for, and the patterns that were asked for."""

    def __init__(self, home: str) -> None:
        self.home = home
        self.asked: set[str] = set()
        self._before: dict[str, str] | None = None

    def ask(self, key: str) -> None:
        self.recall()
        self.asked.add(key)

    def recall(self) -> None:
        if self._before is None:
            self._before = _stored(self.home)
            # What was decided first stays decided.
            _verdicts.update(self._before)

    def keep(self) -> None:
        """Writes down what was found meanwhile."""
        before = self._before or {}
        if new := {key: _verdicts[key] for key in self.asked if key in _verdicts and key not in before}:
            slow_patterns.add(self.home, new)


def _stored(home: str) -> dict[str, str]:
    stamp = slow_patterns.stamp(home)
    if home not in _files or _files[home][0] != stamp:
        _files[home] = stamp, slow_patterns.read(home)
    return _files[home][1]


@contextmanager
def remembering(home: str) -> Iterator[None]:
    """What earlier processes found counts; what is found meanwhile is kept for later ones."""
    remembered = _Remembered(home)
    _open.append(remembered)
    try:
        yield
    finally:
        _open.remove(remembered)
        remembered.keep()


def key_of(source: str, flags: int, limit_seconds: float) -> str:
    return sha256(f"{flags} {limit_seconds} {source}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def known(key: str) -> str | None:
    """None if it was not judged yet."""
    for remembered in _open:
        remembered.ask(key)
    return _verdicts.get(key)


def note(key: str, verdict: str) -> None:
    _verdicts[key] = verdict


def recall() -> None:
    """Reads what earlier processes found, for copies of this process."""
    for remembered in _open:
        remembered.recall()


def count() -> int:
    """How many patterns were judged in this process."""
    return len(_verdicts)


def since(count: int) -> dict[str, str]:
    """The verdicts after the first so many."""
    return dict(islice(_verdicts.items(), count, None))


def learn(verdicts: dict[str, str]) -> None:
    """What a copy of this process found."""
    for key, verdict in verdicts.items():
        if known(key) is None:
            note(key, verdict)


def forget_all() -> None:
    """As a new process begins."""
    _verdicts.clear()
    _files.clear()
