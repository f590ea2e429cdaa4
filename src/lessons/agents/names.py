"""Ids, times and paths of transcripts, safe to store and to look up."""

import os
import re
from datetime import UTC, datetime

_LONGEST_ID = 300
_CONTROL = dict.fromkeys((*range(32), 127))
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)")


def plain_id(given: str | None) -> str:
    """Removes control characters, which end a text early for some readers, and cuts; empty stays empty."""
    if not given:
        return ""
    if not given.isprintable():
        given = given.translate(_CONTROL)
    return given if len(given) <= _LONGEST_ID else given[:_LONGEST_ID]


def utc(given: str) -> str:
    """Converts to UTC, because times are compared as texts; empty if it is not a time."""
    if not _TIME.fullmatch(given):
        return ""
    if given[-1] == "Z":
        return given
    try:
        moment = datetime.fromisoformat(given).astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return f"{moment.replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


_ESCAPED_BYTE = re.compile(rb"\\x([0-9a-f]{2})")


def storable_path(path: str) -> str:
    """Returns the path with bytes that are not UTF-8 written as `\\xNN`, which `real_path` finds again."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def real_path(stored: str) -> str:
    """Returns the path of an existing file as the system knows it."""
    if "\\x" not in stored or os.path.lexists(stored):
        return stored
    found = os.fsdecode(_ESCAPED_BYTE.sub(lambda byte: bytes.fromhex(byte[1].decode()), os.fsencode(stored)))
    return found if os.path.lexists(found) else stored
