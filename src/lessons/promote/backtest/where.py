"""A rule in, the condition in SQL that every call meets on which it fires out: it only spares work."""

import re
import string
from collections.abc import Sequence

from lessons.match.rule import Rule
from lessons.match.tools import canonical_name
from lessons.promote.publish.literals import all_literal_sets
from lessons.store.history.past_calls import Condition

Pattern = re.Pattern[str]
Part = tuple[str, list[str | int]]

_EVERYTHING: Part = ("1", [])
_MOST_SETS = 3
_IGNORES_CASE = re.compile(r"\(\?[a-zA-Z]*i")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CASELESS_ESCAPES = frozenset("AbBdDsSwWZ")
# What IGNORECASE takes for an ASCII letter although lower() of SQLite does not.
_LOOKALIKES = (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k"))
_SHORTEST_RUN = 2
# What stands between white space in an invocation stands in the line too, but quotes and escapes may be inside.
_RUN = re.compile(r"[\w./:=,@%+-]+", re.ASCII)
_HAS_PATH = "path <> '' OR tool = 'apply_patch'"
_PATH_AND_ARGUMENTS = "CASE WHEN path GLOB '/*' AND NOT instr(path, char(10)) THEN path || char(10) || arguments END"
# Characters that JSON writes as they are; any of them may still stand there as \uXXXX.
_PLAIN_IN_JSON = frozenset(string.ascii_letters + string.digits + " !#$%&'()*+,-.:;<=>?@[]^_`{|}~")


def is_about_commands(rule: Rule) -> bool:
    """Whether nothing but the line of a shell decides, once the surroundings are right."""
    return bool(rule.command) and not (
        rule.path or rule.content or rule.error or rule.session_start or _reads_other_tools(rule)
    )


def is_about_paths(rule: Rule) -> bool:
    """The same for the paths of file tools."""
    return bool(rule.path) and not (rule.command or rule.content or rule.error or rule.tools or rule.session_start)


def condition_of(rule: Rule) -> Condition:
    """All that a call may fire by, one part for each way."""
    if is_about_commands(rule):
        sql, values = _command(rule)
        return Condition(sql, values, "command")
    if is_about_paths(rule):
        return Condition(_HAS_PATH, [], _PATH_AND_ARGUMENTS)
    if rule.session_start and not rule.error:
        return Condition("0", [], "tool")
    parts: list[Part] = []
    if rule.command:
        parts.append(_command(rule))
    if rule.command and _reads_other_tools(rule):
        parts.append(_held("arguments", rule.command, in_json=True))
    if rule.content:
        parts.append(_held("arguments", rule.content, in_json=True))
    elif rule.path:
        # The paths of a call are made absolute before they are looked at: their literals may stand in its folder.
        parts.append(_EVERYTHING if rule.tools else (_HAS_PATH, []))
    if rule.error:
        sql, values = _held("error", rule.error)
        parts.append((f"outcome = 'failed' AND error <> '' AND ({sql})", values))
    if not parts:
        parts.append(_EVERYTHING)  # the tool alone
    joined = " OR ".join(f"({sql})" for sql, _ in parts)
    return Condition(joined, [value for _, values in parts for value in values], "tool")


def _reads_other_tools(rule: Rule) -> bool:
    return any(canonical_name(name) != "Bash" and name != "PowerShell" for name in rule.tools)


def _command(rule: Rule) -> Part:
    """Quotes may stand inside of a word of an invocation: its literals cannot be looked for in the line."""
    if rule.invocation:
        return "command <> ''", []
    if any(pattern.search("") for pattern in rule.command):
        return _EVERYTHING
    sql, values = _held("command", rule.command)
    return f"command <> '' AND ({sql})", values


def needed_runs(pattern: Pattern) -> list[str]:
    """One of these is in every invocation that matches, as it is written but for quotes; the longest there are."""
    best: list[str] = []
    for literals in literal_sets(pattern):
        runs = [max(_RUN.findall(literal), key=len, default="") for literal in literals]
        if min(map(len, runs)) >= max(_SHORTEST_RUN, min(map(len, best), default=0) + 1):
            best = runs
    return best


def _held(column: str, patterns: Sequence[Pattern], in_json: bool = False) -> Part:
    """Texts that hold what one of the patterns cannot match without."""
    parts: list[str] = []
    values: list[str | int] = []
    for pattern in patterns:
        sets = [each for each in literal_sets(pattern) if not in_json or _PLAIN_IN_JSON.issuperset("".join(each))]
        if not sets:
            return _EVERYTHING
        text = _folded(column, pattern)
        holds = [" OR ".join([f"instr({text}, ?)"] * len(each)) for each in sets[:_MOST_SETS]]
        parts.append(" AND ".join(f"({each})" for each in holds))
        values += [literal for each in sets[:_MOST_SETS] for literal in each]
    if in_json:
        parts.append(rf"instr({column}, '\u')")
    return " OR ".join(f"({part})" for part in parts), values


def literal_sets(pattern: Pattern) -> list[tuple[str, ...]]:
    """Of each set one literal is in every text that matches, once both are folded; those that SQLite can hold."""
    return [each for each in all_literal_sets(pattern.pattern, pattern.flags) if _can_be_stored(each)]


def _can_be_stored(literals: tuple[str, ...]) -> bool:
    try:
        "".join(literals).encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return True


def _folded(column: str, pattern: Pattern) -> str:
    """The column in the form in which the literals of the pattern are."""
    if is_lower_case(pattern):
        return column
    if ignores_case(pattern):
        for character, letter in _LOOKALIKES:
            column = f"replace({column}, '{character}', '{letter}')"
    return f"lower({column})"


def is_lower_case(pattern: Pattern) -> bool:
    """Whether every letter that the pattern names is a small one, and only that is matched."""
    letters = _ESCAPE.sub(lambda found: "" if _is_caseless(found[1]) else "X", pattern.pattern)
    return letters == letters.lower() and not ignores_case(pattern)


def _is_caseless(escaped: str) -> bool:
    return escaped in _CASELESS_ESCAPES or not escaped.isalnum()


def ignores_case(pattern: Pattern) -> bool:
    return bool(pattern.flags & re.IGNORECASE or _IGNORES_CASE.search(pattern.pattern))
