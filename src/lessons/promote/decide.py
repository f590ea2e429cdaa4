"""Carries out what a person decides about a candidate or a lesson: promote, reject, merge, undo."""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

from lessons import config, paths
from lessons.candidate import WRITTEN, word_for
from lessons.errors import DamagedFile, LessonsError, NotFound, Refused
from lessons.model import lesson_from_document
from lessons.promote import catalog, intake, queue
from lessons.promote.backtest import Report
from lessons.promote.candidate import Candidate
from lessons.promote.draft import (
    Calls,
    Choice,
    Draft,
    added_evidence,
    calls_of,
    make_draft,
    plain,
)
from lessons.promote.intake import new_id
from lessons.promote.publish.build import BuildReport, publish
from lessons.promote.queue import cluster_of, clusters
from lessons.promote.trigger_rules import anchored
from lessons.store import decisions, files, lesson_file, passes, review_notes, settings
from lessons.store.decisions import Decision, Note, evidence_digest, evidence_of, record_digest, state_digest, state_of
from lessons.store.files import locked
from lessons.store.history.history import History
from lessons.store.lesson_file import LessonFile, merged

Result = TypeVar("Result")


@contextmanager
def deciding(home: str) -> Iterator[None]:
    """Locks the decisions; first brings them and the history in line with lessons.json.

    They differ if a process was killed, or a person has edited the file.
    """
    with locked(paths.decisions_file(home)):
        with suppress(DamagedFile):
            if missing := decisions.missing(home):
                decisions.append(home, missing)
        _tell_history(home)
        yield


def settle(home: str) -> None:
    """Brings the decisions and the history in line with lessons.json; only reads if they are, or cannot be written."""
    with suppress(LessonsError, OSError):
        if decisions.missing(home) or _has_other_statuses(home):
            with deciding(home):
                pass


def carry_out(home: str, decided: Sequence[Decision], change: Callable[[], Result]) -> Result:
    """Inside `deciding`: changes lessons.json, writes the decisions, updates the history.

    If killed before the change, nothing has happened. If killed after it, the lesson is the truth, and the next process
    adds what is missing.
    """
    before = files.stamp(paths.lessons_file(home))
    try:
        result = change()
    except LessonsError:
        if files.stamp(paths.lessons_file(home)) != before:
            decisions.append(home, decided)
        raise
    decisions.append(home, decided)
    _tell_history(home)
    return result


def _tell_history(home: str) -> None:
    """Sets the status of the candidates; does nothing if the history is missing, in use or damaged: a scan does it."""
    with suppress(LessonsError):
        if _has_other_statuses(home):
            with History.opened(home) as history:
                decisions.apply(history)


def _has_other_statuses(home: str) -> bool:
    with History.for_reading(home) as history:
        return bool(decisions.changed_statuses(history))


EDIT = "edit"  # the step of a person; those of `lessons tend` have other names


def take_step(home: str, lesson: str, step: str, changes: dict[str, object], reason: str) -> Decision:
    """Changes the lesson with this id and records why; refused if the changed lesson would not be accepted."""
    with deciding(home):
        before = lesson_file.read(home).find(lesson)
        about = _undoable_step(step, before, merged(before, anchored(changes)), changes)
        decision = _decision("tended", "", reason=reason, **about)
        carry_out(home, [decision], lambda: _change(home, lesson, changes))
    return decision


def edit(home: str, name: str, changes: dict[str, object]) -> catalog.Stored:
    """Changes a lesson as a person wants it; `lessons undo` can revert it."""
    before = lesson_file.read(home).find(name)
    stored = catalog.edit(home, str(before["slug"]), changes)
    keys = [key for key in {**before, **stored.record} if before.get(key) != stored.record.get(key)]
    keys = [key for key in keys if key not in ("contentHash", "updatedAt")]
    if keys:
        with deciding(home):
            decisions.append(home, [_decision("tended", "", **_undoable_step(EDIT, before, stored.record, keys))])
    return stored


def _undoable_step(
    step: str, before: dict[str, object], after: dict[str, object], keys: Collection[str]
) -> dict[str, object]:
    """Returns what a decision records of a changed lesson, so that it can be undone."""
    digest, state = state_digest(after, keys), state_of(before, keys)
    return {"slug": str(after["slug"]), "lesson": str(before["id"]), "step": step, "digest": digest, "before": state}


def keep(home: str, lesson: str, slug: str, step: str) -> Decision:
    """Records that the user declined this step: the same evidence does not propose it again."""
    decision = _decision("kept", "", slug=slug, lesson=lesson, step=step)
    with deciding(home):
        decisions.append(home, [decision])
    return decision


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
    _change(home, lesson, changes)


def _change(home: str, lesson: str, changes: dict[str, object]) -> None:
    if changes.get("stage") == "retired":
        catalog.retire(home, lesson)  # no rule prevents this
    elif "stage" in changes and lesson_file.read(home).find(lesson).get("stage") == "retired":
        catalog.restore(home, lesson)
    else:
        catalog.edit(home, lesson, changes)


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


def later_change(home: str, last: Decision | None) -> Change | None:
    """Returns the newest change after this decision that still holds."""
    found = [_noted(home, last.id if last else ""), _added(home, last.time if last else "")]
    return max((each for each in found if each), key=lambda each: (each.time, each.action != ADDED), default=None)


def revert(home: str, change: Change) -> Note:
    """Raises Refused if a lesson that was added has been changed by hand since."""
    for slug in change.slugs:
        if change.action == ADDED:
            catalog.remove(home, slug, _is_as_added)
        else:
            _REVERTED_BY[change.action](home, slug)
    notes = [decisions.record(home, _UNDONE, slug, change.action) for slug in change.slugs]
    return Note(notes[-1].time, _UNDONE, ", ".join(change.slugs), change.action)


def _is_as_added(record: dict[str, object]) -> bool:
    """Whether nobody has changed its texts and triggers by hand; an edit by `lessons edit` is undone before."""
    return record.get("contentHash") == intake.hash_of(lesson_from_document(record))


def _noted(home: str, decision_id: str) -> Change | None:
    records = [each for each in lesson_file.read(home).records if isinstance(each, dict)]
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


def _added(home: str, moment: str) -> Change | None:
    """Returns the lessons that were last added without a candidate; one call of `lessons add` may add several."""
    promoted = {each.id for each in decisions.read(home) if each.action == "promoted"}
    found = [
        (str(each.get("createdAt", "")), str(each.get("slug")))
        for each in lesson_file.read(home).records
        if isinstance(each, dict) and each.get("id") not in promoted and each.get("stage") != "retired"
    ]
    newest = max((created for created, _ in found), default="")
    if newest <= moment:
        return None
    return Change(newest, ADDED, [slug for created, slug in found if created == newest])


_LONGEST_REASON = 300


class Promoted(NamedTuple):
    """The lesson as it now stands in lessons.json."""

    record: dict[str, object]
    warnings: list[str]
    build: BuildReport
    decision: Decision
    report: Report | None  # what it would have done so far; nothing where no call makes it fire


def preview(home: str, candidate: Candidate, choice: Choice, others: Sequence[Candidate] = ()) -> Draft:
    """The lesson as it would be, with its back-test; nothing is stored."""
    known = lesson_file.read(home).lessons()
    with History.for_reading(home) as history:
        return make_draft(history, config.load(home), candidate, choice, known, others)


def promote(home: str, candidate: Candidate, choice: Choice, others: Sequence[Candidate] = ()) -> Promoted:
    """Turn a candidate into a lesson; near duplicates (`others`) are merged into it.

    Refused with sentences where intake refuses, or where the back-test speaks against it and `force` is not set.
    """
    with deciding(home):
        _refuse_decided(home, [candidate, *others])
        known = lesson_file.read(home).lessons()
        with History.for_reading(home) as history:
            candidate, *others = _in_history(history, [candidate, *others])
            made = make_draft(history, config.load(home), candidate, choice, known, others)
        if made.problems or (made.objections and not choice.force):
            raise Refused("\n".join([*made.problems, *([] if choice.force else made.objections)]))
        record = intake.normalise(made.document, lesson_file.read(home).names(), datetime.now(UTC))
        lesson, slug = str(record["id"]), str(record["slug"])
        decision = _decision(
            "promoted",
            candidate.fingerprint,
            id=lesson,
            slug=slug,
            forced=bool(made.objections),
            reason="; ".join(made.objections)[:_LONGEST_REASON],
            digest=record_digest(record),
        )
        taken = [_decision("merged", each.fingerprint, slug=slug, part_of=lesson) for each in others]
        stored = carry_out(home, [decision, *taken], lambda: catalog.add(home, record))
    return Promoted(stored.record, made.warnings, stored.build, decision, made.report)


class Learned(NamedTuple):
    """A candidate that becomes a lesson of its own, or evidence of another one."""

    candidate: Candidate
    document: dict[str, object] | None  # of the new lesson, with its slug
    slug: str


def learn_all(home: str, learned: Sequence[Learned]) -> BuildReport | None:
    """Stores many at once, with one build; leaves out candidates that were decided meanwhile."""
    with deciding(home):
        decided, file = decisions.statuses(home), lesson_file.read(home)
        todo = [each for each in learned if each.candidate.fingerprint not in decided]
        records = {
            each.slug: intake.normalise({**each.document, "fingerprints": [each.candidate.fingerprint]}, file.names())
            for each in todo
            if each.document is not None
        }
        promoted: list[Decision] = []
        lines, changes = _merges(home, file, [each for each in todo if each.document is None], records)
        for each in todo:
            if each.document is not None:
                about = {"slug": each.slug, "id": records[each.slug]["id"], "digest": record_digest(records[each.slug])}
                promoted.append(_decision("promoted", each.candidate.fingerprint, **about))
        lines = [*promoted, *lines]
        if not lines:
            return None
        return carry_out(home, lines, lambda: catalog.change_all(home, list(records.values()), changes))


def _merges(
    home: str, file: LessonFile, merged: Sequence[Learned], records: dict[str, dict[str, object]]
) -> tuple[list[Decision], dict[str, dict[str, object]]]:
    """Adds evidence to new records; returns the decisions, and the changes of stored lessons by their ids."""
    lines: list[Decision] = []
    changes: dict[str, dict[str, object]] = {}
    for each in merged:
        new = records.get(each.slug)
        before = new or file.find(each.slug)
        before = {**before, **changes.get(str(before["id"]), {})}
        added = added_evidence(before, _named_by(home, before), each.candidate, Calls([], []))
        if new is not None:
            new.update(added)
            about: dict[str, object] = {"part_of": new["id"]}
        else:
            changes[str(before["id"])] = added
            after = evidence_digest({**before, **added})
            about = {"lesson": before["id"], "digest": after, "before": evidence_of(before)}
        lines.append(_decision("merged", each.candidate.fingerprint, slug=each.slug, **about))
    return lines, changes


def archive(home: str, fingerprint: str, reason: str) -> Decision:
    """Reject a candidate permanently."""
    return archive_all(home, [fingerprint], reason)[0]


def archive_all(home: str, fingerprints: Sequence[str], reason: str) -> list[Decision]:
    """Reject many for the same reason."""
    from lessons.redact.texts import redacted_start  # its patterns take a while to load

    with deciding(home):
        _refuse_decided(home, fingerprints)
        words = plain(redacted_start(reason, 4 * _LONGEST_REASON), _LONGEST_REASON)
        made = [_decision("archived", name, reason=words) for name in fingerprints]
        carry_out(home, made, lambda: None)
    return made


def merge(home: str, candidate: Candidate, slug: str) -> Decision:
    """Add the evidence of a candidate to an existing lesson."""
    with deciding(home):
        _refuse_decided(home, [candidate])
        with History.for_reading(home) as history:
            _in_history(history, [candidate])
            record = lesson_file.read(home).find(slug)
            changes = added_evidence(record, _named_by(home, record), candidate, calls_of(history, [candidate]))
        after = evidence_digest({**record, **changes})
        decision = _decision(
            "merged",
            candidate.fingerprint,
            slug=str(record["slug"]),
            lesson=str(record["id"]),
            digest=after,
            before=evidence_of(record),
        )
        carry_out(home, [decision], lambda: catalog.edit(home, decision.lesson, changes))
    return decision


def undo(home: str, decision_id: str | None = None) -> Decision | Note:
    """Undo the last change, or the named decision, whose candidate is back in review."""
    if decision_id is None and (change := later_change(home, _last(decisions.read(home)))):
        return revert(home, change)
    with deciding(home):
        everything = decisions.read(home)
        undone = _last(everything) if decision_id is None else _undoable(everything, decision_id)
        if undone is None:
            raise NotFound("Nothing to undo.")
        parts = [each for each in decisions.standing(everything) if each.part_of == undone.id]
        lines = [
            _decision("undone", each.fingerprint, slug=each.slug, undoes=each.id, **_step(each))
            for each in (undone, *reversed(parts))
        ]
        carry_out(home, lines, _reverting(home, undone))
    return lines[0]


def _step(of: Decision) -> dict[str, object]:
    """A step that is undone is part of the history of its lesson."""
    return {"step": of.step, "lesson": of.lesson} if of.step else {}


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
        return lambda: catalog.remove(home, undone.id, lambda now: record_digest(now) == undone.digest)
    record = lesson_file.read(home).find(undone.lesson)
    if evidence_digest(record) != undone.digest:
        raise Refused(f"The evidence of {record['slug']} was changed since. Change it with `lessons edit`.")
    return lambda: _put_back(home, undone)


def _put_back(home: str, undone: Decision) -> None:
    examples = undone.before.get("examples")
    # Objects are merged, and None takes a key away.
    whole = {"fires": None, "quiet": None, **examples} if isinstance(examples, dict) else None
    catalog.edit(home, undone.lesson, {**undone.before, "examples": whole})


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


def _refuse_decided(home: str, candidates: Sequence[Candidate | str]) -> None:
    statuses = decisions.statuses(home)
    for each in candidates:
        fingerprint = each if isinstance(each, str) else each.fingerprint
        if status := statuses.get(fingerprint):
            raise Refused(f"{fingerprint} is already {word_for(status)}: run `lessons undo` to undo that.")


def _in_history(history: History, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Returns those that are still there; raises Refused if the first is not: no lesson without evidence.

    A scan or `lessons forget` may have removed it since the queue was read.
    """
    there = {each.fingerprint for each in history.candidates.named(each.fingerprint for each in candidates)}
    if candidates[0].fingerprint not in there:
        raise Refused(f"{candidates[0].fingerprint} is no longer in the history: run `lessons candidates` again.")
    return [each for each in candidates if each.fingerprint in there]


def _named_by(home: str, record: dict[str, object]) -> list[str]:
    names = record.get("fingerprints")
    if isinstance(names, list):
        return [str(name) for name in names]
    return [name for name, lesson in decisions.lesson_by_fingerprint(home).items() if lesson == record["id"]]


def _decision(action: decisions.Action, fingerprint: str, **about: object) -> Decision:
    about = {"time": decisions.now(), "id": new_id(), "action": action, "fingerprint": fingerprint, **about}
    return Decision(**about)  # type: ignore[arg-type]


def selected(home: str, names: Sequence[str]) -> list[list[Candidate]]:
    """Returns each named candidate, followed by its near duplicates, in the order of the names."""
    settle(home)
    decided = decisions.statuses(home)
    with History.for_reading(home) as history:
        waiting = queue.whole(history, config.load(home))
        wanted = queue.by_name(waiting, decided, _fingerprints(home, names, waiting, decided))
        chosen = [each for each in waiting if each.fingerprint in wanted]
        found = [with_duplicates(each, waiting) for each in chosen]
        queue.put_triggers(history, chosen, [each for _, *alike in found for each in alike])
    return sorted(found, key=lambda each: wanted.index(each[0].fingerprint))


def _fingerprints(
    home: str, names: Sequence[str], waiting: Sequence[Candidate], decided: Mapping[str, str]
) -> list[str]:
    """Replaces numbers of the last list with fingerprints, which never consist of digits only."""
    given = [int(name) for name in names if name.isdecimal()]
    if not given:
        return list(names)
    found = iter(queue.by_number(review_notes.read_listing(home), waiting, decided, given))
    return [next(found) if name.isdecimal() else name for name in names]


def with_duplicates(candidate: Candidate, everyone: Sequence[Candidate]) -> list[Candidate]:
    others = (each for each in cluster_of(candidate, everyone) if each.fingerprint != candidate.fingerprint)
    return [candidate, *others]


def new_tags(home: str, settings: config.Config, new: Collection[str]) -> list[list[Candidate]]:
    """Returns the new tags of the queue that nobody asked for, near duplicates together, because they are one decision.

    The answer to a question about a recovery is tested on the history first, and waits in review.
    """
    with History.for_reading(home) as history:
        waiting = [each.fingerprint for each in queue.whole(history, settings) if each.tier == WRITTEN]
        tags = queue.with_triggers(history, settings, {each for each in waiting if each in new})
    return clusters([tag for tag in tags if not any(each.tool_use_id for each in tag.evidence)])
