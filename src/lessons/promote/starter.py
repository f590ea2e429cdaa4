"""The starter pack: lessons about common mistakes of agents, and what the user decided about them."""

import json
from collections.abc import Iterable
from importlib import resources

from lessons.store import decisions, lesson_file

# Decisions of `lessons init`. Lessons that the user adds by hand have none.
_ACCEPTED, _DECLINED = "starterAccepted", "starterDeclined"


def pack() -> list[dict[str, object]]:
    text = resources.files("lessons.promote").joinpath("starter.json").read_text(encoding="utf-8")
    records: list[dict[str, object]] = json.loads(text)["lessons"]
    return records


def missing(home: str) -> list[dict[str, object]]:
    """Returns the records that are not in lessons.json in any stage: a retired one is not offered again."""
    names = lesson_file.read(home).names()
    return [record for record in pack() if record["slug"] not in names]


def undecided(home: str) -> list[dict[str, object]]:
    """Returns the missing records that the user has not declined."""
    declined = _noted(home, _DECLINED)
    return [record for record in missing(home) if record["slug"] not in declined]


def accept(home: str, slugs: Iterable[str]) -> None:
    for slug in slugs:
        decisions.record(home, _ACCEPTED, slug)


def decline(home: str, slugs: Iterable[str]) -> None:
    """Makes sure that they are not offered again, unless the user asks for the whole pack."""
    for slug in slugs:
        decisions.record(home, _DECLINED, slug)


def accepted(home: str) -> set[str]:
    return _noted(home, _ACCEPTED)


def _noted(home: str, decision: str) -> set[str]:
    return {note.slug for note in decisions.notes(home) if note.decision == decision}
