"""Keeps a lesson joined to the mistakes that it names: counts their new occurrences, and compares these with it.

The hook's own matcher says on which of the calls the lesson fires.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from lessons.candidate import FAILURE, Occurrence, StoredCandidate
from lessons.errors import NotFound, Refused
from lessons.match.rule import Rule, applies
from lessons.model import MOST_SOURCE_SESSIONS, Lesson, Scope, Triggers, document_from_triggers
from lessons.promote.backtest import compiled
from lessons.promote.draft import fires_at_calls, plain
from lessons.promote.matching import RecordedState, asked, verdict_on
from lessons.promote.publish import examples
from lessons.promote.publish.build import publish
from lessons.promote.publish.entry import entry_without_literals
from lessons.store import decisions, lesson_file
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall
from lessons.store.lesson_file import LessonFile

Changes = dict[str, object]
_PATTERNS = ("commandPatterns", "pathPatterns", "contentPatterns", "errorPatterns")


def candidates_of_lessons(history: History) -> dict[str, list[StoredCandidate]]:
    """Returns the candidates that each lesson names, by its id."""
    everyone = [each for status in ("promoted", "merged") for each in history.candidates.with_status(status)]
    lesson_of = lessons_of_candidates(history.home, everyone)
    found: dict[str, list[StoredCandidate]] = {}
    for each in everyone:
        if lesson := lesson_of.get(each.fingerprint):
            found.setdefault(lesson, []).append(each)
    return found


def lessons_of_candidates(home: str, candidates: Iterable[StoredCandidate]) -> dict[str, str]:
    """Returns the id of the lesson that names each of them, by fingerprint; it may use any of their names."""
    named = decisions.lesson_by_fingerprint(home)
    found = ((each.fingerprint, next((named[name] for name in each.names if name in named), "")) for each in candidates)
    return {fingerprint: lesson for fingerprint, lesson in found if lesson}


# New occurrences are counted.


def count_occurrences(history: History) -> None:
    """Raises occurrenceCount and sourceSessionIds of lessons whose mistakes were made again.

    Leaves every other character of lessons.json as it is, and the file alone if there is nothing to count. It is
    published again, because the index knows size and time of the file that it was made from.
    """
    found = candidates_of_lessons(history)
    counts = {lesson: sum(len(each.evidence) for each in candidates) for lesson, candidates in found.items()}
    if not counts or not _raised(lesson_file.read(history.home), counts):
        return
    with lesson_file.change(history.home) as file:
        for lesson, count in _raised(file, counts).items():
            evidence = [each for one in found[lesson] for each in one.evidence]
            known = file.find(lesson).get("sourceSessionIds")
            before = known if isinstance(known, list) else []
            seen = [each.session_id for each in sorted(evidence, key=lambda each: each.time)]
            sessions = list(dict.fromkeys([*before, *seen]))[:MOST_SOURCE_SESSIONS]
            more: Changes = {"sourceSessionIds": sessions} if len(sessions) > len(before) else {}
            file.put_in_text(lesson, {"occurrenceCount": count, **more})
    publish(history.home)


def _raised(file: LessonFile, counts: Mapping[str, int]) -> dict[str, int]:
    """Returns the counts that are higher than in the file; what a person wrote there instead of a number stays."""
    raised = {}
    for lesson, count in counts.items():
        with suppress(NotFound, Refused):  # two records have this id: neither is meant
            present = file.find(lesson).get("occurrenceCount", 0)
            if isinstance(present, int) and count > present:
                raised[lesson] = count
    return raised


# New occurrences are compared with the lesson.


class Compared(NamedTuple):
    """What new occurrences of its mistake say about a lesson."""

    missed: Sequence[PastCall] = ()  # failed calls on which it fires neither before nor after
    caught: int = 0
    alarmed: Sequence[PastCall] = ()  # calls that worked instead, on which it fires
    outdated: str = ""  # why its text is
    revised: Callable[[], Changes | None] = lambda: None  # what would be better, if anything is


def compared(history: History, lesson: Lesson, candidates: Sequence[StoredCandidate], since: str) -> Compared:
    """Compares a lesson with the calls of its mistake that were made since then."""
    failures = [each for each in candidates if each.tier == FAILURE]
    evidence = [each for one in failures for each in one.evidence]
    new = [each for each in evidence if each.time > since]
    if not new:
        return Compared()
    group = _Group(history, evidence, {each.tool_use_id for each in new})
    outdated, words = _new_text(history, lesson, failures)
    fired = group.fired(lesson.triggers, lesson.scope, lesson) if fires_at_calls(lesson) else None
    if fired is None:
        return Compared(outdated=outdated, revised=lambda: words or None)

    def revised() -> Changes | None:
        trigger = _new_trigger(history, lesson, failures, group, fired) if fired.missed or fired.alarmed else None
        return {**(trigger or {}), **words} or None

    return Compared(fired.missed, fired.caught, fired.alarmed, outdated, revised)


class _Fired(NamedTuple):
    """On which calls of a group a trigger fires; missed, caught and alarmed are about new occurrences alone."""

    missed: list[PastCall]
    caught: int
    alarmed: list[PastCall]
    all_caught: int
    all_alarmed: int

    def is_better_than(self, other: "_Fired") -> bool:
        """Whether it answers what is asked of the other, and is worse in nothing."""
        if self.all_caught < other.all_caught or self.all_alarmed > other.all_alarmed:
            return False
        return len(self.missed) < len(other.missed) or len(self.alarmed) < len(other.alarmed)


class _Group:
    """The calls of a mistake, and those that worked instead."""

    def __init__(self, history: History, evidence: Sequence[Occurrence], new: set[str]) -> None:
        self._failed = history.calls.past(each.tool_use_id for each in evidence)
        self._fixed = history.calls.past(each.fix_tool_use_id for each in evidence)
        self._new = new | {each.fix_tool_use_id for each in evidence if each.tool_use_id in new}
        self._state = RecordedState(history)

    def fired(self, triggers: Triggers, scope: Scope, lesson: Lesson) -> _Fired | None:
        """Returns None for a trigger that would not be published. What the history cannot decide does not count."""
        try:
            rule = compiled(triggers, scope, lesson.block or lesson.stop_once).rule
        except Refused:
            return None
        caught, missed = self._divided(rule, self._failed)
        alarmed, _ = self._divided(rule, self._fixed)
        return _Fired(
            [each for each in missed if each.tool_use_id in self._new],
            sum(each.tool_use_id in self._new for each in caught),
            [each for each in alarmed if each.tool_use_id in self._new],
            len(caught),
            len(alarmed),
        )

    def _divided(self, rule: Rule, calls: Sequence[PastCall]) -> tuple[list[PastCall], list[PastCall]]:
        """Returns those on which it fires, and those on which it does not although it is about such calls."""
        fired: list[PastCall] = []
        silent: list[PastCall] = []
        for each in calls:
            verdict = verdict_on(rule, each, self._state(each))
            if verdict.why:
                fired.append(each)
            elif not verdict.is_unknown and applies(rule, asked(each)):
                silent.append(each)
        return fired, silent


def _new_trigger(
    history: History, lesson: Lesson, failures: Sequence[StoredCandidate], group: _Group, fired: _Fired
) -> Changes | None:
    """Returns the lesson's own patterns with more for what they miss, else those that are proposed for its mistake."""
    from lessons.promote.proposals import Proposals  # few lessons need another trigger

    proposals = Proposals(history)
    options = [_extended(lesson, proposals.for_calls(each.tool_use_id for each in fired.missed).triggers)]
    whole = proposals.of(max(failures, key=lambda each: len(each.evidence)))
    if whole.triggers and whole.acts_at != "start":
        options.append((msgspec.convert(whole.triggers, Triggers), whole.scope or lesson.scope))
    best: tuple[_Fired, Changes] | None = None
    for triggers, scope in filter(None, options):
        found = group.fired(triggers, scope, lesson)
        changed = msgspec.structs.replace(lesson, triggers=triggers, scope=scope)
        if (
            found is None
            or not found.is_better_than(fired)
            or examples.failures(changed, entry_without_literals(changed).entry)
        ):
            continue
        if best is None or found.is_better_than(best[0]):
            before, after = document_from_triggers(lesson.triggers), document_from_triggers(triggers)
            # As an edit takes it: objects are merged, None takes a key away.
            changes: Changes = {"triggers": {**dict.fromkeys(before.keys() - after.keys()), **after}}
            best = found, changes if scope == lesson.scope else {**changes, "scope": msgspec.to_builtins(scope)}
    return best[1] if best else None


def _extended(lesson: Lesson, more: Mapping[str, Any] | None) -> tuple[Triggers, Scope] | None:
    """Returns None if the patterns do not fit together."""
    own: dict[str, Any] = msgspec.to_builtins(lesson.triggers)
    if not more or more.keys() - {*_PATTERNS, "matchOn", "toolNames"}:
        return None
    is_alike = more.get("matchOn") == own["matchOn"] or not own["commandPatterns"]
    added = {key: more[key] for key in _PATTERNS if more.get(key) and (is_alike or key == "errorPatterns")}
    together = {key: list(dict.fromkeys([*own[key], *value])) for key, value in added.items()}
    if not together:
        return None
    match_on = {"matchOn": more.get("matchOn")} if is_alike else {}
    return msgspec.convert({**own, **together, **match_on}, Triggers), lesson.scope


def _new_text(history: History, lesson: Lesson, failures: Sequence[StoredCandidate]) -> tuple[str, Changes]:
    """Returns why the lesson's text, if it is still that of its first day, does not hold, and today's text.

    It does not hold if no call that worked was known, or if the one that it names has failed since.
    """
    from lessons.mistakes.group import call_of, describe  # with what hides secrets: few lessons were met again

    for each in failures:
        calls = {one.tool_use_id: one.time <= lesson.created_at for one in each.evidence}
        episodes = history.episodes.with_calls(history.episodes.of_calls(calls).values())
        first = [one for one in episodes if calls[one.failure.tool_use_id]]
        today = each.document
        if not first or lesson.solution == today.solution:
            continue
        diagnoses = history.diagnoses.of([one.failure.tool_use_id for one in first])
        texts = describe(first, {name: found.text for name, found in diagnoses.items()})
        if (plain(texts.problem), plain(texts.solution)) != (lesson.problem, lesson.solution):
            continue  # somebody has changed it
        worked = {call_of(one.fix) for one in first if one.fix}
        failed = {call_of(one.failure) for one in episodes if not calls[one.failure.tool_use_id]}
        why = "no call that worked was known" if not worked else "a call that worked has failed since"
        if today.problem and today.solution and (not worked or worked & failed):
            words = {"summary": today.summary, "problem": today.problem, "solution": today.solution}
            return why, {key: plain(text) for key, text in words.items()}
    return "", {}
