"""Times of transcripts in one form."""

import re
from datetime import UTC, datetime

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)")


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
