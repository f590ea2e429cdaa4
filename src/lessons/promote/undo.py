"""Undoes the last change, whatever it was, or a named decision."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lessons.errors import NotFound, Refused
from lessons.model import lesson_from_document
from lessons.promote import catalog, intake
from lessons.promote.decide import carry_out, change_lesson, deciding, decision_of
from lessons.promote.publish.build import publish
from lessons.store import decisions, lesson_file, passes, settings
from lessons.store.decisions import Decision, Note, evidence_digest, record_digest, state_digest, state_of

ADDED = "added"
_UNDONE = "undone"
# Decision about a lesson or a project -> how to revert it.
_REVERTED_BY: dict[str, Callable[[str, str], object]] = {
    "archived": catalog.restore,
    "unarchived": catalog.retire,
    "muted": passes.unmute,
    "unmuted": lambda home, slug: passes.mute(home, slug, None),
    "trusted": lambda home, root: settings.distrust(home, root) and publish(home),
}


class Change(NamedTuple):
    """A change that is not a decision about a candidate."""

    time: str
    action: str
    slugs: list[str]


def _revert(home: str, change: Change) -> Note:
    """Raises Refused if a lesson that was added has been changed by hand since."""

    def is_as_added(record: dict[str, object]) -> bool:
        """Whether nobody has changed its texts and triggers by hand; an edit by `lessons edit` is undone before."""
        return record.get("contentHash") == intake.hash_of(lesson_from_document(record))

    for slug in change.slugs:
        if change.action == ADDED:
            catalog.remove(home, slug, is_as_added)
        else:
            _REVERTED_BY[change.action](home, slug)
    notes = [decisions.record(home, _UNDONE, slug, change.action) for slug in change.slugs]
    return Note(notes[-1].time, _UNDONE, ", ".join(change.slugs), change.action)


def later_change(home: str, last: Decision | None) -> Change | None:
    """Returns the newest change after this decision that still holds."""
    records = [each for each in lesson_file.read(home).records if isinstance(each, dict)]
    found = [_noted(home, records, last.id if last else ""), _added(home, records, last.time if last else "")]
    return max((each for each in found if each), key=lambda each: (each.time, each.action != ADDED), default=None)


def _noted(home: str, records: Sequence[dict[str, object]], decision_id: str) -> Change | None:
    stages = {str(each.get("slug")): each.get("stage") for each in records}
    retired = {slug for slug, stage in stages.items() if stage == "retired"}
    muted = set(passes.muted(home, time.time()))
    holds = {
        "archived": retired,
        "unarchived": stages.keys() - retired,
        "muted": muted,
        "unmuted": stages.keys() - muted,
        "trusted": set(settings.trusted_projects(home)),
    }
    undone: Counter[tuple[str, str]] = Counter()
    for note in reversed(decisions.notes(home, after=decision_id)):
        if note.decision == _UNDONE:
            undone[note.reason, note.slug] += 1
        elif undone[note.decision, note.slug]:
            undone[note.decision, note.slug] -= 1
        elif note.slug in holds.get(note.decision, ()):
            return Change(note.time, note.decision, [note.slug])
    return None


def _added(home: str, records: Sequence[dict[str, object]], moment: str) -> Change | None:
    """Returns the lessons that were last added without a candidate; one call of `lessons add` may add several."""
    promoted = {each.id for each in decisions.read(home) if each.action == "promoted"}
    # Lessons that were taken over from elsewhere may be older than this home.
    taken = {note.slug: note.time for note in decisions.notes(home) if note.decision == decisions.IMPORTED}
    found = [
        (taken.get(str(each.get("slug")), str(each.get("createdAt", ""))), str(each.get("slug")))
        for each in records
        if each.get("id") not in promoted and each.get("stage") != "retired"
    ]
    newest = max((created for created, _ in found), default="")
    if newest <= moment:
        return None
    return Change(newest, ADDED, [slug for created, slug in found if created == newest])


def undo_change(home: str, decision_id: str | None = None) -> Decision | Note:
    """Undo the last change, or the named decision, whose candidate is back in review."""
    if decision_id is None and (change := later_change(home, _last(decisions.read(home)))):
        return _revert(home, change)
    with deciding(home):
        everything = decisions.read(home)
        undone = _last(everything) if decision_id is None else _undoable(everything, decision_id)
        if undone is None:
            raise NotFound("Nothing to undo.")
        parts = [each for each in decisions.standing(everything) if each.part_of == undone.id]
        lines = []
        for each in (undone, *reversed(parts)):
            # A step that is undone is part of the history of its lesson.
            step: dict[str, object] = {"step": each.step, "lesson": each.lesson} if each.step else {}
            lines.append(decision_of("undone", each.fingerprint, slug=each.slug, undoes=each.id, **step))
        carry_out(home, lines, _reverting(home, undone))
    return lines[0]


def _reverting(home: str, undone: Decision) -> Callable[[], object]:
    """Returns what reverts a decision in lessons.json; raises Refused if the lesson was changed since."""
    if undone.action == "tended":
        record = lesson_file.read(home).find(undone.lesson)
        if state_digest(record, undone.before) != undone.digest:
            raise Refused(f"{record['slug']} was changed since. Change it with `lessons edit`.")
        return lambda: _restore_state(home, undone.lesson, undone.before)
    names = lesson_file.read(home).names()
    if undone.action not in ("promoted", "merged") or (undone.lesson or undone.id) not in names:  # or already removed
        return lambda: None
    if undone.action == "promoted":
        return lambda: catalog.remove(home, undone.id, lambda now: undone.digest in ("", record_digest(now)))
    record = lesson_file.read(home).find(undone.lesson)
    if undone.digest not in ("", evidence_digest(record)):
        raise Refused(f"The evidence of {record['slug']} was changed since. Change it with `lessons edit`.")
    examples = undone.before.get("examples")
    # Objects are merged, and None takes a key away.
    whole = {"fires": None, "quiet": None, **examples} if isinstance(examples, dict) else None
    return lambda: catalog.edit(home, undone.lesson, {**undone.before, "examples": whole})


def _last(everything: Sequence[Decision]) -> Decision | None:
    return next((each for each in reversed(decisions.standing(everything)) if not each.part_of), None)


def _undoable(everything: Sequence[Decision], decision_id: str) -> Decision:
    standing = decisions.standing(everything)
    named = [each for each in everything if each.id.lower().startswith(decision_id.lower()) and decision_id]
    exact = [each for each in named if each.id.lower() == decision_id.lower()]
    found = exact or named
    if len(found) > 1:
        raise Refused(f"{decision_id} matches {len(found)} decisions: write more of the id.")
    if not found:
        raise NotFound(f"No decision {decision_id}. `lessons undo --list` lists them.")
    if found[0].action == "undone" or found[0] not in standing:
        raise Refused(f"{found[0].id} is already undone.")
    if found[0].part_of:
        raise Refused(f"{found[0].id} is a part of {found[0].part_of}: undo that one.")
    return found[0]


def _restore_state(home: str, lesson: str, state: dict[str, object]) -> None:
    """Restores only what differs: a record stays without the keys that a person left out."""
    record = lesson_file.read(home).find(lesson)
    now = state_of(record, state)
    changes = {key: value for key, value in state.items() if value != now[key]}
    for key, value in changes.items():
        if isinstance(value, dict) and isinstance(present := record.get(key), dict):
            changes[key] = {**dict.fromkeys(present), **value}  # objects are merged, so added keys must be named
    for key in ("stage", "stopOnce"):
        if changes.get(key) in ("active", False):
            changes[key] = None
    change_lesson(home, lesson, changes)
