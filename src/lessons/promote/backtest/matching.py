"""The past calls on which a rule would have fired."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Optional

from lessons.match.call import ToolCall, command_of, normal_path, system_name
from lessons.match.rule import Rule, occurs, why_it_fires
from lessons.match.state import Verdict, judge
from lessons.match.tools import known_names
from lessons.mistakes.past_call import call_of
from lessons.promote.backtest.recorded_state import RecordedState
from lessons.promote.backtest.stored_hits import Find, NumberedHits, store, with_stored
from lessons.promote.backtest.where import all_needed_runs, filter_of, is_about_commands, is_about_paths, is_lower_case
from lessons.shell.commands import Command
from lessons.shell.script import KEYWORDS
from lessons.shell.split import command_texts
from lessons.store.history.history import History
from lessons.store.history.past_calls import Keep, PastCall, Rows

if TYPE_CHECKING:
    from lessons.match.state import Probe

FAILED = "failed"
_REMEMBERED_LINES = 20_000
_WORD = r"[\w./@:,+%=-]+"
_PLAIN_COMMAND = re.compile(rf"({_WORD}(?: +{_WORD})*)(?: +2>&1)? *(?:(?:&&|\|\||[|;]) *|\Z)", re.ASCII)
_QUOTING = r"""["'\\$\r\n`^]*"""


# A past call in, what is known about the state it ran in out; None where nothing is.
ProbeOf = Callable[[PastCall], Optional["Probe"]]


def hits(history: History, rule: Rule, since: str = "", *, outcome: str = "") -> Iterator[PastCall]:
    """Every call on which it fires: before it runs, or right after it failed; with an outcome, of these alone."""
    if outcome not in ("", FAILED) and _fires_on_errors_alone(rule):
        return iter(())
    if not rule.has_state:
        return (past for _, past in with_stored(history, rule, _find(history, rule), since, outcome))
    certain = (past for past, verdict in judged(history, rule, since) if not verdict.is_unknown)
    return (past for past in certain if outcome in ("", past.outcome))


def _fires_on_errors_alone(rule: Rule) -> bool:
    return bool(rule.error) and not (rule.command or rule.path or rule.content)


def judged(
    history: History, rule: Rule, since: str = "", probe_of: ProbeOf | None = None
) -> Iterator[tuple[PastCall, Verdict]]:
    """The same, and every call on which it may fire: what the state was is not known there.

    Without `probe_of` the state is what the history records.
    """
    if rule.has_state:
        probe_of = probe_of or RecordedState(history)
        calls = (past for _, past in history.calls.matching_rows(filter_of(rule), _keeps(rule), since))
        verdicts = ((past, verdict_on(rule, past, probe_of(past))) for past in calls)
        yield from ((past, verdict) for past, verdict in verdicts if verdict.why or verdict.is_unknown)
    else:
        fired = Verdict("fires")
        yield from ((past, fired) for past in hits(history, rule, since))


def store_hits(history: History, rule: Rule) -> None:
    """Stores on which calls it fires, for the next one who asks."""
    store(history, rule, _find(history, rule))


def _find(history: History, rule: Rule) -> Find:
    def find(among: Rows, since: str) -> NumberedHits:
        fires_on = _judge(rule)
        rows = history.calls.matching_rows(filter_of(rule), _keeps(rule), since, among)
        return (row for row in rows if fires_on(row[1]))

    return find


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


def _judge(rule: Rule) -> Callable[[PastCall], bool]:
    """Where nothing but the line decides, each line is looked at once: most are run again and again."""
    if not is_about_commands(rule) or rule.when or rule.projects:
        return lambda past: fires(rule, past)

    line_of = cache(lambda tool: _Line(tool, {}))
    only_patterns = not (rule.tools or rule.unless or rule.has_state or rule.script)

    @lru_cache(maxsize=_REMEMBERED_LINES)
    def of_line(tool: str, command: str) -> bool:
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


def _keeps(rule: Rule) -> Sequence[Keep]:
    """What can be told from one column, before the whole call is read; all of it must hold."""
    if is_about_commands(rule):
        return _keeps_line(rule)
    if is_about_paths(rule):
        return [lambda path_and_arguments: _keep_path(rule, path_and_arguments)]

    @cache
    def is_meant(tool: str) -> bool:
        return not rule.tools or any(name in rule.tools for name in known_names(tool))

    return [is_meant]


def _keeps_line(rule: Rule) -> Sequence[Keep]:
    is_split = rule.invocation or rule.script
    if len(rule.command) == 1:
        return _needed_searches(rule.command[0]) if is_split else [rule.command[0].search]
    ways = [_needed_searches(pattern) if is_split else [pattern.search] for pattern in rule.command]
    return [lambda line: any(all(search(line) for search in searches) for searches in ways)]


def _keep_path(rule: Rule, path_and_arguments: str | None) -> bool:
    """Whether the path matches, or is not the only one, or not yet as triggers see it."""
    if path_and_arguments is None:
        return True
    path, _, arguments = path_and_arguments.partition("\n")
    return (
        any(pattern.search(path) for pattern in rule.path)
        or arguments.count('ath"') > 1
        or 'aths"' in arguments
        or "\\u" in arguments
        or normal_path(path, "") != path
    )


def _needed_searches(pattern: re.Pattern[str]) -> list[Keep]:
    """Find what an invocation or code needs to match, with quoting in between, the longest first: it is the rarest."""
    flags = 0 if is_lower_case(pattern) else re.IGNORECASE
    runs = sorted(all_needed_runs(pattern), key=lambda runs: -min(map(len, runs)))
    spread = ("|".join(_QUOTING.join(map(re.escape, run)) for run in each) for each in runs)
    return [re.compile(source, flags).search for source in dict.fromkeys(spread)]
