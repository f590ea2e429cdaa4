"""Keys of what a record adds to the history: the same for every copy of the record."""

from functools import lru_cache
from zlib import crc32

from lessons.store.history.rows import Origin

_BITS_IN_A_MINUTE = 30
_MINUTE_ENDS = 16  # characters of 2026-01-31T10:00


def known_key(key: int, time: str) -> int:
    """The key of a record in the table `known`. Records of about the same time get neighbouring keys.

    Random keys would change a page of the table for nearly every record, and a long history has many pages. `time` is
    empty where copies of a record have other times.
    """
    if not time:
        return key
    return _minute(time[:_MINUTE_ENDS]) << _BITS_IN_A_MINUTE | (key >> 32 ^ key) & (1 << _BITS_IN_A_MINUTE) - 1


@lru_cache(maxsize=512)
def _minute(time: str) -> int:
    """Counts minutes as if every month had 31 days."""
    day = (int(time[:4]) * 12 + int(time[5:7])) * 31 + int(time[8:10])
    return day * 1440 + int(time[11:13]) * 60 + int(time[14:16])


def row_key(origin: Origin, key: int, number: int) -> int:
    """The key of a row; a record without a name of its own is identified by session and position."""
    if not key:
        key = crc32(origin.session_id.encode()) << 32 | crc32(b"%d" % origin.position)
    mixed = (key + number * 0x9E3779B97F4A7C15) & 0xFFFF_FFFF_FFFF_FFFF
    return mixed - (1 << 63)
