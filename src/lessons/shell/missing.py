"""Recognises messages of the shell itself: a program is missing, or the line is wrong."""

import re

_SHELL = re.compile(r"(?:\(eval\)|(?:[\w.-]{0,30}/){0,5}(?:ba|z|da|k|fi)?sh)(?::(?: line)? ?\d+)?: ")
_OF_WINDOWS = re.compile(
    r"[^\s:]{1,60} ?: The term '|'[^']{1,60}' is not recognized as |The token '[&|]{2}' is not a valid "
)
KEYWORD = r"(?:do|done|then|elif|else|fi|esac|end|in)"  # reported as a program where a line has another syntax
# An option in the place of a program is another mistake.
_NAME = rf"(?!-|{KEYWORD}(?![\w.+-]))[^\s:'\"`‘’]{{1,60}}"
_QUOTED = rf"['\"`‘]?({_NAME})['\"`’]?"
_STARTERS = "env|nice|nohup|setsid|stdbuf|sudo|time|timeout|xargs"  # they report the command they start as missing
_MISSING = re.compile(
    rf"command not found: ({_NAME})"
    r"|(?:^(?:\(eval\):\d+: |(?:/\S{1,60}/)?(?:ba|z|da|k)?sh:(?: ?(?:line )?\d+:)? )"
    rf"|(?<![^\s:'\"`‘’])(?={_NAME}: command ))({_NAME}): (?:command )?not found$"
    rf"|^fish: Unknown command: ({_NAME})"
    rf"|['‘]({_NAME})['’] is not recognized as (?:an internal|the name|a name)"
    rf"|exec: \"({_NAME})\": executable file not found"
    rf"|^(?:/\S{{1,60}}/)?(?:{_STARTERS}): (?:failed to run command )?{_QUOTED}: "
    r"(?:No such file or directory|not found)"
    rf"|^(?:The )?[Cc]ommand {_QUOTED} (?:could not be found|was not found|not found)"
    rf"|\bspawn ({_NAME}) ENOENT",
    re.MULTILINE,
)
_GATES = ("not found", "not recognized", "No such file", "nknown command", "could not be found", "ENOENT")


def is_said_by_shell(line: str) -> bool:
    return _SHELL.match(line) is not None or _OF_WINDOWS.match(line) is not None


def missing_program(line: str) -> str:
    """Returns the program that a shell did not find; empty if the line is about something else."""
    found = _MISSING.search(line)
    return found[found.lastindex or 0] if found else ""


def missing_programs(error: str) -> set[str]:
    """Returns all missing programs that a whole error names."""
    if not any(gate in error for gate in _GATES):
        return set()
    return {found[found.lastindex or 0] for found in _MISSING.finditer(error)}
