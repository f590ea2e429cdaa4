"""Counts in the history how often rules applied and were broken, with the matcher of the hook, in one pass for all."""

import heapq
import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from lessons.match.call import ToolCall, known_names
from lessons.match.rule import Rule, why_it_fires, why_of_patterns
from lessons.match.state import judge
from lessons.match.time_limit import MOST_SLOW_CALLS, TimeLimit, TooSlow, time_limit
from lessons.model import Lesson, Triggers
from lessons.promote.matching import RecordedState, asked, rule_of, ways_of
from lessons.rules.shapes import Checked
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall

MOST_EXAMPLES = 10
_MOST_REMEMBERED = 20_000
Finding = Literal["broken", "unknown", "right"]
# What other calls would have done is not known: a person or the agent stopped them.
_RAN = ("ok", "failed")
_WORD = re.compile(r"[A-Za-z0-9_][\w.+-]*")
# A pattern that begins with the name of a program, and that name.
_PROGRAM = re.compile(r"\^((?:[\w-]|\\[.+-])+)(?=\\s|\(\?=\\s)")
_LAST_NAME = re.compile(r"\*\.(?:\{([\w,]+)\}|(\w+))\Z")


class Check(msgspec.Struct, frozen=True):
    """What is looked for: a rule, in the calls of its project (empty: in all calls)."""

    checked: Checked
    project: str = ""


class Figures(msgspec.Struct):
    """What the history says about one rule, in calls."""

    applicable: int = 0
    broken: int = 0
    unknown: int = 0
    sessions: int = 0  # in which it was broken
    last_broken: str = ""
    breaches: list[PastCall] = []  # the newest; of a rule that depends on what a person said, all calls it is about
    tokens: int = 0
    seconds: float = 0.0


def figures_of(history: History, checks: Sequence[Check]) -> list[Figures]:
    """Returns the figures of each check, in their order."""
    counters = [_Counter(each) for each in checks]
    with time_limit() as limit:
        for folder in dict.fromkeys(each.folder for each in counters):  # few: of the user, and of the project
            here = [each for each in counters if each.folder == folder]
            _count_lines(history, [each for each in here if each.is_of_shell], folder, limit)
            _count_files(history, [each for each in here if not each.is_of_shell], folder, limit)
    return [each.figures(history) for each in counters]


class _Counter:
    """The rules of one check, and what was found so far."""

    def __init__(self, check: Check) -> None:
        self.depends = check.checked.certainty == "depends"
        self.broken = _rule(check.checked.broken or Triggers())
        about = check.checked.about or check.checked.broken
        self.about = self.broken if about in (None, check.checked.broken) else _rule(about or Triggers())
        self.folder = check.project
        self.globs = (check.checked.about or check.checked.broken or Triggers()).path_patterns
        self.is_of_shell = bool(self.broken.command)
        # All calls that are looked at are of a shell then.
        is_plain = self.is_of_shell and not self.broken.when and "Bash" in self.broken.tools
        self._fires = why_of_patterns if is_plain else why_it_fires
        self._slow = 0
        self._applicable = self._unknown = self._hits = 0
        self._sessions: set[str] = set()
        self._newest: list[tuple[str, str, PastCall]] = []
        self._failed: list[str] = []

    def judge(self, call: ToolCall, limit: TimeLimit) -> Finding | None:
        """Returns what the call is to the rule; None if the rule does not apply to it, or is too slow."""
        if self._slow >= MOST_SLOW_CALLS:
            return None
        try:
            return limit.run(self._judge, call)
        except TooSlow:
            self._slow += 1
            return None

    def _judge(self, call: ToolCall) -> Finding | None:
        if self.broken.has_state:
            verdict = judge(self.broken, call)
            if verdict.why or verdict.is_unknown:
                return "broken" if verdict.why else "unknown"
        elif self._fires(self.broken, call):
            return "broken"
        return "right" if self.about is not self.broken and self._fires(self.about, call) else None

    def add(self, past: PastCall, finding: Finding) -> None:
        self._applicable += 1
        if finding == "right":
            return
        if finding == "unknown" or self.depends or past.outcome not in _RAN:
            self._unknown += 1
        else:
            self._hits += 1
            self._sessions.add(past.session_id)
            if past.outcome == "failed":
                self._failed.append(past.tool_use_id)
        if finding == "broken":
            keep = heapq.heappushpop if len(self._newest) >= MOST_EXAMPLES else heapq.heappush
            keep(self._newest, (past.time, past.tool_use_id, past))

    def figures(self, history: History) -> Figures:
        newest = [past for *_, past in sorted(self._newest, key=lambda each: each[:2], reverse=True)]
        return Figures(
            applicable=self._applicable,
            broken=self._hits,
            unknown=self._unknown,
            sessions=len(self._sessions),
            last_broken=newest[0].time if self._hits else "",
            breaches=newest,
            tokens=history.calls.tokens_of(self._failed),
            seconds=round(sum(each.seconds_lost for each in history.episodes.of_calls(self._failed).values()), 1),
        )


def _rule(triggers: Triggers) -> Rule:
    # Without its project: verdicts on a line are then the same in all projects.
    return rule_of(Lesson(id="rule", slug="rule", summary="", problem="", solution="", triggers=triggers))


class _Index:
    """Finds by the words of a text the few counters that may count it."""

    def __init__(self, counters: Sequence[_Counter], words_of: Callable[[_Counter], Iterable[str]]) -> None:
        self._by_word: dict[str, list[_Counter]] = {}
        self.others: list[_Counter] = []
        for counter in counters:
            words = [*words_of(counter)]
            for word in words:
                self._by_word.setdefault(word, []).append(counter)
            if not all(words):  # it may count any text
                self.others.append(counter)

    def named(self, words: Iterable[str]) -> list[_Counter]:
        if not (names := self._by_word.keys() & words):
            return []
        return list({id(each): each for name in names for each in self._by_word[name]}.values())


def _count_lines(history: History, counters: Sequence[_Counter], folder: str, limit: TimeLimit) -> None:
    """Counts shell calls; each line is parsed once for all rules."""
    if not counters:
        return
    index = _Index(counters, lambda each: map(_program, (*each.about.command, *each.broken.command)))
    ways = {each: [*ways_of(each.about), *ways_of(each.broken)] for each in counters}
    state = RecordedState(history)

    @lru_cache(maxsize=_MOST_REMEMBERED)
    def possible(line: str) -> list[_Counter]:
        named = index.named(_WORD.findall(line))
        some = [*named, *(each for each in index.others if each not in named)]
        folded = {way.folded: way.folded(line) for way in ways[some[0]]} if some else {}
        return [each for each in some if any(way.may_hold(folded.get(way.folded)) for way in ways[each])]

    @lru_cache(maxsize=_MOST_REMEMBERED)
    def call_of(tool: str, line: str) -> ToolCall:
        return ToolCall(tool, {"command": line})

    @lru_cache(maxsize=4 * _MOST_REMEMBERED)
    def finding_of(counter: _Counter, tool: str, line: str) -> Finding | None:
        return counter.judge(call_of(tool, line), limit)

    for past in history.calls.matching("command", possible, folder=folder):
        for counter in possible(past.command):
            finding = finding_of(counter, past.tool, past.command) if not counter.broken.has_state else None
            if counter.broken.has_state and why_of_patterns(counter.broken, call_of(past.tool, past.command)):
                call = asked(past)
                call.probe = state(past)
                finding = counter.judge(call, limit)
            if finding:
                counter.add(past, finding)


def _program(pattern: re.Pattern[str]) -> str:
    """Returns the word of a line without which the pattern cannot match; empty if no word is certain."""
    found = _PROGRAM.match(pattern.pattern)
    return max(_WORD.findall(re.sub(r"\\(.)", r"\1", found[1])), key=len, default="") if found else ""


def _count_files(history: History, counters: Sequence[_Counter], folder: str, limit: TimeLimit) -> None:
    """Counts calls about files, found by the names in their paths."""
    if not counters:
        return
    index = _Index(counters, _names_in_paths)
    lost_before = history.compaction.lost_before()

    @lru_cache(maxsize=_MOST_REMEMBERED)
    def of_path(tool: str, path: str) -> list[_Counter]:
        names, name = known_names(tool), path.rpartition("/")[2]
        named = index.named((*path.split("/"), f".{name.rpartition('.')[2]}"))
        some = [*named, *(each for each in index.others if each not in named)]
        some = [each for each in some if not each.about.tools or any(name in each.about.tools for name in names)]
        return [each for each in some if any(pattern.search(path) for pattern in each.about.path)]

    def possible(text: str) -> list[_Counter]:
        """Takes tool, path and folder, one a line; several paths, as of a patch, stand in the arguments."""
        tool, path, below = text.split("\n", 2)
        return of_path(tool, path if path.startswith("/") else os.path.join(below, path)) if path else [*counters]

    for past in history.calls.matching("place", possible, folder=folder):
        call = asked(past)
        for counter in possible(f"{past.tool}\n{past.path}\n{past.cwd}"):
            # Old calls may have lost what they wrote: counting only some of them is wrong.
            is_lost = counter.broken.content and past.time < lost_before
            if not is_lost and (finding := counter.judge(call, limit)):
                counter.add(past, finding)


def _names_in_paths(counter: _Counter) -> Iterable[str]:
    """Yields for each glob a name, or `.` and an ending, that every path has on which it matches; empty: none."""
    for glob in counter.globs:
        names = [name for name in glob.split("/") if name and not re.search(r"[*?\[{\\]", name)]
        if names:
            yield max(names, key=len)
        elif found := _LAST_NAME.search(glob):
            yield from (f".{ending}" for ending in (found[1] or found[2]).split(","))
        else:
            yield ""
