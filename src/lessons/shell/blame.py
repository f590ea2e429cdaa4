"""Finds the command of a failed line that is to blame, as far as line and error show."""

import re
from functools import lru_cache
from typing import NamedTuple

from lessons.shell.assignments import after_assignments
from lessons.shell.line import LONGEST_LINE, Part, parts, working
from lessons.shell.looks import looks
from lessons.shell.named import is_named
from lessons.shell.program import program_of
from lessons.shell.programs import HELPERS, NAME_THEMSELVES, SET_UP, SET_UP_SUB_COMMANDS
from lessons.shell.split import invocations

SHELL = "shell"
_MOST_COMMANDS = 50
_LONGEST_ERROR = 4096
# How programs start a message without naming themselves.
_VOICES = {
    "git": re.compile(r"(?:fatal|hint|remote): |error: pathspec "),
    "npm": re.compile(r"npm (?:error|ERR!)"),
    "pnpm": re.compile(r"\W*ERR_PNPM"),
}
_USAGE = re.compile(r"^\s*usage:\s+(\S+)(?: ([a-z][\w-]+))?", re.IGNORECASE | re.MULTILINE)
_PRINTED = re.compile(r"(?!-[neE]+$)[\w.:=#*-]{2,}")  # as it is written, whatever the shell
_SPEAKS, _SHOWS_USAGE, _HAS_OPTION, _MOST_NAMED_WORDS = 8, 6, 4, 3


class Blame(NamedTuple):
    part: Part  # the most likely one
    is_sure: bool  # the error names it, it wrote the error, or no other command does the work


@lru_cache(maxsize=256)
def blame(command: str, error: str, message: str) -> Blame | None:
    """Returns None for a line that does no work; `message` is the telling line of the error."""
    line = _reached(parts(command), error)
    works = set(working(line)[:_MOST_COMMANDS])
    if not works:
        return None
    if len(line) == 1:
        return Blame(line[0], True)
    usage = _USAGE.search(error[:_LONGEST_ERROR])
    best, found = (-1, False, False, 0), line[0]
    for index, part in enumerate(line[:_MOST_COMMANDS]):
        score = _score(part, message, usage)
        # A command after a pipe or `||` depends on the one before it; of all others the last one ended the line.
        depends = index > 0 and line[index - 1].operator in ("|", "||")
        rank = (score, index in works, not depends and not _is_quiet(part), -index if depends else index)
        if rank > best:
            best, found = rank, part
    return Blame(found, best[0] > 0 or len(works) == 1)


def _reached(line: tuple[Part, ...], error: str) -> tuple[Part, ...]:
    """Returns the commands before an `echo` behind `&&` whose text was not printed: neither it nor the rest ran."""
    for index, part in enumerate(line):
        is_next = index > 0 and line[index - 1].operator == "&&"
        if is_next and part.program == "echo" and part.operator == "&&" and len(error) <= _LONGEST_ERROR:
            words = part.words[1:]
            if words and all(_PRINTED.fullmatch(word) for word in words) and " ".join(words) not in error:
                reached = line[:index]
                return reached if working(reached) else line
    return line


def _is_quiet(part: Part) -> bool:
    return part.program in NAME_THEMSELVES or looks(part)


def _score(part: Part, message: str, usage: re.Match[str] | None) -> int:
    """Scores by who wrote the error, whose usage is shown, and which options and words the error repeats."""
    name = part.program.rpartition("/")[2]
    voice = _VOICES.get(name)
    if message.startswith(f"{name}: ") or (voice and voice.match(message)):
        score = _SPEAKS
    elif name in NAME_THEMSELVES:
        return 0
    else:
        score = 0
    if usage and usage[1] == name:
        score += _SHOWS_USAGE + (usage[2] is not None and usage[2] == program_of(" ".join(part.words))[1])
    options = {word.partition("=")[0] for word in part.words[1:] if word.startswith("-")}
    score += _HAS_OPTION * any(is_named(word, message) or is_named(word.lstrip("-"), message) for word in options)
    return score + min(_MOST_NAMED_WORDS, sum(_is_named(word, message) for word in {*part.words[1:]} - options))


def _is_named(word: str, message: str) -> bool:
    """Whether the error names the word or its top folder."""
    folder, slash, _ = word.partition("/")
    return is_named(word, message) or (bool(slash) and is_named(folder, message))


def suspects(command: str, error: str, message: str) -> list[list[str]]:
    """Returns the words of every command that the error can be about: one if that is certain, else all that do the
    work.

    Skips commands that only help or prepare others, unless there is no other.
    """
    found = blame(command, error, message)
    if found is None:
        others = [texts[-1].split(" ") for texts in invocations(command[:LONGEST_LINE])]
        return [words for words in others if words[0] not in SET_UP and after_assignments(words, 0) < len(words)]
    line = _reached(parts(command), error)
    works = [found.part] if found.is_sure else [line[index] for index in working(line)[:_MOST_COMMANDS]]
    works = [part for part in works if part.inner or part.program not in HELPERS] or works
    works = [part for part in works if part is works[-1] or not _only_sets_up(part)]
    return [words for part in works for words in _inside(part, error, message) or [part.words]]


def _inside(part: Part, error: str, message: str) -> list[list[str]]:
    """Returns the suspects of the script that a shell or `ssh` runs."""
    return [words for script in part.inner if len(script) < LONGEST_LINE for words in suspects(script, error, message)]


def _only_sets_up(part: Part) -> bool:
    return not SET_UP_SUB_COMMANDS.get(part.program, frozenset()).isdisjoint(part.words[1:2])
