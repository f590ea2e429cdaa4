"""A failed call and a later one in, both taken apart for comparison out."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lessons.capture.command_line import LONGEST_LINE, Part, parts, working
from lessons.episode import Step

_PREPARES = frozenset(("source", ".", "export", "nvm", "conda", "set"))
_LOOK_BACK = 5
_SIGNS = str.maketrans("", "", "'\"\\` \t\n")

Words = tuple[str, ...]


class Line(NamedTuple):
    """A shell line: where it goes first, what it prepares and what it runs there."""

    folders: Words  # of `cd`
    prepared: Words  # `source venv/bin/activate`, `export A=b`
    commands: tuple[Words, ...]  # those that do the work, without their wrappers
    signs: str  # the line without quotes, escapes and spaces


class Pair(NamedTuple):
    """What is compared: a failure, the call that may have resolved it, and the calls between them."""

    failure: Step
    fix: Step
    between: tuple[Step, ...]
    blamed: str = ""  # the program that the error speaks of
    folder: str = ""  # where the shell stood when it failed, and when it worked
    fixed_folder: str = ""

    @property
    def failed(self) -> Line:
        return line_of(self.failure.command)

    @property
    def fixed(self) -> Line:
        return line_of(self.fix.command)

    def words(self) -> tuple[Words, Words]:
        """The command that failed, and the one that stands for it in the other line."""
        return _words(self.failed.commands, self.fixed.commands, self.blamed)


@lru_cache(maxsize=256)
def line_of(command: str) -> Line:
    script = command[:LONGEST_LINE]
    found: tuple[Part, ...] = parts(script)
    folders = tuple(part.words[1] for part in found if part.program in ("cd", "pushd") and len(part.words) > 1)
    prepared = tuple(" ".join(part.words) for part in found if part.program in _PREPARES)
    commands = tuple(_unredirected(found[index].words) for index in working(found))
    return Line(folders, prepared, commands, script.translate(_SIGNS))


def _unredirected(words: list[str]) -> Words:
    return tuple(word for word in words if not word.startswith((">", "2>", "<", "&>", "1>")) and word != "/dev/null")


def _words(failed: tuple[Words, ...], fixed: tuple[Words, ...], blamed: str) -> tuple[Words, Words]:
    if not failed or not fixed:
        return (), ()
    before = next((words for words in failed if words[0].rpartition("/")[2] == blamed), failed[0])
    same = [words for words in fixed if words[0] == before[0]]
    if before not in same and failed[0] in fixed:
        same = same or [fixed[0]]
    return before, max(same or [fixed[0]], key=lambda words: similarity(before, words))


def similarity(before: Words, after: Words) -> float:
    """Shared words of all words."""
    one, other = set(before), set(after)
    return len(one & other) / len(one | other) if one or other else 1.0


def stood(thread: Sequence[Step], place: int) -> str:
    """Where the shell stood: transcripts note a `cd` only with the next message."""
    step = thread[place]
    for other in reversed(thread[max(0, place - _LOOK_BACK) : place]):
        if other.cwd != step.cwd:
            return step.cwd
        folders = line_of(other.command).folders if "cd " in other.command and other.outcome == "ok" else ()
        if folders and folders[-1].startswith("/"):
            return folders[-1].rstrip("/")
    return step.cwd
