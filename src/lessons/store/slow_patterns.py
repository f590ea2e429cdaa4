"""The file `slow-patterns.json`: which patterns were found to be slow or fast, so that each is tested once."""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress

import msgspec

from lessons import __version__, paths
from lessons.errors import LessonsError
from lessons.store import atomic
from lessons.store.lock import locked

# More than a user has; the oldest ones are tested again when needed.
_MOST_VERDICTS = 50_000
_WAIT_SECONDS = 2.0


def stamp(home: str) -> object:
    """Another one whenever the file is written; None if it is missing."""
    return atomic.stamp(paths.slow_patterns_file(home))


def read(home: str) -> dict[str, str]:
    """Returns the key of each pattern -> why it is slow, or empty; ignores results of another version or Python."""
    try:
        with open(paths.slow_patterns_file(home), "rb") as file:
            document = msgspec.json.decode(file.read())
    except (OSError, ValueError, RecursionError):  # msgspec raises ValueErrors
        return {}
    if not isinstance(document, dict) or document.get("foundBy") != _finder():
        return {}
    verdicts = document.get("verdicts")
    found = verdicts.items() if isinstance(verdicts, dict) else ()
    return {key: verdict for key, verdict in found if isinstance(verdict, str)}


def add(home: str, verdicts: Mapping[str, str]) -> None:
    """Adds new ones; keeps existing ones unchanged. A home that is not writable only costs time."""
    if not os.path.isdir(home):
        return
    with suppress(OSError, LessonsError), locked(paths.slow_patterns_file(home), _WAIT_SECONDS):
        together = {**verdicts, **read(home)}
        kept = dict(list(together.items())[:_MOST_VERDICTS])
        document = {"foundBy": _finder(), "verdicts": kept}
        atomic.write_bytes(paths.slow_patterns_file(home), msgspec.json.encode(document) + b"\n")


def remove(home: str) -> None:
    """Deletes the file: a reason quotes the beginning of a pattern."""
    with suppress(FileNotFoundError):
        os.unlink(paths.slow_patterns_file(home))


def _finder() -> str:
    return f"lessons {__version__}, Python {sys.version.split()[0]}"
