"""`last-listing.json`: the candidates that were shown last, with their numbers."""

from contextlib import suppress
from hashlib import sha256

import msgspec

from lessons import paths
from lessons.errors import LessonsError
from lessons.store import atomic


class Entry(msgspec.Struct, frozen=True):
    """A candidate, and its text when it was shown."""

    fingerprint: str
    words: str  # a digest


class Listing(msgspec.Struct, frozen=True):
    """The whole queue in order, of which a part was shown; the first has the number 1."""

    protocol: bool
    entries: list[Entry]


def entry(fingerprint: str, *words: str) -> Entry:
    return Entry(fingerprint, sha256("\0".join(words).encode("utf-8", "replace")).hexdigest()[:16])


def write(home: str, listing: Listing) -> None:
    """Writes the listing; ignores a read-only home, which can still be listed."""
    with suppress(OSError, LessonsError):
        atomic.write_bytes(paths.listing_file(home), msgspec.json.encode(listing))


def read(home: str) -> Listing | None:
    """Returns None if nothing was shown yet."""
    try:
        with open(paths.listing_file(home), "rb") as file:
            return msgspec.json.decode(file.read(), type=Listing)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
