"""Changes the state of a lesson in a step that `lessons undo` can revert."""

from lessons.errors import Refused
from lessons.promote import catalog
from lessons.promote.intake.bare_words import anchored
from lessons.promote.intake.identity import new_id
from lessons.promote.promotion.steps import carry_out, deciding
from lessons.store import decisions, lesson_file
from lessons.store.decisions import Decision
from lessons.store.unfinished import Unfinished, state_digest, state_of


def take_step(home: str, lesson: str, step: str, changes: dict[str, object], reason: str) -> Decision:
    """Changes the lesson with this id and records why; refused if the changed lesson would not be accepted."""
    with deciding(home):
        before = lesson_file.read(home).find(lesson)
        after = {**before, **_whole(before, changes)}
        decision = Decision(
            time=decisions.now(),
            id=new_id(),
            action="tended",
            fingerprint="",
            slug=str(before["slug"]),
            lesson=lesson,
            step=step,
            reason=reason,
            digest=state_digest(after),
            before=state_of(before),
        )
        carry_out(home, Unfinished([decision], lesson, state=decision.digest), lambda: _change(home, lesson, changes))
    return decision


def keep(home: str, lesson: str, slug: str, step: str) -> Decision:
    """Records that the user declined this step: the same evidence does not propose it again."""
    decision = Decision(
        time=decisions.now(), id=new_id(), action="kept", fingerprint="", slug=slug, lesson=lesson, step=step
    )
    with deciding(home):
        carry_out(home, Unfinished([decision]), lambda: None)
    return decision


def take_back(home: str, undone: Decision, lines: list[Decision]) -> None:
    """Reverts a step. The caller is `deciding`; refused if the lesson was changed since."""
    record = lesson_file.read(home).find(undone.lesson)
    if state_digest(record) != undone.digest:
        raise Refused(f"{record['slug']} was changed since. Change it with `lessons edit`.")
    plan = Unfinished(lines, undone.lesson, state=state_digest(undone.before))
    carry_out(home, plan, lambda: _put_back(home, undone.lesson, undone.before))


def _put_back(home: str, lesson: str, state: dict[str, object]) -> None:
    """Restores only what differs: a record stays without the keys that a person left out."""
    record = lesson_file.read(home).find(lesson)
    now = state_of(record)
    changes = {key: value for key, value in state.items() if value != now[key]}
    present = record.get("triggers")
    if isinstance(triggers := changes.get("triggers"), dict) and isinstance(present, dict):
        changes["triggers"] = {**dict.fromkeys(present), **triggers}  # objects are merged, so added keys must be named
    for key in ("stage", "stopOnce"):
        if changes.get(key) in ("active", False):
            changes[key] = None
    _change(home, lesson, changes)


def _change(home: str, lesson: str, changes: dict[str, object]) -> None:
    if changes.get("stage") == "retired":
        catalog.retire(home, lesson)  # no rule prevents this
    elif lesson_file.read(home).find(lesson).get("stage") == "retired":
        catalog.restore(home, lesson)
    else:
        catalog.edit(home, lesson, changes)


def _whole(before: dict[str, object], changes: dict[str, object]) -> dict[str, object]:
    changes = anchored(changes)
    triggers, present = changes.get("triggers"), before.get("triggers")
    if isinstance(triggers, dict) and isinstance(present, dict):
        return {**changes, "triggers": {**present, **triggers}}
    return changes
