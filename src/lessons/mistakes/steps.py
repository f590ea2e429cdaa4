"""What is compared between two calls of a thread: their features, their words, and whether they worked."""

import re
from functools import lru_cache

import msgspec

from lessons.episode import Step
from lessons.mistakes.features import features_of, program_of
from lessons.mistakes.line import commands_of

_REMEMBERED = 4096  # calls: of a thread each is looked at several times
_LONGEST_TEXT = 8192
_QUOTES = str.maketrans("\"'", "  ")
_NAME = re.compile(r"[A-Za-z0-9_@.+-]{1,64}")


@lru_cache(maxsize=_REMEMBERED)
def features(step: Step) -> frozenset[str]:
    """Returns the features of a call, as the hook has them for a call that is about to be made."""
    return frozenset(features_of(step.tool, _arguments(step), step.command or None, step.cwd))


def text_of(step: Step) -> str:
    """Returns the line of a shell, or the arguments of another tool."""
    return step.command or step.arguments


@lru_cache(maxsize=_REMEMBERED)
def words(step: Step) -> frozenset[str]:
    """Returns the words of a call; quotes separate them, and what has no letter or digit is none."""
    found = text_of(step)[:_LONGEST_TEXT].translate(_QUOTES).split()
    return frozenset(word for word in found if any(map(str.isalnum, word)))


@lru_cache(maxsize=_REMEMBERED)
def programs(step: Step) -> tuple[str, ...]:
    """Returns the programs of a line in order, each once; none for another tool than a shell."""
    names = [program_of(command.words[0][0]) for command in commands_of(step.command) if command.words]
    return tuple(dict.fromkeys(name for name in names if _NAME.fullmatch(name)))


def is_same(one: Step, other: Step) -> bool:
    """Whether it is the identical call, in whatever folder."""
    return (one.tool, one.command, one.arguments) == (other.tool, other.command, other.arguments)


def worked(step: Step) -> bool:
    return step.outcome == "ok" and not step.suspicious


def is_counted(step: Step) -> bool:
    """Whether it is known how the call ended: only such calls are counted."""
    return step.outcome == "failed" or worked(step)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Returns the shared part of the smaller set."""
    return len(one & other) / max(1, min(len(one), len(other)))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Returns the shared part of both sets together."""
    return len(one & other) / len(one | other) if one or other else 1.0


def _arguments(step: Step) -> object:
    if step.command or not step.arguments:
        return None
    try:
        return msgspec.json.decode(step.arguments)
    except msgspec.DecodeError:  # a damaged row
        return None
