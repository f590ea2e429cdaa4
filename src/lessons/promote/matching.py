"""The past calls on which a rule would have fired."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Optional

from lessons.failure.complaint import missing_programs
from lessons.match.call import ToolCall, command_of, normal_path, system_name
from lessons.match.rule import Rule, occurs, why_it_fires
from lessons.match.state import KnownState, Verdict
from lessons.match.time_limit import TimeLimit, judge, time_limit
from lessons.match.tools import canonical_name, known_names
from lessons.mistakes.good_calls import call_of
from lessons.promote.publish.literals import all_literal_sets
from lessons.shell.command import Command
from lessons.shell.parser import KEYWORDS
from lessons.shell.split import command_texts
from lessons.store.history.history import History
from lessons.store.history.past_calls import CallFilter, Folding, Keep, Needed, PastCall, SessionCall, Texts

if TYPE_CHECKING:
    from lessons.match.state import Probe


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
        if self._past.outcome == "ok" and not self._past.suspicious:
            return True if program == self._past.program else None
        return False if program in missing_programs(self._error()) else None

    def _error(self) -> str:
        if isinstance(self._past, PastCall):
            return self._past.error
        return "".join(row.error for row in self._history.calls.named([self._past.tool_use_id]))


Pattern = re.Pattern[str]

_EVERY_CALL = Texts("every call")
_IGNORES_CASE = re.compile(r"\(\?[a-zA-Z]*i")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CASELESS_ESCAPES = frozenset("AbBdDsSwWZ")
_SHORTEST_RUN = 2
# A text between white space in an invocation is in the line too, but may contain quotes and escapes there.
_RUN = re.compile(r"[\w./:=,@%+-]+", re.ASCII)


def is_about_commands(rule: Rule) -> bool:
    """Whether only the command line decides, once the environment fits."""
    return bool(rule.command) and not (
        rule.path or rule.content or rule.error or rule.session_start or _reads_other_tools(rule)
    )


def is_about_paths(rule: Rule) -> bool:
    """The same for the paths of file tools."""
    return bool(rule.path) and not (rule.command or rule.content or rule.error or rule.tools or rule.session_start)


def reads_arguments(rule: Rule) -> bool:
    """Whether file contents, or another argument that is neither command nor path, may decide."""
    return bool(rule.content) or (bool(rule.command) and _reads_other_tools(rule))


def filter_of(rule: Rule) -> CallFilter:
    """Returns everything by which a call may make it fire, one text for each way."""
    if is_about_commands(rule):
        return CallFilter([_command(rule)], "command")
    if is_about_paths(rule):
        return CallFilter([Texts("path")], "path")
    if rule.session_start and not rule.error:
        return CallFilter([])
    found: list[Texts] = []
    if rule.command:
        found.append(_command(rule))
    if rule.command and _reads_other_tools(rule):
        found.append(Texts("arguments", _needed(rule.command)))
    if rule.content:
        found.append(Texts("arguments", _needed(rule.content)))
    elif rule.path:
        # Paths of a call are made absolute before they are compared: their literals may be in its folder.
        found.append(_EVERY_CALL if rule.tools else Texts("path"))
    if rule.error:
        found.append(Texts("error", _needed(rule.error)))
    return CallFilter(found or [_EVERY_CALL])  # without any, the tool alone decides


def _reads_other_tools(rule: Rule) -> bool:
    return any(canonical_name(name) != "Bash" and name != "PowerShell" for name in rule.tools)


def _command(rule: Rule) -> Texts:
    """Uses no literals for invocations and code: quotes may be inside their words in the line."""
    if rule.invocation or rule.script:
        return Texts("command")
    if any(pattern.search("") for pattern in rule.command):
        return _EVERY_CALL
    return Texts("command", _needed(rule.command))


def all_needed_runs(pattern: Pattern) -> list[list[str]]:
    """Returns lists of runs: one of each list is in every matching invocation, as written except quotes."""
    found = []
    for literals in literal_sets(pattern):
        if len(literals) == 1:
            found += [[run] for run in _RUN.findall(literals[0]) if len(run) >= _SHORTEST_RUN]
            continue
        runs = [max(_RUN.findall(literal), key=len, default="") for literal in literals]
        if min(map(len, runs)) >= _SHORTEST_RUN:
            found.append(runs)
    return found


def _needed(patterns: Sequence[Pattern]) -> list[Needed]:
    return [Needed(literal_sets(pattern), _folding(pattern)) for pattern in patterns]


def literal_sets(pattern: Pattern) -> list[tuple[str, ...]]:
    """Returns sets of literals: one of each set is in every matching text, once both are folded; only storable ones."""
    return [each for each in all_literal_sets(pattern.pattern, pattern.flags) if _can_be_stored(each)]


def _can_be_stored(literals: tuple[str, ...]) -> bool:
    try:
        "".join(literals).encode()
    except UnicodeEncodeError:  # half a surrogate pair
        return False
    return True


def _folding(pattern: Pattern) -> Folding:
    """Returns the folding of a text that makes it comparable with the literals of the pattern."""
    if is_lower_case(pattern):
        return "exact"
    return "ignore case" if ignores_case(pattern) else "lower"


def is_lower_case(pattern: Pattern) -> bool:
    """Whether every letter in the pattern is lower case, and case matters."""
    letters = _ESCAPE.sub(lambda found: "" if _is_caseless(found[1]) else "X", pattern.pattern)
    return letters == letters.lower() and not ignores_case(pattern)


def _is_caseless(escaped: str) -> bool:
    return escaped in _CASELESS_ESCAPES or not escaped.isalnum()


def ignores_case(pattern: Pattern) -> bool:
    return bool(pattern.flags & re.IGNORECASE or _IGNORES_CASE.search(pattern.pattern))


FAILED = "failed"
_FIRED = Verdict("fires")
_REMEMBERED_LINES = 20_000
_WORD = r"[\w./@:,+%=-]+"
_PLAIN_COMMAND = re.compile(rf"({_WORD}(?: +{_WORD})*)(?: +2>&1)? *(?:(?:&&|\|\||[|;]) *|\Z)", re.ASCII)
_QUOTING = r"""["'\\$\r\n`^]*"""


# A past call in, what is known about the state it ran in out; None where nothing is.
ProbeOf = Callable[[PastCall], Optional["Probe"]]


def hits(history: History, rule: Rule, since: str = "", *, outcome: str = "") -> Iterator[PastCall]:
    """Every call on which it fires: before it runs, or right after it failed; with an outcome, of these alone."""
    if outcome not in ("", FAILED) and rule.error and not (rule.command or rule.path or rule.content):
        return
    for past, verdict in judged(history, rule, since):
        if not verdict.is_unknown and outcome in ("", past.outcome):
            yield past


def judged(
    history: History, rule: Rule, since: str = "", probe_of: ProbeOf | None = None
) -> Iterator[tuple[PastCall, Verdict]]:
    """The same, and every call on which it may fire: what the state was is not known there.

    Without `probe_of` the state is what the history records. A rule that is too slow on a call does
    not fire there.
    """
    probe_of = probe_of or RecordedState(history)
    with time_limit() as limit:
        fires_on = _judge(rule, limit)
        for past in history.calls.matching(filter_of(rule), _keeps(rule, limit), since):
            if rule.has_state:
                verdict = verdict_on(rule, past, probe_of(past))
                if verdict.why or verdict.is_unknown:
                    yield past, verdict
            elif fires_on(past):
                yield past, _FIRED


def verdict_on(rule: Rule, past: PastCall, probe: "Probe | None" = None) -> Verdict:
    """By the code of the hook, at both moments; without a probe the state is unknown."""
    call = asked(past)
    call.probe = probe
    before = judge(rule, call)
    if before.why or not rule.error or past.outcome != FAILED or not past.error:
        return before
    call.error = past.error.replace("\r\n", "\n")
    after = judge(rule, call)
    return after if after.why or after.is_unknown else before


def fires(rule: Rule, past: PastCall) -> bool:
    return verdict_on(rule, past).why is not None


def asked(past: PastCall) -> ToolCall:
    """The call before it ran; that it ran on this machine is taken for granted."""
    call = call_of(past)
    call.error = None
    call.session = past.session_id
    call.operating_system = system_name(sys.platform)
    call.shell = os.environ.get("SHELL", "").replace("\\", "/").rpartition("/")[2]
    if call.is_shell and call.command is None and past.command:
        call.command = past.command
    return call


class _Line(ToolCall):
    """A shell call whose commands are read one by one: the rest of a line on which a rule fires need not be read."""

    __slots__ = ()

    def put(self, command: str) -> "_Line":
        """Makes it another line of the same tool: quicker than another call, of which everything is looked at."""
        self.arguments = {"command": command}
        self.command = command_of(self.arguments) if self.is_shell else None
        self._invocations = self._scripts = self._places = None
        return self

    def invocations(self) -> Iterator[list[str]]:  # type: ignore[override]
        """Words and operators alone, as most lines begin, are not read by character.

        The texts of a command may come one after the other: what it says as written is known first.
        """
        line, position = self.command or "", 0
        while not self.dialect and (found := _PLAIN_COMMAND.match(line, position)):
            words = found[1].split()
            if words[0] in KEYWORDS or words[0] == "time":
                break
            told = 0
            if "=" not in words[0]:  # no assignment before it
                yield [" ".join(words)]
                told = 1
            texts, inner = command_texts(Command(words, list(words)))
            if texts[told:]:
                yield texts[told:]
            position = found.end()
            if inner:
                break
            if position == len(line):
                return
        yield from super().invocations()


def _judge(rule: Rule, limit: TimeLimit) -> Callable[[PastCall], bool]:
    """Where nothing but the line decides, each line is looked at once: most are run again and again."""
    if not is_about_commands(rule) or rule.when or rule.projects:
        return lambda past: fires(rule, past)

    line_of = cache(lambda tool: _Line(tool, {}))
    only_patterns = not (rule.tools or rule.unless or rule.has_state or rule.script)

    @lru_cache(maxsize=_REMEMBERED_LINES)
    def of_line(tool: str, command: str) -> bool:
        return limit.of_rule(rule, False, decide, tool, command)

    def decide(tool: str, command: str) -> bool:
        line = line_of(tool)
        if only_patterns and line.is_shell:
            if not rule.invocation:
                return any(occurs(pattern, command) for pattern in rule.command)
            if not line.dialect and _begins_with_match(rule, command):
                return True
        return why_it_fires(rule, line.put(command)) is not None

    return lambda past: of_line(past.tool, past.command)


def _begins_with_match(rule: Rule, line: str) -> bool:
    """Whether the first command of a shell line matches as written: then nothing else of it need be read."""
    found = _PLAIN_COMMAND.match(line)
    if found is None or "=" in found[1]:  # a variable before the command, or an option: these are read with care
        return False
    words = found[1].split()
    if words[0] in KEYWORDS or words[0] == "time":
        return False
    written = " ".join(words)
    return any(pattern.match(written) for pattern in rule.command)


def _keeps(rule: Rule, limit: TimeLimit) -> Sequence[Keep]:
    """What can be told from one column, before the whole call is read; all of it must hold."""
    if is_about_commands(rule):
        return _keeps_line(rule, limit)
    if is_about_paths(rule):
        return [lambda path_and_arguments: _keep_path(rule, limit, path_and_arguments)]

    @cache
    def is_meant(tool: str) -> bool:
        return not rule.tools or any(name in rule.tools for name in known_names(tool))

    return [is_meant]


def _keeps_line(rule: Rule, limit: TimeLimit) -> Sequence[Keep]:
    if not (rule.invocation or rule.script):
        return [lambda line: limit.of_rule(rule, False, _occurs_in, rule.command, line)]
    ways = [_needed_searches(pattern) for pattern in rule.command]
    if len(ways) == 1:
        return ways[0]
    return [lambda line: any(all(search(line) for search in searches) for searches in ways)]


def _keep_path(rule: Rule, limit: TimeLimit, path_and_arguments: str | None) -> bool:
    """Whether the path matches, or is not the only one, or not yet as triggers see it."""
    if path_and_arguments is None:
        return True
    path, _, arguments = path_and_arguments.partition("\n")
    return (
        limit.of_rule(rule, False, _occurs_in, rule.path, path)
        or arguments.count('ath"') > 1
        or 'aths"' in arguments
        or "\\u" in arguments
        or normal_path(path, "") != path
    )


def _occurs_in(patterns: Sequence[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _needed_searches(pattern: re.Pattern[str]) -> list[Keep]:
    """Find what an invocation or code needs to match, with quoting in between, the longest first: it is the rarest."""
    flags = 0 if is_lower_case(pattern) else re.IGNORECASE
    runs = sorted(all_needed_runs(pattern), key=lambda runs: -min(map(len, runs)))
    spread = ("|".join(_QUOTING.join(map(re.escape, run)) for run in each) for each in runs)
    return [re.compile(source, flags).search for source in dict.fromkeys(spread)]
