"""The lessons learned so far that fire on a call, by the code of the hook."""

import os
import sys
from bisect import bisect_left
from collections.abc import Iterable

from lessons.inject.session_start import decide_start, start_of
from lessons.match.call import ToolCall, system_name
from lessons.match.fold import fold
from lessons.match.rule import why_it_fires
from lessons.match.tools import known_names
from lessons.mistakes.past_call import call_of
from lessons.promote.backtest.gates import folded_line, needed_in_errors, needed_in_lines
from lessons.promote.backtest.recorded_state import RecordedState
from lessons.replay.learned import Learned
from lessons.replay.possible_matches import PossibleMatches, looks_at, looks_at_shells
from lessons.store.history.history import History
from lessons.store.history.past_calls import SessionCall

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
        self._commands = PossibleMatches()
        self._errors = PossibleMatches()
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
        possible = self._errors.among(fold(call.error or ""))
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
        size = self._commands.size
        if known != size:
            possible = self._commands.among(folded_line(command), known)
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
