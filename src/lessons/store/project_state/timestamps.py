"""Converts the times of state files to seconds since 1970, so that they can be compared, and back."""

from datetime import UTC, datetime


def seconds(text: str) -> float:
    """0 where it is no time; one without a zone counts as UTC."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def time_of(moment: datetime) -> str:
    """To the millisecond, in UTC."""
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}"[:23] + "Z"
