"""Runs many lessons against the history in one pass over its calls."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from lessons.match.call import ToolCall
from lessons.match.rule import Rule, applies, why_of_patterns
from lessons.match.state import judge
from lessons.match.tools import known_names
from lessons.model import Lesson
from lessons.promote.backtest.backtest import OK
from lessons.promote.backtest.gates import Gates, folded_error, folded_line, needed_in_errors, needed_in_lines
from lessons.promote.backtest.matching import FAILED, asked, hits
from lessons.promote.backtest.recorded_state import RecordedState
from lessons.promote.backtest.where import is_about_commands, reads_arguments
from lessons.promote.publish.entry import entry_without_literals
from lessons.store.history.call_filter import CallFilter, Texts
from lessons.store.history.history import History
from lessons.store.history.past_calls import FailedText, PastCall
from lessons.store.published import PublishedLesson, compile_source

_EVERY_CALL = CallFilter([Texts("every call")])
_REMEMBERED_LINES, _REMEMBERED_ERRORS = 10_000, 2_000  # of one tool; each has 4 KB at most


class Hit(NamedTuple):
    """One call that a lesson would have fired on."""

    lesson: Lesson
    past: PastCall


class _Compiled(NamedTuple):
    lesson: Lesson
    rule: Rule


class _Possible(NamedTuple):
    """A lesson that may fire on a call."""

    each: _Compiled
    is_decided: bool  # its patterns match: only the surroundings of the call are left to be looked at


def rule_of(lesson: Lesson) -> Rule:
    """The rule of a lesson whose patterns are known to be harmless: they are not probed."""
    return PublishedLesson(lesson.slug, entry_without_literals(lesson).entry, compile_source).rule


def hits_of_all(history: History, lessons: Sequence[Lesson]) -> Iterator[Hit]:
    """The calls that failed or succeeded, with each lesson that would have fired on them.

    Every single lesson fires here on the same calls as in a back-test of its own.
    """
    matcher = Matcher(history, lessons)
    for _, past in history.calls.matching_rows(_EVERY_CALL, []):
        if past.outcome in (FAILED, OK):
            yield from (Hit(lesson, past) for lesson in matcher.fired(past))


def good_hits(history: History, rule: Rule) -> Iterator[PastCall]:
    """The calls that a lesson would have disturbed: they went well, and do not look like a failure."""
    since = history.compaction.lost_before() if reads_arguments(rule) else ""
    return (past for past in hits(history, rule, since, outcome=OK) if not past.suspicious)


def is_ever_certain(rule: Rule) -> bool:
    """The history knows no file that was absent: what asks for one fires on no call for certain."""
    return "absent" not in rule.state


class Matcher:
    """Many lessons, and which of them would have fired on a call."""

    def __init__(
        self, history: History, lessons: Sequence[Lesson], rule_of: Callable[[Lesson], Rule] = rule_of
    ) -> None:
        """`rule_of` for lessons whose patterns may be slow or wrong."""
        self._state = RecordedState(history)
        compiled = (_Compiled(each, rule_of(each)) for each in lessons)
        self._lessons = [each for each in compiled if is_ever_certain(each.rule)]
        self._plan_of = cache(self._plan)
        self._lost_before = history.compaction.lost_before()
        self._not_before = {each.lesson.id for each in self._lessons if reads_arguments(each.rule)}

    def possible(self, failed: Sequence[FailedText]) -> list[int]:
        """Returns the numbers of the failed calls on which any of them may fire; the more at once, the quicker."""
        by_tool: dict[str, list[FailedText]] = {}
        for call in failed:
            by_tool.setdefault(call[1], []).append(call)
        return [number for tool, calls in by_tool.items() for number in self._plan_of(tool).possible(calls)]

    def fired(self, past: PastCall) -> list[Lesson]:
        """Before the call runs, or right after it failed."""
        found = [each.lesson for each in self._plan_of(past.tool).fired(past, self._state)]
        if past.time >= self._lost_before:
            return found
        # Good calls may have lost their arguments, failed ones have them still: to count these alone would be wrong.
        return [each for each in found if each.id not in self._not_before]

    def _plan(self, tool: str) -> "_Tool":
        return _Tool(tool, [each for each in self._lessons if _is_meant(each.rule, tool)])


class _Tool:
    """Which of the lessons fire on calls of one tool."""

    def __init__(self, tool: str, meant: list[_Compiled]) -> None:
        self._tool = tool
        self._is_shell = known_names(tool)[0] == "Bash"
        self._meant = meant
        self._before = _Remembered(self._gates_of_lines(), folded_line, self._on_line, _REMEMBERED_LINES)
        self._after = _Remembered(self._gates_of_errors(), folded_error, self._on_error, _REMEMBERED_ERRORS)

    def possible(self, failed: Sequence[FailedText]) -> Iterator[int]:
        self._before.look_at({command for _, _, command, _ in failed})
        self._after.look_at({error for _, _, _, error in failed if error})
        for number, _, command, error in failed:
            if self._before.of(command) or (error and self._after.of(error)):
                yield number

    def fired(self, past: PastCall, state: RecordedState) -> list[_Compiled]:
        """Before the call runs, or right after it failed."""
        before = self._before.of(past.command)
        after = self._after.of(past.error) if past.outcome == FAILED and past.error else []
        if not before and not after:
            return []
        call = _Lazy(past, state)
        found = [each for each, is_decided in before if call.fires(each.rule, is_decided)]
        call.is_failed = True
        return found + [each for each, is_decided in after if each not in found and call.fires(each.rule, is_decided)]

    def _gates_of_lines(self) -> Gates:
        gates = Gates()
        for number, (_, rule) in enumerate(self._meant):
            if self._is_shell and rule.command and not (rule.tools and rule.path):
                gates.add(number, needed_in_lines(rule))
            elif _can_fire_before(rule, self._is_shell):
                gates.add(number, [])
        return gates

    def _gates_of_errors(self) -> Gates:
        gates = Gates()
        for number, (_, rule) in enumerate(self._meant):
            if rule.error:
                gates.add(number, needed_in_errors(rule))
        return gates

    def _on_line(self, line: str, possible: list[int]) -> list[_Possible]:
        """Those that may fire before a call with this line runs."""
        call = ToolCall(self._tool, {"command": line})
        is_text = self._is_shell and bool(line)
        return _narrowed(call, [self._meant[each] for each in possible], is_text, is_about_commands)

    def _on_error(self, error: str, possible: list[int]) -> list[_Possible]:
        """Those that may fire on the error."""
        call = ToolCall(self._tool, {}, error=error)
        return _narrowed(call, [self._meant[each] for each in possible], True, lambda rule: True)


class _Remembered:
    """What was found out about a text: the same lines and errors come again and again."""

    def __init__(
        self, gates: Gates, folded: Callable[[str], str], find: Callable[[str, list[int]], list[_Possible]], most: int
    ) -> None:
        self._gates, self._folded, self._find, self._most = gates, folded, find, most
        self._known: dict[str, list[_Possible]] = {}

    def look_at(self, texts: set[str]) -> None:
        """Looks at new texts together: most literals are in none of them."""
        if len(self._known) + len(texts) > self._most:
            self._known.clear()
        new = [text for text in texts if text not in self._known]
        folded = [self._folded(text) for text in new]
        gates = self._gates.within(folded) if len(new) > 1 else self._gates
        for text, plain in zip(new, folded, strict=True):
            possible = gates.possible(plain)
            self._known[text] = self._find(text, possible) if possible else []

    def of(self, text: str) -> list[_Possible]:
        if text not in self._known:
            self.look_at({text})
        return self._known[text]


class _Lazy:
    """A past call that is made only if a lesson asks for more than its line or its error."""

    def __init__(self, past: PastCall, state: RecordedState) -> None:
        self._past, self._state = past, state
        self.is_failed = False
        self._call: ToolCall | None = None

    def fires(self, rule: Rule, is_decided: bool) -> bool:
        if is_decided and not (rule.when or rule.projects):
            return True
        call = self._call = self._call or asked(self._past)
        if is_decided:
            return applies(rule, call)
        call.error = self._past.error.replace("\r\n", "\n") if self.is_failed else None
        if rule.has_state:
            call.probe = self._state(self._past)
        return judge(rule, call, only_certain=True).why is not None


def _narrowed(
    call: ToolCall, possible: Sequence[_Compiled], is_text: bool, tells_all: Callable[[Rule], bool]
) -> list[_Possible]:
    """Without those whose patterns do not match, where nothing but the text of the call can make them."""
    found = []
    for each in possible:
        is_decided = is_text and not each.rule.has_state and tells_all(each.rule)
        if not is_decided or why_of_patterns(each.rule, call):
            found.append(_Possible(each, is_decided))
    return found


def _can_fire_before(rule: Rule, is_shell: bool) -> bool:
    """Whether a call of this kind can make it fire before it runs."""
    if rule.session_start:
        return False
    if rule.tools:
        return bool(rule.command or rule.path or rule.content) or not rule.error
    return bool(rule.command) if is_shell else bool(rule.path or rule.content)


def _is_meant(rule: Rule, tool: str) -> bool:
    return not rule.tools or any(name in rule.tools for name in known_names(tool))
