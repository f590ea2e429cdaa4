"""Finds changes after the last decision that can be undone, so that `lessons undo` never undoes that one instead."""

from lessons.store import decisions, lesson_file
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
    latest = {note.slug: note.decision for note in decisions.notes_after(home, last.id if last else "")}
    for slug, decision in reversed(latest.items()):
        if decision in _REVERTED_BY:
            done, remedy = (words.format(slug) for words in _REVERTED_BY[decision])
            return f"After that, {done}: {remedy}." if last else f"{done[0].upper()}{done[1:]}: {remedy}."
    added = _added_after(home, last.time) if last else ""
    return f"After that, {added} was added: `lessons archive {added}` retires it." if added else ""


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
