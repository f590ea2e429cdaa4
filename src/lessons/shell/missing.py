"""What a shell says itself: that it does not find a program, or that the line is wrong."""

import re

_SHELL = re.compile(r"(?:\(eval\)|(?:[\w.-]{0,30}/){0,5}(?:ba|z|da|k|fi)?sh)(?::(?: line)? ?\d+)?: ")
_NAME = r"[^\s:]{1,60}"
_MISSING = re.compile(
    rf"command not found: ({_NAME})"
    r"|(?:^(?:\(eval\):\d+: |(?:/\S{1,60}/)?(?:ba|z|da|k)?sh:(?: ?(?:line )?\d+:)? )"
    rf"|(?={_NAME}: command ))({_NAME}): (?:command )?not found$",
    re.MULTILINE,
)


def is_said_by_shell(line: str) -> bool:
    return _SHELL.match(line) is not None


def missing_program(line: str) -> str:
    """The program that a shell did not find; empty where the line is about something else."""
    found = _MISSING.search(line)
    return (found[1] or found[2]) if found else ""


def missing_programs(error: str) -> set[str]:
    """All that a whole error tells of."""
    return {found[1] or found[2] for found in _MISSING.finditer(error)} if "not found" in error else set()
