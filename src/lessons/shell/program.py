"""A shell line in, the program and sub-command that do its work out."""

import re
from functools import lru_cache

from lessons.shell.line import LONGEST_LINE, SCRIPT_DEPTH, Part, parts, working
from lessons.shell.programs import COMPOSE_OPTIONS, SHELLS, SUB_COMMANDS, TWO_SUB_COMMANDS
from lessons.shell.split import invocations

_PROGRAM = re.compile(r"[A-Za-z0-9_][\w.+-]{0,63}")
_WORD = re.compile(r"[a-z][a-z0-9]*(?:[-:_][a-z0-9]+)*")
_LONGEST_WORD = 40


def program_of(command: str) -> tuple[str, str]:
    """Returns the first command of the line that does work, as (`git`, `commit`); empty strings if there is none."""
    return _remembered(command[:LONGEST_LINE])  # cut first, to keep the cache small


@lru_cache(maxsize=4096)
def _remembered(command: str) -> tuple[str, str]:
    return _of_line(command, 0)


def _of_line(command: str, depth: int) -> tuple[str, str]:
    line = parts(command)
    for index in working(line):
        found = _of_part(line[index], depth)
        if found[0]:
            return found
    if "$(" in command or "`" in command:  # the work is done inside `x=$(…)` or `echo "$(…)"`
        for texts in invocations(command):
            words = texts[-1].split(" ")
            if working((Part(words, [], ""),)) and (name := _name(words[0])):
                return name, _sub_command(name, words)
    return (_name(line[0].program), "") if line else ("", "")


def _of_part(part: Part, depth: int) -> tuple[str, str]:
    if part.inner and part.program in SHELLS and depth < SCRIPT_DEPTH:
        found = _of_line(part.inner[0], depth + 1)
        if found[0]:
            return found
    name = _name(part.program)
    return name, _sub_command(name, part.words)


def _name(word: str) -> str:
    """Returns `git` for `git.exe`, `tsc` for `tsc@5`; empty for `$TOOL` and anything else that is not a name."""
    name = word.rpartition("/")[2].partition("@")[0].removesuffix(".exe")
    return name if _PROGRAM.fullmatch(name) else ""


def _sub_command(name: str, words: list[str]) -> str:
    if name not in SUB_COMMANDS:
        return ""
    first, index = _plain_word(words, 1, SUB_COMMANDS[name])
    second_for = TWO_SUB_COMMANDS.get(name)
    if not first or second_for is None or not ("" in second_for or first in second_for):
        return first
    second, _ = _plain_word(words, index, COMPOSE_OPTIONS if first == "compose" else SUB_COMMANDS[name])
    return f"{first} {second}" if second else first


def _plain_word(words: list[str], index: int, with_value: str) -> tuple[str, int]:
    """Returns the first word from `index` on that is not an option, if it looks like a command, and the next index."""
    options = with_value.split()
    while index < len(words):
        word = words[index]
        index += 1
        if word[:1] in ("-", "+"):  # `+nightly` selects a toolchain
            index += word in options
        elif not word.isdigit() and not (word[:1].isalpha() and "=" in word):
            return (word, index) if len(word) <= _LONGEST_WORD and _WORD.fullmatch(word) else ("", index)
    return "", index
