"""Carries out what a person decides about a candidate or a lesson: promote, reject, merge, undo."""

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import NamedTuple, TypeVar

from lessons import config, paths
from lessons.candidate import WRITTEN, word_for
from lessons.errors import LessonsError, Refused
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
from lessons.promote.publish.build import BuildReport
from lessons.promote.queue import clusters, with_duplicates
from lessons.promote.trigger_rules import anchored
from lessons.started_by import agent_around
from lessons.store import decisions, files, lesson_file
from lessons.store.decisions import Decision, evidence_digest, evidence_of, record_digest, state_digest, state_of
from lessons.store.files import locked
from lessons.store.history.history import History
from lessons.store.lesson_file import merged

Result = TypeVar("Result")


@contextmanager
def deciding(home: str) -> Iterator[None]:
    """Locks the decisions; first brings the history in line with lessons.json.

    It differs if a process was killed, or a person has edited the file.
    """
    with locked(paths.decisions_file(home)):
        _tell_history(home)
        yield


def settle(home: str) -> None:
    """Brings the history in line with lessons.json; only reads if it is, or cannot be written."""
    with suppress(LessonsError, OSError):
        if _has_other_statuses(home):
            with deciding(home):
                pass


def carry_out(home: str, decided: Sequence[Decision], change: Callable[[], Result]) -> Result:
    """Inside `deciding`: changes lessons.json, writes the decisions, updates the history.

    If killed before the change, nothing has happened. If killed after it, the lesson is the truth.
    """
    before = files.content(paths.lessons_file(home))
    try:
        result = change()
    except LessonsError:
        if files.content(paths.lessons_file(home)) != before:
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


def author() -> dict[str, object]:
    """Returns the field of a lesson that names the agent that runs this; nothing for the user."""
    agent = agent_around(os.environ)
    return {"writtenBy": agent} if agent else {}


EDIT = "edit"  # the step of a person; those of `lessons tend` have other names


def take_step(home: str, lesson: str, step: str, changes: dict[str, object], reason: str) -> Decision:
    """Changes the lesson with this id and records why; refused if the changed lesson would not be accepted."""
    with deciding(home):
        before = lesson_file.read(home).find(lesson)
        about = _undoable_step(step, before, merged(before, anchored(changes)), changes)
        decision = decision_of("tended", "", reason=reason, **about)
        carry_out(home, [decision], lambda: change_lesson(home, lesson, changes))
    return decision


def edit(home: str, name: str, changes: dict[str, object], typed: Collection[str] = ()) -> catalog.Stored:
    """Changes a lesson as a person wants it; `lessons undo` can revert it."""
    before = lesson_file.read(home).find(name)
    stored = catalog.edit(home, str(before["slug"]), {**changes, **author()}, typed)
    keys = [key for key in {**before, **stored.record} if before.get(key) != stored.record.get(key)]
    keys = [key for key in keys if key not in ("contentHash", "updatedAt")]
    if keys:
        with deciding(home):
            decisions.append(home, [decision_of("tended", "", **_undoable_step(EDIT, before, stored.record, keys))])
    return stored


def _undoable_step(
    step: str, before: dict[str, object], after: dict[str, object], keys: Collection[str]
) -> dict[str, object]:
    """Returns what a decision records of a changed lesson, so that it can be undone."""
    digest, state = state_digest(after, keys), state_of(before, keys)
    return {"slug": str(after["slug"]), "lesson": str(before["id"]), "step": step, "digest": digest, "before": state}


def keep(home: str, lesson: str, slug: str, step: str) -> Decision:
    """Records that the user declined this step: the same evidence does not propose it again."""
    decision = decision_of("kept", "", slug=slug, lesson=lesson, step=step)
    with deciding(home):
        decisions.append(home, [decision])
    return decision


def change_lesson(home: str, lesson: str, changes: dict[str, object]) -> None:
    if changes.get("stage") == "retired":
        catalog.retire(home, lesson)  # no rule prevents this
    elif "stage" in changes and lesson_file.read(home).find(lesson).get("stage") == "retired":
        catalog.restore(home, lesson)
    else:
        catalog.edit(home, lesson, changes)


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
        record = intake.normalise({**made.document, **author()}, lesson_file.read(home).names(), datetime.now(UTC))
        lesson, slug = str(record["id"]), str(record["slug"])
        decision = decision_of(
            "promoted",
            candidate.fingerprint,
            id=lesson,
            slug=slug,
            forced=bool(made.objections),
            reason="; ".join(made.objections)[:_LONGEST_REASON],
            digest=record_digest(record),
        )
        taken = [decision_of("merged", each.fingerprint, slug=slug, part_of=lesson) for each in others]
        stored = carry_out(home, [decision, *taken], lambda: catalog.add(home, record, intake.TEXTS))
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
            each.slug: intake.normalise(
                {**each.document, **author(), "fingerprints": [each.candidate.fingerprint]}, file.names()
            )
            for each in todo
            if each.document is not None
        }
        merges: list[Decision] = []
        changes: dict[str, dict[str, object]] = {}
        for each in todo:
            if each.document is not None:
                continue
            if new := records.get(each.slug):
                new.update(_more_evidence(home, new, each.candidate, Calls([], [])))
                about = {"slug": each.slug, "part_of": new["id"]}
                merges.append(decision_of("merged", each.candidate.fingerprint, **about))
            else:
                before = file.find(each.slug)
                before = {**before, **changes.get(str(before["id"]), {})}
                added = _more_evidence(home, before, each.candidate, Calls([], []))
                changes[str(before["id"])] = added
                merges.append(_merged(before, added, each.candidate))
        promoted = [
            decision_of(
                "promoted", each.candidate.fingerprint, slug=each.slug, id=record["id"], digest=record_digest(record)
            )
            for each in todo
            if each.document is not None and (record := records[each.slug])
        ]
        if not todo:
            return None
        return carry_out(home, [*promoted, *merges], lambda: catalog.change_all(home, list(records.values()), changes))


def _more_evidence(home: str, record: dict[str, object], candidate: Candidate, calls: Calls) -> dict[str, object]:
    names = record.get("fingerprints")
    if not isinstance(names, list):
        named = decisions.lesson_by_fingerprint(home).items()
        names = [name for name, lesson in named if lesson == record["id"]]
    return added_evidence(record, map(str, names), candidate, calls)


def _merged(record: dict[str, object], changes: dict[str, object], candidate: Candidate) -> Decision:
    return decision_of(
        "merged",
        candidate.fingerprint,
        slug=str(record["slug"]),
        lesson=str(record["id"]),
        digest=evidence_digest({**record, **changes}),
        before=evidence_of(record),
    )


def archive(home: str, fingerprints: Collection[str], reason: str) -> list[Decision]:
    """Reject candidates permanently, all for the same reason."""
    from lessons.redact.texts import redacted_start  # its patterns take a while to load

    with deciding(home):
        _refuse_decided(home, fingerprints)
        words = plain(redacted_start(reason, 4 * _LONGEST_REASON), _LONGEST_REASON)
        made = [decision_of("archived", name, reason=words) for name in fingerprints]
        carry_out(home, made, lambda: None)
    return made


def merge(home: str, candidate: Candidate, slug: str) -> Decision:
    """Add the evidence of a candidate to an existing lesson."""
    with deciding(home):
        _refuse_decided(home, [candidate])
        with History.for_reading(home) as history:
            _in_history(history, [candidate])
            record = lesson_file.read(home).find(slug)
            changes = _more_evidence(home, record, candidate, calls_of(history, [candidate]))
        decision = _merged(record, changes, candidate)
        carry_out(home, [decision], lambda: catalog.edit(home, decision.lesson, changes))
    return decision


def _refuse_decided(home: str, candidates: Collection[Candidate | str]) -> None:
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


def decision_of(action: decisions.Action, fingerprint: str, **about: object) -> Decision:
    about = {"time": decisions.now(), "id": new_id(), "action": action, "fingerprint": fingerprint, **about}
    return Decision(**about)  # type: ignore[arg-type]


def selected(home: str, names: Sequence[str], by_index: bool = False) -> list[list[Candidate]]:
    """Returns each named candidate, followed by its near duplicates, in the order of the names.

    A number is that of the list that was shown last; with `by_index` also one of cross-project-candidates.json.
    """
    settle(home)
    decided = decisions.statuses(home)
    with History.for_reading(home) as history:
        waiting = queue.whole(history, config.load(home))
        given = [int(name) for name in names if name.isdecimal()]  # fingerprints never consist of digits only
        numbered = iter(queue.by_number(queue.listings(home, by_index), waiting, decided, given) if given else ())
        fingerprints = [next(numbered) if name.isdecimal() else name for name in names]
        by_fingerprint = {each.fingerprint: each for each in waiting}
        wanted = dict.fromkeys(queue.named(waiting, decided, each) for each in fingerprints)
        found = [with_duplicates(by_fingerprint[each], waiting) for each in wanted]
        queue.put_triggers(history, [first for first, *_ in found], [each for _, *alike in found for each in alike])
    return found


def new_tags(home: str, settings: config.Config, new: Collection[str]) -> list[list[Candidate]]:
    """Returns the new tags of the queue that nobody asked for, near duplicates together, because they are one decision.

    The answer to a question about a recovery is tested on the history first, and waits in review.
    """
    with History.for_reading(home) as history:
        tags = [each for each in queue.whole(history, settings) if each.tier == WRITTEN and each.fingerprint in new]
        queue.put_triggers(history, tags)
    return clusters([tag for tag in tags if not any(each.tool_use_id for each in tag.evidence)])
