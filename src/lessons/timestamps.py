"""Converts the times of state files to seconds since 1970 for comparison, and back."""

from datetime import UTC, datetime


def seconds(text: str) -> float:
    """Returns 0 if it is not a time; one without a zone counts as UTC."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return 0.0


def time_of(moment: datetime) -> str:
    """Returns the time in UTC, to the millisecond."""
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}"[:23] + "Z"
