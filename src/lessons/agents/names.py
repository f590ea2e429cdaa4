"""Ids and times of transcripts, safe to store and to look up."""

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
