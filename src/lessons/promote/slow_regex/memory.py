"""Remembers which patterns are slow: a slow one takes long to try, and one near the limit is judged once."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from lessons.store import slow_patterns

# Of this process: pattern -> why it is slow, or nothing.
_verdicts: dict[str, str] = {}
# What was asked for while somebody remembers.
_asked: list[set[str]] = []


@contextmanager
def remembering(home: str) -> Iterator[None]:
    """What earlier processes found counts; what is found meanwhile is kept for later ones."""
    before = slow_patterns.read(home)
    # What was decided first stays decided.
    _verdicts.update(before)
    asked: set[str] = set()
    _asked.append(asked)
    try:
        yield
    finally:
        _asked[:] = [each for each in _asked if each is not asked]
        if new := {key: _verdicts[key] for key in asked if key in _verdicts and key not in before}:
            slow_patterns.add(home, new)


def key_of(source: str, flags: int, limit_seconds: float) -> str:
    return sha256(f"{flags} {limit_seconds} {source}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def known(key: str) -> str | None:
    """None if it was not judged yet."""
    for asked in _asked:
        asked.add(key)
    return _verdicts.get(key)


def note(key: str, verdict: str) -> None:
    _verdicts[key] = verdict


def forget_all() -> None:
    """As a new process begins."""
    _verdicts.clear()
