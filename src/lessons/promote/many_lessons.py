"""Runs many lessons against the history in one pass over its calls."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from lessons.match.call import ToolCall, fold
from lessons.match.rule import Rule, applies, why_of_patterns
from lessons.match.time_limit import judge, time_limit
from lessons.match.tools import known_names
from lessons.model import Lesson
from lessons.promote.backtest import OK
from lessons.promote.matching import (
    FAILED,
    RecordedState,
    all_needed_runs,
    asked,
    hits,
    is_about_commands,
    literal_sets,
    reads_arguments,
)
from lessons.promote.publish.entry import entry_without_literals
from lessons.store.history.history import History
from lessons.store.history.past_calls import FailedText, PastCall
from lessons.store.published import PublishedLesson, compile_source

_QUOTING = str.maketrans("", "", "\"'\\$\r\n`^")

# Every text that a pattern matches contains one literal of each group; no group: any text may match.
Needed = Sequence[Sequence[str]]


class Gates:
    """Rules by number, and what a folded text must contain for one of their patterns to match."""

    def __init__(self) -> None:
        self._always: list[int] = []
        self._by_literal: dict[str, list[tuple[int, Needed]]] = {}

    def add(self, number: int, patterns: Sequence[Needed]) -> None:
        """A rule is always possible if it has no pattern, or one without a literal to search for."""
        if not patterns or not all(patterns):
            self._always.append(number)
            return
        for needed in patterns:
            for literal in max(needed, key=lambda group: min(map(len, group))):
                self._by_literal.setdefault(literal, []).append((number, needed))

    def possible(self, text: str) -> list[int]:
        """Returns the rules that can fire on the folded text, in ascending order."""
        found = {*self._always}
        for literal, rules in self._by_literal.items():
            if literal in text:
                found.update(number for number, needed in rules if holds(text, needed))
        return sorted(found)

    def within(self, texts: Sequence[str]) -> "Gates":
        """Returns gates that are quicker, for these texts alone: they contain few of the literals."""
        joined = "\n".join(texts)
        fewer = Gates()
        fewer._always = self._always
        fewer._by_literal = {literal: rules for literal, rules in self._by_literal.items() if literal in joined}
        return fewer


def holds(text: str, needed: Needed) -> bool:
    """Whether a pattern that needs these literals can match the folded text."""
    for group in needed:
        for literal in group:
            if literal in text:
                break
        else:
            return False
    return True


def needed_in_lines(rule: Rule) -> list[Needed]:
    """For shell lines, as returned by `folded_line`."""
    is_taken_apart = rule.invocation or rule.script
    return [all_needed_runs(each) if is_taken_apart else literal_sets(each) for each in rule.command]


def needed_in_errors(rule: Rule) -> list[Needed]:
    """For errors, as returned by `folded_error`."""
    return [literal_sets(each) for each in rule.error]


def folded_line(command: str) -> str:
    """Returns the line as it is and, for invocations and code, without quoting inside words."""
    bare = command.translate(_QUOTING)
    return fold(command if bare == command else f"{command}\n{bare}")


def folded_error(error: str) -> str:
    """Returns the error with the ends of lines that patterns see."""
    return fold(error.replace("\r\n", "\n"))


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


def good_hits(history: History, rule: Rule) -> Iterator[PastCall]:
    """The calls that a lesson would have disturbed: they went well, and do not look like a failure."""
    since = history.compaction.lost_before() if reads_arguments(rule) else ""
    return (past for past in hits(history, rule, since, outcome=OK) if not past.suspicious)


def failed_hits(history: History, lessons: Sequence[Lesson], rules: Mapping[str, Rule]) -> Iterator[Hit]:
    """The failed calls that many lessons would have caught, as each would in a back-test of its own.

    `rules` are those of the lessons, by slug.
    """
    matcher = Matcher(history, lessons, lambda lesson: rules[lesson.slug])
    for texts in history.calls.failed_texts() if lessons else ():
        for past in history.calls.of_rows(matcher.possible(texts)):
            yield from (Hit(lesson, past) for lesson in matcher.fired(past))


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
    with time_limit() as limit:
        for each in possible:
            is_decided = is_text and not each.rule.has_state and tells_all(each.rule)
            if not is_decided or limit.of_rule(each.rule, None, why_of_patterns, each.rule, call):
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
