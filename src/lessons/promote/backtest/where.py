"""Builds a filter that passes every call on which a rule fires: only an optimisation."""

import re
from collections.abc import Sequence

from lessons.match.rule import Rule
from lessons.match.tools import canonical_name
from lessons.promote.publish.literals import all_literal_sets
from lessons.store.history.call_filter import CallFilter, Folding, Needed, Texts

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
