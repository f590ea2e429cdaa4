"""The weekly line for the user."""

from lessons.prove.tally import Tally


def weekly_line(week: Tally) -> str:
    """Returns an empty string if lessons neither prevented nor hindered anything."""
    if not week.prevented and not week.wrong:
        return ""
    return f"This week: {_many(week.prevented, 'repeat')} prevented, {_many(week.wrong, 'false alarm')}. lessons stats"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
