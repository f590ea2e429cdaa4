"""What the lessons learned so far would have done in a session, by the code of the hook."""

import os
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from lessons.config import Config
from lessons.inject.session_start import decide_start, start_of
from lessons.match.call import ToolCall, fold, system_name
from lessons.match.rule import Rule, conditions_hold, in_project
from lessons.match.time_limit import judge, why_it_fires
from lessons.match.tools import canonical_name, known_names
from lessons.mistakes.good_calls import call_of
from lessons.model import Lesson
from lessons.promote.many_lessons import Gates, folded_line, needed_in_errors, needed_in_lines
from lessons.promote.matching import RecordedState
from lessons.promote.publish.build import published_entry
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall
from lessons.store.published import PublishedLesson, compile_source

if TYPE_CHECKING:
    from lessons.replay.learner import Refusal
    from lessons.replay.replay import Repeat

_SHELL = "Bash"


def looks_at_shells(rule: Rule) -> bool:
    """Whether it can fire on a shell line before that runs."""
    is_meant = not rule.tools or any(canonical_name(name) == _SHELL for name in rule.tools)
    return is_meant and not rule.session_start and (bool(rule.command) or bool(rule.tools and not rule.error))


def looks_at(rule: Rule, names: Sequence[str]) -> bool:
    """Whether it can fire on a tool with these names, other than a shell, before it runs."""
    if rule.session_start:
        return False
    if rule.tools:
        return any(name in rule.tools for name in names)
    return bool(rule.path or rule.content)


class Learned(NamedTuple):
    """An active lesson."""

    lesson: PublishedLesson
    pattern: Rule  # its trigger without conditions on place and state of the machine
    calls: frozenset[str]  # the failed calls that it was learned from

    @property
    def is_note(self) -> bool:
        """Whether it is shown at session start."""
        return self.lesson.rule.session_start

    def is_meant(self, call: ToolCall) -> bool:
        """Whether it applies to the call's place and agent."""
        rule = self.lesson.rule
        return conditions_hold(rule.when, call) and in_project(rule.projects, call.cwd)

    def acts_on(self, call: ToolCall) -> bool | None:
        """Whether it acts on a call that its pattern fires on; None: the history has too little about the state."""
        if not self.is_meant(call):
            return False
        if not self.lesson.rule.has_state:
            return True
        verdict = judge(self.lesson.rule, call)
        return True if verdict.why else None if verdict.is_unknown else False


def learned_from(lesson: Lesson, settings: Config, calls: Iterable[str]) -> Learned | None:
    """Returns None if publishing excludes the lesson."""
    published, reason = published_entry(lesson, settings)
    return None if reason else learned_entry(lesson.id, published.entry, calls)


def learned_entry(identifier: str, entry: dict[str, object], calls: Iterable[str]) -> Learned:
    """Builds the same from an entry of the manifest."""
    pattern = PublishedLesson(identifier, entry, compile_source).rule
    pattern.when, pattern.state, pattern.folder, pattern.projects = {}, {}, (), ()
    return Learned(PublishedLesson(identifier, entry, compile_source), pattern, frozenset(calls))


_MOST_LINES = 50_000
_STARTUP = start_of("startup")


class ActingLessons:
    """Lessons are only ever added: those of an earlier time are the first `upto` ones."""

    def __init__(self, history: History, budget: int) -> None:
        self._history = history
        self._state = RecordedState(history)
        self._has_state = False  # whether any lesson needs it
        self._budget = budget
        self.lessons: list[Learned] = []
        self._commands = Gates()
        self._errors = Gates()
        self._notes: list[int] = []
        self._of_tool: dict[str, list[int]] = {}  # for tools other than shells
        self._lines: dict[tuple[str, str], tuple[int, list[int]]] = {}  # how many lessons were checked, which fire
        self._shown: dict[tuple[str, str, str, str, int], frozenset[int]] = {}

    def add(self, learned: Iterable[Learned]) -> None:
        for each in learned:
            number, rule = len(self.lessons), each.pattern
            self.lessons.append(each)
            self._has_state = self._has_state or each.lesson.rule.has_state
            if each.is_note:
                self._notes.append(number)
            if looks_at_shells(rule):
                self._commands.add(number, needed_in_lines(rule))
            if rule.error:
                self._errors.add(number, needed_in_errors(rule))
            for tool, numbers in self._of_tool.items():
                if looks_at(rule, known_names(tool)):
                    numbers.append(number)

    def before(self, call: SessionCall, upto: int) -> list[int]:
        """Returns lessons whose pattern fires before the call runs, wherever it is made."""
        numbers = self._of_line(call.tool, call.command) if call.command else self._of_other(call)
        return [number for number in numbers if number < upto]

    def after(self, call: ToolCall, upto: int) -> list[int]:
        """Returns lessons whose pattern fires on the error of the call, wherever it was made."""
        possible = self._errors.possible(fold(call.error or ""))
        return [number for number in possible if number < upto and self._fires(number, call)]

    def at_start(self, call: SessionCall, upto: int) -> frozenset[int]:
        """Returns the notes shown to a session that starts in the surroundings of this call."""
        notes = self._notes[: bisect_left(self._notes, upto)]
        key = (call.cwd, call.project, call.agent, call.model, len(notes))
        if key not in self._shown:
            by_lesson = {self.lessons[number].lesson: number for number in notes}
            decision = decide_start(_STARTUP, self.asked(call), list(by_lesson), _is_muted, self._budget, "")
            self._shown[key] = frozenset(by_lesson[lesson] for lesson, what, _ in decision.events if what == "hint")
        return self._shown[key]

    def asked(self, call: SessionCall) -> ToolCall:
        """Returns the call before it runs: its place, its agent, and what is known of the machine's state."""
        made = asked(call)
        made.probe = self._state(call) if self._has_state else None
        return made

    def whole(self, call: SessionCall, with_error: bool = False) -> ToolCall:
        """Returns the call with everything in the history; for a shell call without its error, the line is enough."""
        made = self.asked(call)
        if call.command and not with_error:
            return made
        for row in self._history.calls.named([call.tool_use_id]):
            found = call_of(row)
            found.error = found.error if with_error else None
            found.agent_id, found.operating_system, found.shell = made.agent_id, made.operating_system, made.shell
            found.probe = made.probe
            return found
        return made

    def _of_line(self, tool: str, command: str) -> list[int]:
        """Checks each line once, and again only for lessons added since: most lines are run repeatedly."""
        known, found = self._lines.get((tool, command), (0, []))
        size = len(self.lessons)
        if known != size:
            possible = [each for each in self._commands.possible(folded_line(command)) if each >= known]
            if possible:
                call = ToolCall(tool, {"command": command})
                found = [*found, *(number for number in possible if self._fires(number, call))]
            if len(self._lines) >= _MOST_LINES:
                self._lines.clear()
            self._lines[tool, command] = (size, found)
        return found

    def _of_other(self, call: SessionCall) -> list[int]:
        if call.tool not in self._of_tool:
            names = known_names(call.tool)
            numbers = [number for number, each in enumerate(self.lessons) if looks_at(each.pattern, names)]
            self._of_tool[call.tool] = numbers
        if not self._of_tool[call.tool]:
            return []
        made = self.whole(call)
        return [number for number in self._of_tool[call.tool] if self._fires(number, made)]

    def _fires(self, number: int, call: ToolCall) -> bool:
        return why_it_fires(self.lessons[number].pattern, call) is not None


def asked(call: SessionCall) -> ToolCall:
    """Returns the call with its place and agent; assumes that it was on this machine."""
    return ToolCall(
        call.tool,
        {"command": call.command},
        agent=call.agent,
        model=call.model,
        cwd=call.cwd,
        agent_id=call.agent_id,
        operating_system=system_name(sys.platform),
        shell=os.environ.get("SHELL", "").replace("\\", "/").rpartition("/")[2],
    )


def _is_muted(slug: str) -> bool:
    return False


CaughtAt = Literal["call", "start", "error", "missed"]
Why = Literal["", "no trigger", "refused", "scope", "trigger too narrow", "learned too late", "state unknown"]
OK = "ok"


class Outcome(NamedTuple):
    """When a lesson would have caught a repeated mistake, or why it was missed."""

    repeat: "Repeat"
    call: SessionCall
    moment: CaughtAt
    why: Why = ""


class Replayed(NamedTuple):
    """What would have happened in one session."""

    outcomes: list[Outcome]
    good_calls: int
    false_alarms: int
    alarms: int  # calls at which a lesson fires before they run, whatever their outcome


class Begun(NamedTuple):
    """The state when a session started."""

    lessons: int  # the number of lessons
    refused: "Mapping[str, Refusal]" = MappingProxyType({})  # by mistake, why it led to no lesson


class SessionJudge:
    """`lessons_about` has for a mistake the numbers of the lessons learned from it."""

    def __init__(self, acting: ActingLessons, lessons_about: Mapping[str, Sequence[int]]) -> None:
        self._acting = acting
        self._lessons_about = lessons_about

    def judge(self, calls: Sequence[SessionCall], repeats: "Sequence[Repeat]", begun: Begun) -> Replayed:
        repeated = {each.tool_use_id: each for each in repeats}
        counts: Counter[str] = Counter()
        outcomes = []
        for call in calls:
            fires = self._fires(call, begun.lessons)
            counts["alarms"] += fires
            # A call that looks like a failure hidden by a pipe is not a good call.
            if call.outcome == OK and not call.suspicious:
                counts["good"] += 1
                counts["false"] += fires
            if repeat := repeated.get(call.tool_use_id):
                outcomes.append(Outcome(repeat, call, "call") if fires else self._later(repeat, call, calls[0], begun))
        return Replayed(outcomes, counts["good"], counts["false"], counts["alarms"])

    def _fires(self, call: SessionCall, upto: int) -> bool:
        numbers = self._acting.before(call, upto)
        return bool(numbers) and self._any_acts(numbers, self._acting.whole(call))

    def _any_acts(self, numbers: Sequence[int], call: ToolCall) -> bool:
        return any(self._acting.lessons[number].acts_on(call) for number in numbers)

    def _later(self, repeat: "Repeat", call: SessionCall, first: SessionCall, begun: Begun) -> Outcome:
        """Returns the outcome: noted at the start, caught at the error, or missed."""
        upto = begun.lessons
        about = [number for number in self._lessons_about.get(repeat.mistake, ()) if number < upto]
        # A subagent does not see what its session was shown at the start.
        if not call.agent_id and not self._acting.at_start(first, upto).isdisjoint(about):
            return Outcome(repeat, call, "start")
        failed = self._acting.whole(call, with_error=True)
        numbers = self._acting.after(failed, upto) if failed.error else []
        if self._any_acts(numbers, failed):
            return Outcome(repeat, call, "error")
        if about:
            return Outcome(repeat, call, "missed", self._why(call, failed, about, upto, numbers))
        refused = begun.refused.get(repeat.mistake) if repeat.is_learnable else None
        return Outcome(repeat, call, "missed", refused or "learned too late")

    def _why(
        self, call: SessionCall, failed: ToolCall, about: Sequence[int], upto: int, at_error: Sequence[int]
    ) -> Why:
        """Returns the reason for the lesson about this mistake that came closest."""
        lessons, here = self._acting.lessons, self._acting.whole(call)
        fired = [(lessons[number], here) for number in self._acting.before(call, upto) if number in about]
        fired += [(lessons[number], failed) for number in at_error if number in about]
        if any(lesson.acts_on(seen) is None for lesson, seen in fired):
            return "state unknown"
        if fired:
            return "scope"
        if any(not lessons[number].is_note for number in about):
            return "trigger too narrow"
        notes = [lessons[number] for number in about if lessons[number].is_meant(here)]
        if any(note.lesson.rule.has_state for note in notes):
            return "state unknown"
        return "no trigger" if notes else "scope"
