"""Finds signs of a shell or another language in a command that an error is about."""

import re
from typing import NamedTuple

from lessons.match.call import ToolCall
from lessons.promote.propose.judge import Case

# Text after the head of a command that is not quoted, or not enough.
_UNQUOTED = r"""[^'"|;&\n]*"""


class Mark(NamedTuple):
    """A sign, the pattern that finds it after the head of a command, and what errors about it say."""

    sign: str
    pattern: str
    error: re.Pattern[str]


_NO_MATCH = re.compile(r"no matches found|no match(?:es)?:|bad pattern|unknown file attribute|bad substitution")
# What a shell prints about a text between backquotes that it ran or could not parse.
_RAN_TEXT = r"command not found|looking for matching ``'|unmatched|parse error|command substitution"
MARKS = (
    Mark("*", _UNQUOTED + r"\*", _NO_MATCH),
    Mark("?", _UNQUOTED + r"\?", _NO_MATCH),
    Mark("[", _UNQUOTED + r"\[", re.compile(_NO_MATCH.pattern + r"|bad range in URL|\[globbing\]")),
    Mark("$", _UNQUOTED + r"\$\w", re.compile(r"unbound variable|parameter not set|bad substitution")),
    Mark("!=", r"[^\n]*!=", re.compile(r"\\!=|event not found")),
    Mark("!", r"""[^\n]*!(?!=)""", re.compile(r"\\!(?!=)|event not found")),
    Mark("(", _UNQUOTED + r"\(", re.compile(r"unexpected (?:token )?`\('|unknown file attribute|parse error")),
    Mark(
        "- ",
        _UNQUOTED + r"""["']--? """,
        re.compile(r"(?:flag|option|argument) -{1,2}\s*$|option -- ' '", re.MULTILINE),
    ),
    Mark("`", r"""[^'|;&\n]*"[^"'\n]*(?<!\\)`""", re.compile(_RAN_TEXT)),
)
_ONLY_IF_NAMED = ("!", "(", "- ")
POWERSHELL = "PowerShell"
# Signs that are wrong anywhere, for any program: (a text that it needs, pattern, the error).
LINES = (
    ("!=", r"'[^'\n]*!=", re.compile(r"\\!=")),
    ("\\\n", r"\|[^\n]*&& *\\\n", re.compile(r"permission denied: *$|command not found: *$", re.MULTILINE)),
    # A lock may disappear by itself, and then nothing after `&&` runs.
    (
        ".lock",
        r"(?:^|[;&\n] *)rm (?!-\w*f)[^;&|\n]*\.lock[\"']? *&&",
        re.compile(r"^rm: .*\.lock'?: No such file", re.MULTILINE),
    ),
    ("sleep ", r"(?:^|[;&\n] *)sleep \d{2,} *(?:;|&&|\n)", re.compile(r"Blocked: sleep \d")),
    ("<<", r"<<-?\s*['\"]?\w+['\"]?[^\n]*\\\n", re.compile(r"here-document (?:at line \d+ )?delimited by end-of-file")),
)


# The same for PowerShell: these signs are right in other shells.
LINES_OF_POWERSHELL = (
    ("&&", r"&&", re.compile(r"token '&&' is not a valid statement separator")),
    ("||", r"\|\|", re.compile(r"token '\|\|' is not a valid statement separator")),
    ("=", r"^\s*[A-Za-z_]\w*=\S* +\S", re.compile(r"The term '[A-Za-z_]\w*=[^'\n]*' is not recognized")),
)


def named_marks(case: Case) -> list[Mark]:
    """Returns those that every failure has and every error mentions."""
    return [mark for mark in _in_failures(case) if all(mark.error.search(error) for error in case.errors)]


def shared_marks(case: Case) -> list[Mark]:
    """Returns those that nearly all failures have, if a fix or another failure supports them."""
    if case.distinct == 1 and not case.fixes:
        return []
    return [mark for mark in _in_failures(case) if mark.sign not in _ONLY_IF_NAMED]


def _in_failures(case: Case) -> list[Mark]:
    return [mark for mark in MARKS if case.enough(sum(mark.sign in (call.command or "") for call in case.failures))]


def shared_lines(case: Case) -> list[tuple[str, str, str]]:
    """Returns patterns for the whole line, each with a text that it needs and its tool, if it is about only one."""
    is_powershell = all(POWERSHELL in call.names for call in case.failures)
    rows = [(row, POWERSHELL) for row in LINES_OF_POWERSHELL] if is_powershell else [(row, "") for row in LINES]
    return [
        (pattern, text, tool)
        for (text, pattern, error), tool in rows
        if all(error.search(each) for each in case.errors) and all(_has(call, pattern) for call in case.failures)
    ]


def _has(call: ToolCall, pattern: str) -> bool:
    return re.search(pattern, call.command or "") is not None
