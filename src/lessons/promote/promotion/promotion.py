"""Carries out what a person decides about a candidate: promote, reject, merge, undo."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from lessons import config
from lessons.candidate import word_for
from lessons.errors import NotFound, Refused
from lessons.promote import catalog
from lessons.promote.backtest.backtest import Report
from lessons.promote.backtest.guard import Effect
from lessons.promote.intake import intake, rivals
from lessons.promote.intake.identity import new_id
from lessons.promote.promotion import lifecycle
from lessons.promote.promotion.draft import Choice, Draft, draft, error_choice, triggers_for
from lessons.promote.promotion.evidence import added_evidence, calls_of
from lessons.promote.promotion.later_changes import later_change
from lessons.promote.promotion.steps import carry_out, deciding, settle
from lessons.promote.promotion.text import plain
from lessons.promote.publish.publish import BuildReport
from lessons.promote.queue.candidate import Candidate, is_gone
from lessons.promote.slow_regex.memory import remembering
from lessons.store import decisions, lesson_file
from lessons.store.decisions import Decision
from lessons.store.history.history import History
from lessons.store.unfinished import Unfinished, evidence_digest, evidence_of, record_digest

__all__ = [
    "Choice",
    "Decision",
    "Draft",
    "Effect",
    "Promoted",
    "archive",
    "decided",
    "draft",
    "error_choice",
    "merge",
    "preview",
    "promote",
    "settle",
    "triggers_for",
    "undo",
]
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
    known = rivals.read(home)
    with remembering(home), History.for_reading(home) as history:
        return draft(history, config.load(home), candidate, choice, known, others)


def promote(home: str, candidate: Candidate, choice: Choice, others: Sequence[Candidate] = ()) -> Promoted:
    """Turn a candidate into a lesson; near duplicates (`others`) are merged into it.

    Refused with sentences where intake refuses, or where the back-test speaks against it and `force` is not set.
    """
    with deciding(home):
        _refuse_decided(home, [candidate, *others])
        _refuse_gone(candidate)
        others = [each for each in others if not is_gone(each)]
        known = rivals.read(home)
        with remembering(home), History.for_reading(home) as history:
            made = draft(history, config.load(home), candidate, choice, known, others)
        if made.problems or (made.objections and not choice.force):
            raise Refused("\n".join([*made.problems, *([] if choice.force else made.objections)]))
        record = intake.normalise(made.document, _names(home), datetime.now(UTC))
        lesson, slug = str(record["id"]), str(record["slug"])
        decision = Decision(
            time=decisions.now(),
            id=lesson,
            action="promoted",
            fingerprint=candidate.fingerprint,
            slug=slug,
            forced=bool(made.objections),
            reason="; ".join(made.objections)[:_LONGEST_REASON],
            digest=record_digest(record),
        )
        taken = [_decision("merged", each.fingerprint, slug=slug, part_of=lesson) for each in others]
        plan = Unfinished([decision, *taken], lesson, evidence_digest(record))
        stored = carry_out(home, plan, lambda: catalog.add(home, record))
    return Promoted(stored.record, made.warnings, stored.build, decision, made.report)


def archive(home: str, fingerprint: str, reason: str) -> Decision:
    """Reject a candidate permanently."""
    from lessons.redact.texts import redacted_start  # its patterns take a while to load

    with deciding(home):
        _refuse_decided(home, [fingerprint])
        decision = _decision(
            "archived", fingerprint, reason=plain(redacted_start(reason, 4 * _LONGEST_REASON), _LONGEST_REASON)
        )
        carry_out(home, Unfinished([decision]), lambda: None)
    return decision


def merge(home: str, candidate: Candidate, slug: str) -> Decision:
    """Add the evidence of a candidate to an existing lesson."""
    with deciding(home):
        _refuse_decided(home, [candidate])
        _refuse_gone(candidate)
        record = lesson_file.read(home).find(slug)
        with History.for_reading(home) as history:
            changes = added_evidence(record, candidate, calls_of(history, [candidate]))
        after = evidence_digest({**record, **changes})
        decision = _decision(
            "merged",
            candidate.fingerprint,
            slug=str(record["slug"]),
            lesson=str(record["id"]),
            digest=after,
            before=evidence_of(record),
        )
        plan = Unfinished([decision], decision.lesson, after)
        carry_out(home, plan, lambda: catalog.edit(home, decision.lesson, changes))
    return decision


def undo(home: str, decision_id: str | None = None) -> Decision:
    """Undo the last decision, or the named one; the candidate is back in review.

    Without a name, refused if something else was done since: the user may mean that.
    """
    with deciding(home):
        everything = decisions.read(home)
        undone = _last_undoable(home, everything) if decision_id is None else _undoable(everything, decision_id)
        parts = [each for each in decisions.standing(everything) if each.part_of == undone.id]
        lines = [
            _decision("undone", each.fingerprint, slug=each.slug, undoes=each.id, **_step(each))
            for each in (undone, *reversed(parts))
        ]
        if undone.action == "tended":
            lifecycle.take_back(home, undone, lines)
        elif undone.action == "promoted":
            _take_out(home, undone, lines)
        elif undone.action == "merged" and undone.lesson:
            _take_evidence_off(home, undone, lines)
        else:
            carry_out(home, Unfinished(lines), lambda: None)
    return lines[0]


def _step(of: Decision) -> dict[str, object]:
    """A step that is undone is part of the history of its lesson."""
    return {"step": of.step, "lesson": of.lesson} if of.step else {}


def decided(home: str) -> list[Decision]:
    """Every decision about a candidate, the oldest first."""
    return decisions.read(home)


def _take_out(home: str, undone: Decision, lines: list[Decision]) -> None:
    plan = Unfinished(lines, undone.id)
    if undone.id not in _names(home):  # somebody has removed it already
        carry_out(home, plan, lambda: None)
        return
    carry_out(home, plan, lambda: catalog.remove(home, undone.id, lambda now: record_digest(now) == undone.digest))


def _take_evidence_off(home: str, undone: Decision, lines: list[Decision]) -> None:
    if undone.lesson not in _names(home):
        carry_out(home, Unfinished(lines), lambda: None)
        return
    record = lesson_file.read(home).find(undone.lesson)
    if evidence_digest(record) != undone.digest:
        raise Refused(f"The evidence of {record['slug']} was changed since. Change it with `lessons edit`.")
    plan = Unfinished(lines, undone.lesson, evidence_digest(undone.before))
    carry_out(home, plan, lambda: _put_back(home, undone))


def _put_back(home: str, undone: Decision) -> None:
    examples = undone.before.get("examples")
    # Objects are merged, and None takes a key away.
    whole = {"fires": None, "quiet": None, **examples} if isinstance(examples, dict) else None
    catalog.edit(home, undone.lesson, {**undone.before, "examples": whole})


def _last_undoable(home: str, everything: Sequence[Decision]) -> Decision:
    last = next((each for each in reversed(decisions.standing(everything)) if not each.part_of), None)
    since = later_change(home, last)
    if last is None:
        raise NotFound(f"Nothing to undo: no decision about a candidate is left. {since}".strip())
    if since:
        what = f"{last.step or word_for(last.action)} {last.slug or last.fingerprint}".strip()
        raise Refused(
            f"The last decision that can be undone is {last.id} ({what}, {last.time}). {since}"
            f" Run `lessons undo {last.id}` to undo the decision."
        )
    return last


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


def _refuse_gone(candidate: Candidate) -> None:
    """A scan or `lessons forget` may have removed it since the queue was read: no lesson without evidence."""
    if is_gone(candidate):
        raise Refused(f"{candidate.fingerprint} is no longer in the history: run `lessons candidates` again.")


def _names(home: str) -> frozenset[str]:
    return frozenset(lesson_file.read(home).names())


def _decision(action: decisions.Action, fingerprint: str, **about: object) -> Decision:
    about = {"time": decisions.now(), "id": new_id(), "action": action, "fingerprint": fingerprint, **about}
    return Decision(**about)  # type: ignore[arg-type]
