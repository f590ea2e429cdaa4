"""A regex in, a sentence about the text on which it is too slow (or nothing) out."""
# Placeholder so that others can import it: the author of this module replaces this file as a whole.

import re
import signal


class _TooSlow(Exception):
    pass


def _ring(number: int, frame: object) -> None:
    raise _TooSlow


def find_danger(source: str, flags: int, limit_seconds: float = 0.05) -> str | None:
    pattern = re.compile(source, flags)
    before = signal.signal(signal.SIGVTALRM, _ring)
    try:
        for text in ("a" * 40 + "!", " " * 3000 + "!", "a " * 1000 + "!", "/a" * 1000 + "!"):
            signal.setitimer(signal.ITIMER_VIRTUAL, limit_seconds)
            try:
                pattern.search(text)
            except _TooSlow:
                return f"it took too long on {text[:20]!r}… of {len(text)} characters."
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return None


def find_dangers(patterns: list[tuple[str, int]]) -> list[str | None]:
    return [find_danger(source, flags) for source, flags in patterns]
