"""Runs many lessons against the history in one pass over its calls."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from lessons.match.call import ToolCall
from lessons.match.rule import Rule, applies, why_of_patterns
from lessons.match.state import judge
from lessons.match.tools import known_names
from lessons.model import Lesson
from lessons.promote.backtest.backtest import OK
from lessons.promote.backtest.matching import FAILED, asked, hits
from lessons.promote.backtest.recorded_state import RecordedState
from lessons.promote.backtest.where import Pattern, is_about_commands, needed_runs, reads_arguments
from lessons.promote.publish.entry import entry_without_literals
from lessons.store.history.call_filter import CallFilter, Texts
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall
from lessons.store.published import PublishedLesson, compile_source

_EVERY_CALL = CallFilter([Texts("every call")])
_REMEMBERED_LINES, _REMEMBERED_ERRORS = 10_000, 2_000  # of one tool; each has 4 KB at most
# What may stand inside of a word of a line without being a part of it.
_QUOTING = str.maketrans("", "", "\"'\\$\r\n`^")


class Hit(NamedTuple):
    """One call that a lesson would have fired on."""

    lesson: Lesson
    past: PastCall


class _Compiled(NamedTuple):
    """A lesson, and runs of characters of which each line, or error, that it fires on holds one; none: any."""

    lesson: Lesson
    rule: Rule
    runs: frozenset[str]
    error_runs: frozenset[str]


class _Plan(NamedTuple):
    """The lessons that can fire on calls of one tool: on a line with one of the runs, on any call, on an error."""

    by_run: dict[str, list[_Compiled]]
    always: list[_Compiled]
    on_errors: list[_Compiled]


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
    for past in history.calls.matching(_EVERY_CALL, lambda tool: True):
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
        compiled = (_compiled(each, rule_of(each)) for each in lessons)
        self._lessons = [each for each in compiled if is_ever_certain(each.rule)]
        self._plan_of = cache(self._plan)
        self._lost_before = history.compaction.lost_before()
        self._not_before = {each.lesson.id for each in self._lessons if reads_arguments(each.rule)}

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
    """Which of the lessons fire on calls of one tool. The same lines and errors come again and again."""

    def __init__(self, tool: str, meant: list[_Compiled]) -> None:
        self._tool = tool
        self._is_shell = known_names(tool)[0] == "Bash"
        self._plan = _plan(meant, self._is_shell)
        self._before = lru_cache(maxsize=_REMEMBERED_LINES)(self._on_line)
        self._after = lru_cache(maxsize=_REMEMBERED_ERRORS)(self._on_error)

    def fired(self, past: PastCall, state: RecordedState) -> list[_Compiled]:
        """Before the call runs, or right after it failed."""
        before = self._before(past.command)
        after = self._after(past.error) if past.outcome == FAILED and past.error else []
        if not before and not after:
            return []
        call = _Lazy(past, state)
        found = [each for each, is_decided in before if call.fires(each.rule, is_decided)]
        call.is_failed = True
        return found + [each for each, is_decided in after if each not in found and call.fires(each.rule, is_decided)]

    def _on_line(self, line: str) -> list[_Possible]:
        """Those that may fire before a call with this line runs."""
        call = ToolCall(self._tool, {"command": line})
        return _narrowed(call, _possible(self._plan, line), self._is_shell and bool(line), is_about_commands)

    def _on_error(self, error: str) -> list[_Possible]:
        """Those that may fire on the error."""
        call = ToolCall(self._tool, {}, error=error)
        return _narrowed(call, _possible_on_error(self._plan, error), True, lambda rule: True)


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


def _compiled(lesson: Lesson, rule: Rule) -> _Compiled:
    return _Compiled(lesson, rule, _runs(rule.command), _runs(rule.error))


def _runs(patterns: Sequence[Pattern]) -> frozenset[str]:
    """One of them is in every text that one of the patterns matches; none where any text may match."""
    runs = [needed_runs(pattern) for pattern in patterns]
    return frozenset(run.lower() for each in runs for run in each) if all(runs) else frozenset()


def _plan(meant: list[_Compiled], is_shell: bool) -> _Plan:
    plan = _Plan({}, [], [each for each in meant if each.rule.error])
    for each in meant:
        if is_shell and each.rule.command and each.runs and not (each.rule.tools and each.rule.path):
            for run in each.runs:
                plan.by_run.setdefault(run, []).append(each)
        elif _can_fire_before(each.rule, is_shell):
            plan.always.append(each)
    return plan


def _can_fire_before(rule: Rule, is_shell: bool) -> bool:
    """Whether a call of this kind can make it fire before it runs."""
    if rule.session_start:
        return False
    if rule.tools:
        return bool(rule.command or rule.path or rule.content) or not rule.error
    return bool(rule.command) if is_shell else bool(rule.path or rule.content)


def _possible(plan: _Plan, line: str) -> list[_Compiled]:
    """Those that may fire before the call runs."""
    if not line or not plan.by_run:
        return plan.always
    if not line.isascii():  # letters that only look like others count as the same where case is ignored
        named = [each for several in plan.by_run.values() for each in several]
    else:
        bare = line.translate(_QUOTING).lower()
        named = [each for run, several in plan.by_run.items() if run in bare for each in several]
    once = {each.lesson.slug: each for each in named}
    return [*plan.always, *once.values()]


def _possible_on_error(plan: _Plan, error: str) -> list[_Compiled]:
    """Those that may fire on the error: most patterns name words that few errors have."""
    if not error.isascii():  # as above
        return plan.on_errors
    text = error.lower()
    return [each for each in plan.on_errors if not each.error_runs or any(run in text for run in each.error_runs)]


def _is_meant(rule: Rule, tool: str) -> bool:
    return not rule.tools or any(name in rule.tools for name in known_names(tool))
