"""The past calls on which lessons fire, decided by the hook's own matching.

Most calls are ruled out by the literals that a pattern needs; only the others are read as a whole.
"""

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lessons.failure.complaint import missing_programs
from lessons.match.call import ToolCall, canonical_name, fold, known_names, system_name
from lessons.match.rule import Rule
from lessons.match.state import KnownState, Verdict
from lessons.match.time_limit import judge, time_limit
from lessons.mistakes.good_calls import call_of
from lessons.model import Lesson
from lessons.promote.publish.entry import entry_without_literals
from lessons.promote.publish.literals import all_literal_sets
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall, Preview, SessionCall
from lessons.store.manifest import PublishedLesson, compile_source

if TYPE_CHECKING:
    from lessons.match.state import Probe

OK, FAILED = "ok", "failed"
_MOST_REMEMBERED = 20_000  # lines and errors: the same come again and again


class RecordedState:
    """Creates the probe of each past call; None if not even its folder is certain."""

    def __init__(self, history: History) -> None:
        self._history = history
        # Computed per session when needed: few have a call that a rule may fire on.
        self._uncertain = cache(history.calls.in_a_message_with_cd)

    def __call__(self, past: PastCall | SessionCall) -> KnownState | None:
        if not past.cwd or past.tool_use_id in self._uncertain(past.session_id):
            return None
        return _PastState(past, self._history)


class _PastState(KnownState):
    """Reads the error of a call only when a program is looked up."""

    def __init__(self, past: PastCall | SessionCall, history: History) -> None:
        super().__init__({past.cwd: True}, root=past.project or None)
        self._past = past
        self._history = history

    def which(self, program: str) -> bool | None:
        if self._past.outcome == OK and not self._past.suspicious:
            return True if program == self._past.program else None
        if isinstance(self._past, PastCall):
            error = self._past.error
        else:
            error = "".join(row.error for row in self._history.calls.named([self._past.tool_use_id]))
        return False if program in missing_programs(error) else None


def rule_of(lesson: Lesson) -> Rule:
    """Returns the rule of a lesson whose patterns are known to be harmless: they are not tried on hostile texts."""
    return PublishedLesson(lesson.slug, entry_without_literals(lesson).entry, compile_source).rule


def asked(past: PastCall) -> ToolCall:
    """Returns the call before it ran; assumes that it ran on this machine."""
    call = call_of(past)
    call.error = None
    call.session = past.session_id
    call.operating_system = system_name(sys.platform)
    call.shell = os.environ.get("SHELL", "").replace("\\", "/").rpartition("/")[2]
    if call.is_shell and call.command is None and past.command:
        call.command = past.command
    return call


def verdict_on(rule: Rule, past: PastCall, probe: "Probe | None" = None) -> Verdict:
    """Returns what the hook decides before the call or at its error; without a probe the state is unknown."""
    return _verdict(rule, asked(past), past, probe)


def _verdict(rule: Rule, call: ToolCall, past: PastCall, probe: "Probe | None") -> Verdict:
    call.error, call.probe = None, probe
    before = judge(rule, call)
    if before.why or not rule.error or past.outcome != FAILED or not past.error:
        return before
    call.error = past.error.replace("\r\n", "\n")
    after = judge(rule, call)
    return after if after.why or after.is_unknown else before


# What a text must contain.

# Every text that a pattern matches contains one literal of each group; no group: any text may match.
Needed = Sequence[Sequence[str]]

_SHORTEST_RUN = 2
# A text between white space in an invocation is in the line too, but may contain quotes and escapes there.
_RUN_IN_LINE = re.compile(r"[\w./:=,@%+-]+", re.ASCII)
# The same in JSON, and in paths, of which only the names are certain: `a/../b` is `b`.
_RUN_IN_JSON = re.compile(r"[\w.:=,@+-]+")
_QUOTING = str.maketrans("", "", "\"'\\$\r\n`^")


class Way(NamedTuple):
    """A text of a call by which a rule may fire, and what that must contain."""

    preview: Preview
    folded: Callable[[str], str | None]  # the text as it is compared; None: it may contain anything
    needed: Sequence[Needed]  # of each pattern

    def may_hold(self, folded: str | None) -> bool:
        if folded is None:
            return True
        for needed in self.needed:
            for group in needed:
                if not any(map(folded.__contains__, group)):
                    break
            else:
                return True
        return False

    def keep(self, text: str) -> bool:
        return self.may_hold(self.folded(text))


def _folded_line(command: str) -> str:
    """Returns the line as it is and, for invocations and code, without quoting inside words."""
    bare = command.translate(_QUOTING)
    return fold(command if bare == command else f"{command}\n{bare}")


def _folded_error(error: str) -> str:
    """Returns the error with the ends of lines that patterns see."""
    return fold(error.replace("\r\n", "\n"))


def _folded_json(text: str) -> str | None:
    r"""Any character may be written as \uXXXX."""
    return None if "\\u" in text else fold(text)


def _folded_tool(tool: str) -> str:
    return "\n".join(known_names(tool))


def ways_of(rule: Rule) -> list[Way]:
    """Returns by which texts of a call it may fire."""
    if rule.session_start and not rule.error:
        return []
    of_tools = Way("tool", _folded_tool, [[rule.tools]])
    if rule.path and rule.tools and not rule.content:
        return [of_tools]
    ways: list[Way] = []
    if rule.command:
        is_taken_apart = rule.invocation or rule.script
        lines = [_runs(each, _RUN_IN_LINE) if is_taken_apart else _literals(each) for each in rule.command]
        ways.append(Way("command", _folded_line, lines))
    if in_arguments := [*rule.content, *(rule.command if _reads_other_tools(rule) else ())]:
        ways.append(Way("arguments", _folded_json, [_runs(each, _RUN_IN_JSON) for each in in_arguments]))
    if rule.path and not rule.content:
        ways.append(Way("path", _folded_json, [_runs(each, _RUN_IN_JSON) for each in rule.path]))
    if rule.error:
        ways.append(Way("error", _folded_error, list(map(_literals, rule.error))))
    return ways or [of_tools]


def _literals(pattern: re.Pattern[str]) -> Needed:
    return all_literal_sets(pattern.pattern, pattern.flags)


def _runs(pattern: re.Pattern[str], run: re.Pattern[str]) -> Needed:
    """Returns the parts of the literals that stay together however the text is written."""
    found: list[Sequence[str]] = []
    for literals in _literals(pattern):
        if len(literals) == 1:
            found += [[part] for part in run.findall(literals[0]) if len(part) >= _SHORTEST_RUN]
            continue
        longest = [max(run.findall(literal), key=len, default="") for literal in literals]
        if min(map(len, longest)) >= _SHORTEST_RUN:
            found.append(longest)
    return found


# One lesson on all calls.


def hits(history: History, rule: Rule, since: str = "", *, outcome: str = "") -> Iterator[PastCall]:
    """Yields every call on which it fires: before it runs, or right after it failed; of one outcome if given."""
    if outcome not in ("", FAILED) and rule.error and not (rule.command or rule.path or rule.content):
        return
    for past, verdict in judged(history, rule, since):
        if not verdict.is_unknown and outcome in ("", past.outcome):
            yield past


def good_hits(history: History, rule: Rule) -> Iterator[PastCall]:
    """Yields the calls that a lesson would have disturbed: they went well, and do not look like a failure."""
    since = history.compaction.lost_before() if reads_arguments(rule) else ""
    return (past for past in hits(history, rule, since, outcome=OK) if not past.suspicious)


def judged(
    history: History, rule: Rule, since: str = "", probe_of: "Callable[[PastCall], Probe | None] | None" = None
) -> Iterator[tuple[PastCall, Verdict]]:
    """Yields the same calls, and those on which it may fire because their state is unknown.

    Without `probe_of` the state is what the history records. A rule that is too slow on a call does not fire there.
    """
    probe_of = probe_of or RecordedState(history)
    ways = ways_of(rule)
    only_line = [way.preview for way in ways] == ["command"] and not (rule.when or rule.projects or rule.has_state)

    @lru_cache(maxsize=_MOST_REMEMBERED)
    def of_line(tool: str, command: str) -> Verdict:
        return judge(rule, ToolCall(tool, {"command": command}))

    found: set[str] = set()
    with time_limit():
        for way in ways:
            for past in history.calls.matching(way.preview, way.keep, since):
                if past.tool_use_id in found:
                    continue
                if only_line:
                    verdict = of_line(past.tool, past.command)
                else:
                    verdict = verdict_on(rule, past, probe_of(past) if rule.has_state else None)
                if verdict.why or verdict.is_unknown:
                    found.update([past.tool_use_id] if len(ways) > 1 else ())
                    yield past, verdict


def reads_arguments(rule: Rule) -> bool:
    """Whether file contents, or another argument that is neither command nor path, may decide."""
    return bool(rule.content) or (bool(rule.command) and _reads_other_tools(rule))


def _reads_other_tools(rule: Rule) -> bool:
    return any(canonical_name(name) != "Bash" and name != "PowerShell" for name in rule.tools)


# Many lessons on one call.


class Hit(NamedTuple):
    """One call that a lesson would have fired on."""

    lesson: Lesson
    past: PastCall
    verdict: Verdict


def failed_hits(history: History, lessons: Sequence[Lesson], rules: Mapping[str, Rule]) -> Iterator[Hit]:
    """Yields the failed calls that many lessons would have caught; `rules` are theirs, by slug."""
    matcher = Matcher(history, lessons, lambda lesson: rules[lesson.slug])
    for past in history.calls.failed() if lessons else ():
        yield from (Hit(lesson, past, verdict) for lesson, verdict in matcher.verdicts(past))


_PART = 3  # characters


def _by_part(ways: Sequence[Way]) -> dict[str, list[int]]:
    """Returns places of ways by a part that a text must contain, and under "" those without one.

    A thousand lessons on a call are then a few that share a part with it. The rarest part of each literal is taken.
    """
    chosen = [
        max(needed, key=lambda group: min(map(len, group), default=0), default=())
        for way in ways
        for needed in way.needed
    ]
    parts_of = {each: [each[n : n + _PART] for n in range(len(each) - _PART + 1)] for some in chosen for each in some}
    often = Counter(part for parts in parts_of.values() for part in parts)
    found: dict[str, list[int]] = {}
    groups = iter(chosen)
    for place, way in enumerate(ways):
        for _ in way.needed:
            for literal in next(groups) or ("",):
                part = min(parts_of.get(literal, ()), key=often.__getitem__, default="")
                found.setdefault(part, []).append(place)
    return found


class Matcher:
    """Many lessons, and which of them would have fired on a call."""

    def __init__(
        self, history: History, lessons: Sequence[Lesson], rule_of: Callable[[Lesson], Rule] = rule_of
    ) -> None:
        """Takes `rule_of` for lessons whose patterns may be slow or wrong."""
        self._state = RecordedState(history)
        rules = ((lesson, rule_of(lesson)) for lesson in lessons)
        # The history records no file that was absent: what asks for one fires on no call for certain.
        self._lessons = [(lesson, rule) for lesson, rule in rules if "absent" not in rule.state]
        self._lost_before = history.compaction.lost_before()
        self._ways: dict[Preview, list[tuple[int, Rule, Way]]] = {}
        for number, (_, rule) in enumerate(self._lessons):
            for way in ways_of(rule):
                self._ways.setdefault(way.preview, []).append((number, rule, way))
        self._by_part = {preview: _by_part([way for _, _, way in some]) for preview, some in self._ways.items()}
        self._possible_again = lru_cache(maxsize=_MOST_REMEMBERED)(self._possible)

    def fired(self, past: PastCall) -> list[Lesson]:
        """Returns those that fire before the call runs, or right after it failed."""
        return [lesson for lesson, _ in self.verdicts(past)]

    def verdicts(self, past: PastCall) -> list[tuple[Lesson, Verdict]]:
        """Returns the same, each with when it fires."""
        possible = {*self._possible_again("command", past.tool, past.command)}
        if past.outcome == FAILED and past.error:
            possible.update(self._possible_again("error", past.tool, past.error))
        possible.update(
            self._possible("arguments", past.tool, past.arguments), self._possible("tool", past.tool, past.tool)
        )
        possible.update(self._possible("path", past.tool, f"{past.path}\n{past.cwd}\n{past.arguments}"))
        if not possible:
            return []
        found, call = [], asked(past)
        for lesson, rule in (self._lessons[number] for number in sorted(possible)):
            # Good calls may have lost their arguments, failed ones still have them: counting only these is wrong.
            if past.time < self._lost_before and reads_arguments(rule):
                continue
            verdict = _verdict(rule, call, past, self._state(past) if rule.has_state else None)
            if verdict.why and not verdict.is_unknown:
                found.append((lesson, verdict))
        return found

    def _possible(self, preview: Preview, tool: str, text: str) -> list[int]:
        """Returns the lessons that look at calls of this tool and may match its text."""
        ways = self._ways.get(preview, [])
        if not ways or not text:
            return []
        folded, names, by_part = ways[0][2].folded(text), known_names(tool), self._by_part[preview]  # all fold alike
        places: Iterable[int] = range(len(ways))
        if folded is not None:
            parts = {folded[start : start + _PART] for start in range(len(folded) - _PART + 1)}
            places = {place for part in by_part.keys() & parts for place in by_part[part]}.union(by_part.get("", ()))
        found = []
        for number, rule, way in (ways[place] for place in places):
            if (not rule.tools or any(name in rule.tools for name in names)) and way.may_hold(folded):
                found.append(number)
        return found
