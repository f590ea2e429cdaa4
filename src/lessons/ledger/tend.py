"""Proposes the next steps of the lessons in a data home, and applies one of them."""

import os
import shutil
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from lessons import paths
from lessons.errors import Refused
from lessons.ledger.acts_as import acts_as, is_about_missing
from lessons.ledger.feedback import counts, feedback_on
from lessons.ledger.update import lessons_of
from lessons.model import Lesson
from lessons.opportunity import Opportunity
from lessons.promote.backtest.guard import acts_too_late, least_precision
from lessons.promote.promotion import lifecycle
from lessons.prove.tend.facts import ActsAs, Changes, Facts, Proposal
from lessons.prove.tend.no_match import weeks_between
from lessons.prove.tend.rules import next_step
from lessons.shell.program import program_of
from lessons.store import decisions, faults, lesson_file, person_lines
from lessons.store.decisions import Decision
from lessons.store.history.history import History

LINE = "tend"  # the name of the line that a session start may show
_WEEKS_IN_USE = 4  # since the newest call: otherwise nothing could have matched
_PATTERNS = ("commandPatterns", "pathPatterns", "contentPatterns", "errorPatterns")
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
    return lifecycle.take_step(home, wanted.lesson, wanted.step, wanted.changes, wanted.reason)


def decline(home: str, unwanted: Proposal) -> Decision:
    """Declines the proposal: data so far proposes nothing for this lesson again."""
    return lifecycle.keep(home, unwanted.lesson, unwanted.slug, unwanted.step)


def put_tend_line(history: History) -> None:
    """Prepares the line after a scan. Records a fault in here and does not stop the scan."""
    try:
        note_waiting(history.home, _proposals(history, _today()))
    except Exception as fault:
        faults.record_once(history.home, "tend", faults.describe(fault))


def note_waiting(home: str, found: Sequence[Proposal]) -> None:
    """Stores the line for the next session start; removes it if nothing is pending."""
    number = len(found)
    person_lines.put(home, LINE, f"{waiting(number)}. lessons tend" if number else "", time.time() + _LINE_SECONDS)


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
    found = []
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
            trigger_for=lambda calls, lesson=lesson: _trigger_for(history, lesson, calls),  # type: ignore[misc]
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
    tended = [each for each in everything if each.action == "tended"]
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


def _trigger_for(history: History, lesson: Lesson, missed: Sequence[str]) -> Changes | None:
    """Combines the lesson's own patterns with those for the missed calls; None if they do not fit together."""
    from lessons.promote.queue.proposals import Proposals  # few lessons need another trigger

    found = Proposals(history).for_calls(missed).triggers
    if found is None:
        return None
    present = {key: list(value) for key, value in _patterns(lesson).items()}
    is_alike = found.get("matchOn") == lesson.triggers.match_on or not present.get("commandPatterns")
    keys = [key for key in _PATTERNS if found.get(key) and (is_alike or key == "errorPatterns")]
    if not keys or (set(found) - {*_PATTERNS, "matchOn", "toolNames"} and "errorPatterns" not in keys):
        return None
    triggers: Changes = {}
    for key in keys:
        more = found[key]
        assert isinstance(more, list)
        triggers[key] = list(dict.fromkeys([*present.get(key, ()), *more]))
    return {"triggers": triggers} if triggers != {key: present.get(key) for key in keys} else None


def _patterns(lesson: Lesson) -> dict[str, list[str]]:
    own = lesson.triggers
    return {
        "commandPatterns": own.command_patterns,
        "pathPatterns": own.path_patterns,
        "contentPatterns": own.content_patterns,
        "errorPatterns": own.error_patterns,
    }
