"""Finds changes after the last decision that can be undone, so that `lessons undo` never undoes that one instead."""

import time

from lessons.store import decisions, lesson_file, passes
from lessons.store.decisions import Decision

# Decisions about a lesson -> what was done, and the verb that reverts it.
_REVERTED_BY = {
    "archived": ("{} was retired", "`lessons unarchive {}` brings it back"),
    "muted": ("{} was muted", "`lessons unmute {}` ends that"),
    "starterAccepted": ("the starter lesson {} was added", "`lessons archive {}` retires it"),
    "starterDeclined": ("the starter lesson {} was declined", "`lessons add --starter` offers it"),
}


def later_change(home: str, last: Decision | None) -> str:
    """Returns what was done after this decision and how to revert that; empty if nothing was."""
    holds = _holding(home)
    for note in reversed(decisions.notes_after(home, last.id if last else "")):
        if note.slug in holds.get(note.decision, ()):
            done, remedy = (words.format(note.slug) for words in _REVERTED_BY[note.decision])
            return f"After that, {done}: {remedy}." if last else f"Last, {done}: {remedy}."
    added = _added_after(home, last.time) if last else ""
    return f"After that, {added} was added: `lessons archive {added}` retires it." if added else ""


def _holding(home: str) -> dict[str, set[str]]:
    """Returns the lessons about which each decision still holds: others were reverted or are gone."""
    records = [each for each in lesson_file.read(home).records if isinstance(each, dict)]
    stages = {str(each.get("slug")): each.get("stage") for each in records}
    retired = {slug for slug, stage in stages.items() if stage == "retired"}
    notes = decisions.notes(home)
    return {
        "archived": retired,
        "muted": set(passes.muted(home, time.time())),
        "starterAccepted": stages.keys() - retired,
        "starterDeclined": {note.slug for note in notes if note.decision == "starterDeclined"} - stages.keys(),
    }


def _added_after(home: str, moment: str) -> str:
    """Returns the slug of the newest lesson that was added since without a candidate; empty if there is none."""
    promoted = {each.id for each in decisions.read(home) if each.action == "promoted"}
    records = [each for each in lesson_file.read(home).records if isinstance(each, dict)]
    found = [
        (str(each.get("createdAt", "")), str(each.get("slug")))
        for each in records
        if str(each.get("createdAt", "")) > moment and each.get("id") not in promoted and each.get("stage") != "retired"
    ]
    return max(found, default=("", ""))[1]
