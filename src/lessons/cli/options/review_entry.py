"""The options that give the fields of a review or a retrospective."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from lessons.code_review import RESOLUTIONS, SEVERITIES, Origin, ReviewEntry

Command = TypeVar("Command", bound=Callable[..., Any])

_TEXTS = {
    "title": "What was reviewed.",
    "date": "YYYY-MM-DD.  [default: today]",
    "source": "Who reviewed, such as sonarcloud+alice.  [default: manual]",
}
_LISTS = {
    "pattern": ("patterns", "What was found, in a few words."),
    "learning": ("learnings", "What was learned, 20 to 300 characters."),
    "automation-candidate": ("automation_candidates", "Retrospective: what a rule could find."),
    "skill": ("skills_to_update", "Retrospective: which skill to update."),
    "process": ("process_improvements", "Retrospective: what to do differently."),
}
_NUMBERS = {
    "pr": "The number of the pull request.",
    **{name: f"How many were {name}." for name in (*RESOLUTIONS, *SEVERITIES)},
    "total": "How many were found.",
    "rounds": "Retrospective: rounds of review.",
    "total-items": "Retrospective: how many were found.",
    "churn-chains": "Retrospective: fixes that had to be fixed again.",
}


def entry_options(command: Command) -> Command:
    """Adds all these options, and --retro."""
    for name, what in reversed(_NUMBERS.items()):
        command = click.option(f"--{name}", type=click.IntRange(min=0), metavar="N", help=what)(command)
    for name, (field, what) in reversed(_LISTS.items()):
        command = click.option(f"--{name}", field, multiple=True, metavar="TEXT", help=f"{what} May be repeated.")(
            command
        )
    for name, what in reversed(_TEXTS.items()):
        command = click.option(f"--{name}", metavar="TEXT", help=what)(command)
    return click.option("--retro", is_flag=True, help="A retrospective of a pull request.")(command)


def entry_from_options(given: dict[str, object], today: str) -> ReviewEntry:
    """Returns the entry that the given options describe."""
    from lessons.errors import Refused
    from lessons.reviews.entry import SHORTEST_LEARNING, cleaned, new_key

    fields = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
    is_retro = bool(fields.pop("retro", False))
    if is_retro and "pr" not in fields:
        raise Refused("A retrospective is about a pull request: give its number with --pr.")
    foreign = sorted(fields.keys() & (_OF_REVIEWS if is_retro else _OF_RETROSPECTIVES))
    if foreign:
        kind = "retrospective" if is_retro else "review"
        raise Refused(
            f"A {kind} has no {foreign[0].replace('_', ' ')}: leave that out{'' if is_retro else ' or add --retro'}."
        )
    if "date" in fields and not _is_date(str(fields["date"])):
        raise Refused(f"--date {fields['date']!r} is not a date: write YYYY-MM-DD.")
    for text in given.get("learnings", ()):  # type: ignore[attr-defined]
        if len(text) < SHORTEST_LEARNING:
            raise Refused(f"--learning {text!r} has fewer than {SHORTEST_LEARNING} characters: write a sentence.")
    fields.setdefault("date", today)
    identifier = {"id": f"retro-{fields['pr']}", "type": "retrospective"} if is_retro else {"id": 0}
    origin = Origin(key=new_key("manual"))
    return cleaned(ReviewEntry(**identifier, origin=origin, **fields))  # type: ignore[arg-type]


def _is_date(text: str) -> bool:
    from datetime import date

    try:
        date.fromisoformat(text)
        return len(text) == len("2026-01-31")
    except ValueError:
        return False


_OF_REVIEWS = {"title", "source", "patterns", *SEVERITIES, "total"}
_OF_RETROSPECTIVES = {
    *("rounds", "total_items", "churn_chains", "automation_candidates", "skills_to_update", "process_improvements")
}
