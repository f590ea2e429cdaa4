"""What the last list of candidates showed, and which candidates the user skipped: two facts of the history."""

import os
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from typing import TypeVar

import msgspec

from lessons import paths
from lessons.errors import LessonsError
from lessons.store.history.history import History

Kind = TypeVar("Kind")
_LISTING, _SKIPPED = "lastListing", "skipped"


class Entry(msgspec.Struct, frozen=True):
    """A candidate, and its text when it was shown."""

    fingerprint: str
    words: str  # a digest


class Listing(msgspec.Struct, frozen=True):
    """The whole queue in order, of which a part was shown; the first has the number 1."""

    entries: list[Entry]


def entry(fingerprint: str, *words: str) -> Entry:
    return Entry(fingerprint, sha256("\0".join(words).encode("utf-8", "replace")).hexdigest()[:16])


def write_listing(home: str, listing: Listing) -> None:
    """Stores the listing; ignores a read-only home, which can still be listed."""
    if os.path.exists(paths.history_file(home)):
        with suppress(LessonsError), History.opened(home) as history:
            history.put_fact(_LISTING, msgspec.json.encode(listing).decode())


def read_listing(home: str) -> Listing | None:
    """Returns None if nothing was shown yet."""
    return _fact(home, _LISTING, Listing)


def skipped(home: str) -> dict[str, str]:
    """Returns fingerprint -> time; they come last the next time."""
    return _fact(home, _SKIPPED, dict[str, str]) or {}


def skip(home: str, fingerprints: Collection[str]) -> None:
    _change(home, dict.fromkeys(fingerprints, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"), ())


def unskip(home: str, fingerprints: Collection[str]) -> None:
    """Puts them back in their own place."""
    if not skipped(home).keys().isdisjoint(fingerprints):
        _change(home, {}, fingerprints)


def _change(home: str, added: dict[str, str], removed: Collection[str]) -> None:
    with History.opened(home) as history, history.transaction():
        entries = {mark: when for mark, when in skipped(home).items() if mark not in removed}
        history.put_fact(_SKIPPED, msgspec.json.encode({**entries, **added}).decode())


def _fact(home: str, name: str, kind: type[Kind]) -> Kind | None:
    try:
        with History.for_reading(home) as history:
            return msgspec.json.decode(history.fact(name), type=kind)
    except (LessonsError, msgspec.MsgspecError):
        return None
