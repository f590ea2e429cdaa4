"""Feedback about lessons, and what to do next about each of them."""

import os
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from lessons import paths
from lessons.candidate import StoredCandidate
from lessons.errors import Refused
from lessons.model import Lesson
from lessons.opportunity import Opportunity
from lessons.promote import decide
from lessons.promote.backtest_report import acts_too_late, least_precision
from lessons.promote.draft import plain
from lessons.promote.joined import candidates_of_lessons, compared
from lessons.prove.next_step import (
    ActsAs,
    Facts,
    Occurrences,
    Proposal,
    acts_as,
    is_about_missing,
    next_step,
    weeks_between,
)
from lessons.prove.opportunities import lessons_of
from lessons.shell.describe import program_of
from lessons.store import decisions, lesson_file, logs, session_start_files
from lessons.store.decisions import Decision, Note
from lessons.store.history.history import History

_LONGEST_REASON = 300
_OF_AGENT = "agent-"  # prefix for the verdict of an agent


def record_feedback(home: str, slug: str, verdict: str, why: str = "") -> Note:
    """Returns the recorded line; removes secrets from the reason."""
    return _recorded(home, slug, verdict, why)


def record_agents_feedback(home: str, slug: str, verdict: str, agent: str, why: str = "") -> Note:
    """Records an agent's feedback: shown to the user, and never counted as the user's own."""
    return _recorded(home, slug, verdict, f"{agent}: {why}" if why else agent, _OF_AGENT)


def _recorded(home: str, slug: str, verdict: str, why: str, of: str = "") -> Note:
    if verdict not in ("good", "bad"):
        raise Refused(f"{verdict} is not a verdict: write good or bad.")
    from lessons.redact.texts import redacted_start  # its patterns take a while to load

    reason = plain(redacted_start(why, 4 * _LONGEST_REASON), _LONGEST_REASON)
    return decisions.record(home, f"{of}{verdict}", slug, reason)


def agents_feedback_on(home: str, slug: str) -> Counter[str]:
    """Counts how many agents called the lesson good, and how many bad."""
    found = [note.decision for note in decisions.notes(home) if note.slug == slug]
    return Counter(each.removeprefix(_OF_AGENT) for each in found if each.startswith(_OF_AGENT))


def feedback_on(home: str) -> dict[str, list[Note]]:
    """Returns feedback by slug, oldest first."""
    found: dict[str, list[Note]] = {}
    for note in decisions.notes(home):
        if note.decision in ("good", "bad"):
            found.setdefault(note.slug, []).append(note)
    return found


def counts(notes: list[Note], since: str = "") -> Counter[str]:
    """Counts good and bad feedback."""
    return Counter(note.decision for note in notes if note.time >= since)


LINE = "tend"  # the name of the line that a session start may show
_WEEKS_IN_USE = 4  # since the newest call: otherwise nothing could have matched
_EFFECTS: dict[ActsAs, Literal["hint", "stopOnce", "block"]] = {"hint": "hint", "stop": "stopOnce", "block": "block"}
_LINE_SECONDS = 30 * 86_400


def proposals(home: str, now: str = "") -> list[Proposal]:
    """Returns proposals by slug, for your own lessons only: those of a project are changed in the project."""
    if not os.path.exists(paths.history_file(home)):
        return []
    with History.for_reading(home) as history:
        return _proposals(history, now or _today())


def carry_out(home: str, wanted: Proposal) -> Decision:
    """Applies the step; refuses if only the user can change the lesson."""
    if wanted.changes is None:
        raise Refused(f"{wanted.slug} needs a trigger that you write: run `lessons edit {wanted.slug}`.")
    return decide.take_step(home, wanted.lesson, wanted.step, wanted.changes, wanted.reason)


def decline(home: str, unwanted: Proposal) -> Decision:
    """Declines the proposal: data so far proposes nothing for this lesson again."""
    return decide.keep(home, unwanted.lesson, unwanted.slug, unwanted.step)


def put_tend_line(history: History) -> None:
    """Prepares the line after a scan. Records a fault in here and does not stop the scan."""
    try:
        note_waiting(history.home, _proposals(history, _today()))
    except Exception as fault:
        logs.record_fault_once(history.home, "tend", logs.describe_fault(fault))


def note_waiting(home: str, found: Sequence[Proposal]) -> None:
    """Stores the line for the next session start; removes it if nothing is pending."""
    number = len(found)
    session_start_files.put_person_line(
        home, LINE, f"{waiting(number)}. lessons tend" if number else "", time.time() + _LINE_SECONDS
    )


def waiting(number: int) -> str:
    return f"What {number} lesson{'' if number == 1 else 's'} did suggests a change"


def _today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _proposals(history: History, now: str) -> list[Proposal]:
    home = history.home
    rows: dict[str, list[Opportunity]] = {}
    for each in history.ledger.opportunities():
        rows.setdefault(each.lesson, []).append(each)
    own = lesson_file.read(home).names()
    weeks = weeks_between(history.ledger.newest_call(), now)
    is_in_use = weeks is not None and weeks < _WEEKS_IN_USE
    since, all_feedback = _last_steps(home), feedback_on(home)
    joined, found = candidates_of_lessons(history), []
    for lesson in lessons_of(home):
        if lesson.id not in own or lesson.stage == "retired":
            continue
        begin = max(lesson.created_at, since.get(lesson.id, ""))
        feedback = counts(all_feedback.get(lesson.slug, []), begin)
        facts = Facts(
            lesson=lesson,
            acts_as=(acts := acts_as(lesson)),
            rows=[each for each in rows.get(lesson.id, ()) if each.time >= begin],
            since=begin,
            now=now,
            is_in_use=is_in_use,
            can_stop=_can_stop(lesson),
            least_precision=least_precision(_EFFECTS[acts]),
            programs_gone=_programs_gone(lesson),
            good=feedback["good"],
            bad=feedback["bad"],
            occurrences=_occurrences(history, lesson, joined.get(lesson.id, ()), begin),
        )
        if step := next_step(facts):
            found.append(step)
    return sorted(found, key=lambda each: each.slug)


def _can_stop(lesson: Lesson) -> bool:
    return not is_about_missing(lesson) and not acts_too_late("stopOnce", lesson.triggers)


def _last_steps(home: str) -> dict[str, str]:
    """Returns when each lesson last made a step (including undone ones), or the user declined one."""
    everything = decisions.read(home)
    undone = {each.undoes for each in everything if each.undoes}
    tended = [each for each in everything if each.action == "tended" and each.step != decide.EDIT]
    refused = [each for each in everything if each.action == "kept" and each.id not in undone]
    lessons = {each.id: each.lesson for each in (*tended, *refused)}
    named = [(lessons.get(each.id) or lessons.get(each.undoes), each.time) for each in everything]
    return {lesson: at for lesson, at in sorted(named, key=lambda each: each[1]) if lesson}


def _programs_gone(lesson: Lesson) -> tuple[str, ...]:
    """Returns the programs of its examples if none is installed; nothing if a missing program is its subject."""
    fires = lesson.examples.fires if lesson.examples else []
    programs = {program_of(each)[0] for each in fires if isinstance(each, str)} - {""}
    if is_about_missing(lesson) or not programs or any(map(shutil.which, programs)):
        return ()
    return tuple(sorted(programs))


def _occurrences(history: History, lesson: Lesson, candidates: Sequence[StoredCandidate], since: str) -> Occurrences:
    found = compared(history, lesson, candidates, since)
    return Occurrences(
        missed=[each.tool_use_id for each in found.missed],
        sessions=len({each.session_id for each in found.missed}),
        caught=found.caught,
        alarmed=[each.tool_use_id for each in found.alarmed],
        outdated=found.outdated,
        revised=found.revised,
    )
