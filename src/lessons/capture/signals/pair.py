"""Parses a failed call and a later one, and chooses the two commands to compare."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lessons.capture.signals.content import BLANKED, contents, unredirected
from lessons.capture.signals.difference import Words, similarity
from lessons.episode import Kind, Step
from lessons.failure.telling_line import telling_line
from lessons.shell.family import family_of
from lessons.shell.line import LONGEST_LINE, SCRIPT_DEPTH, Part, parts, working
from lessons.shell.named import is_named
from lessons.shell.programs import CHANGE_FOLDER, CHANGE_SHELL, SHELLS

_PREPARES = CHANGE_SHELL | {"nvm", "conda"}
_LOOK_BACK = 5
_MOST_COMMANDS = 50  # commands of a line: each is compared with each
_SEARCHED_CHARACTERS = 4096
_ALIKE = 0.5
_SIGNS = str.maketrans("", "", "'\"\\` \t\n")
_SUBSHELL = "(cd "  # its folder is left at its end


class Command(NamedTuple):
    """One simple command of a line."""

    words: Words = ()  # without wrappers and redirections
    folders: Words = ()  # of each `cd` before it
    outer: str = ""  # what runs it: `ssh host`, `bash -c`
    piped: bool = False  # it reads the output of the one before it

    @property
    def program(self) -> str:
        return self.words[0].rpartition("/")[2] if self.words else ""


class Line(NamedTuple):
    """A shell line: what it prepares and what it runs."""

    prepared: Words  # `source venv/bin/activate`, `export A=b`
    commands: tuple[Command, ...]  # those that do the work
    folders: Words  # of every `cd`, if the shell stays there
    signs: str  # the line without quotes, escapes and white space


class Pair(NamedTuple):
    """What is compared: a failure, the call that may have resolved it, and the context of both."""

    failure: Step
    fix: Step
    between: tuple[Step, ...]
    blamed: str  # the program that the error is about
    kind: Kind | None  # of the mistake, if the error shows it
    folder: str  # the shell's folder at the failure, and at the fix
    fixed_folder: str
    failed: Line
    fixed: Line
    before: Command  # the failed command, and its counterpart; without words if there is none
    after: Command

    @property
    def error(self) -> str:
        """The part of it that is searched for words."""
        return self.failure.error[:_SEARCHED_CHARACTERS]

    @property
    def said(self) -> str:
        """The line of the error that names the cause."""
        return telling_line(self.failure.error)


def pair_of(
    failure: Step,
    fix: Step,
    between: Sequence[Step] = (),
    blamed: str = "",
    kind: Kind | None = None,
    folders: tuple[str, str] = ("", ""),
) -> Pair:
    failed, fixed = line_of(failure.command), line_of(fix.command)
    before, after = Command(), Command()
    if failed.commands and fixed.commands:
        before, after = _compared(failed.commands, fixed.commands, blamed, telling_line(failure.error))
    return Pair(failure, fix, tuple(between), blamed, kind, *folders, failed, fixed, before, after)


@lru_cache(maxsize=256)
def line_of(command: str, depth: int = 0) -> Line:
    script = command[:LONGEST_LINE]
    found: tuple[Part, ...] = parts(script)
    works = set(working(found))
    prepared: list[str] = []
    commands: list[Command] = []
    folders: list[str] = []
    for index, part in enumerate(found):
        if len(commands) >= _MOST_COMMANDS:
            break
        if part.program in CHANGE_FOLDER:
            folders += part.words[1:2]
        elif part.program in _PREPARES:
            prepared.append(" ".join(contents(script, tuple(part.words))))
        elif index in works and part.inner and part.program in (*SHELLS, "ssh") and depth < SCRIPT_DEPTH:
            inner = line_of(part.inner[0], depth + 1)
            commands += [_inside(one, part, tuple(folders)) for one in inner.commands]
            prepared += inner.prepared
        elif index in works:
            piped = index > 0 and found[index - 1].operator == "|"
            commands.append(Command(_words(part), tuple(folders), "", piped))
    stays = () if _SUBSHELL in script else tuple(folders)
    return Line(tuple(prepared), tuple(commands[:_MOST_COMMANDS]), stays, script.translate(_SIGNS))


def _words(part: Part) -> Words:
    return tuple(part.words[place] for place in unredirected(part.words)) or (part.program,)


def _inside(command: Command, part: Part, folders: Words) -> Command:
    """Returns a command of a script that another one runs; `ssh` ignores the folder of this shell."""
    folders = command.folders if part.program == "ssh" else folders + command.folders
    return Command(command.words, folders, f"{_outer(part)} {command.outer}".strip(), command.piped)


def _outer(part: Part) -> str:
    """Returns the words before the script."""
    script = part.inner[0].split()
    words = [word for word in part.words if word != BLANKED]
    return " ".join(words[: -len(script)] if script and words[-len(script) :] == script else words)


def _compared(
    failed: tuple[Command, ...], fixed: tuple[Command, ...], blamed: str, said: str
) -> tuple[Command, Command]:
    """Returns the command that the error is about, by its program and the words it repeats, and its counterpart."""
    if len(failed) == 1:
        return failed[0], _counterpart(failed[0], failed, fixed)
    best, found = (-1.0, -1.0, -1.0), (failed[0], fixed[0])
    for one in failed:
        other = _counterpart(one, failed, fixed)
        names = sum(is_named(word, said) for word in set(one.words[1:]))
        score = (float(one.program == blamed), float(names), _tells(one, other))
        if score > best:
            best, found = score, (one, other)
    return found


def _tells(before: Command, after: Command) -> float:
    """Ranks similar commands above identical ones, and those above commands with little in common."""
    alike = similarity(before.words, after.words)
    return 1 + alike if _ALIKE <= alike < 1 and same_task(before, after) else alike


def same_task(before: Command, after: Command) -> bool:
    """Whether both have the same program, sub-command and script."""
    if before.program != after.program or not before.words:
        return False
    return family_of(before.words) == family_of(after.words)


def _counterpart(before: Command, failed: tuple[Command, ...], fixed: tuple[Command, ...]) -> Command:
    """Returns the most similar command; one already matched by another failed command comes last."""
    if len(fixed) == 1:
        return fixed[0]
    others = {one.words for one in failed if one.words != before.words}
    same = [one for one in fixed if one.program == before.program]
    return max(same or fixed, key=lambda one: (one.words not in others, similarity(before.words, one.words)))


def stood(thread: Sequence[Step], place: int) -> str:
    """Returns the shell's folder: transcripts record a `cd` only with the next message."""
    step = thread[place]
    for number in range(place - 1, max(-1, place - 1 - _LOOK_BACK), -1):
        other = thread[number]
        if other.cwd != step.cwd:
            return step.cwd
        folders = line_of(other.command).folders if "cd " in other.command and other.outcome == "ok" else ()
        if folders and folders[-1].startswith("/"):
            return folders[-1].rstrip("/")
    return step.cwd
