"""Finds whether the identical call worked after another command was run."""

import re

from lessons.capture.signals.difference import shortened, similarity
from lessons.capture.signals.looks import doing
from lessons.capture.signals.pair import Pair, line_of, same_task
from lessons.episode import Change, Step
from lessons.shell.named import is_named

_SIMILAR = 0.5
_WORD = re.compile(r"[A-Za-z]{4,30}")


def change(pair: Pair) -> Change | None:
    is_asked = pair.kind == "order-of-steps" and same_task(pair.before, pair.after)
    if not is_asked and not is_same(pair.failure, pair.fix):
        return None
    helped = [step for step in pair.between if does(step)]
    if not is_same(pair.failure, pair.fix):  # something else changed too, but the error asks for this
        helped = [step for step in helped if any(_asked(text, pair.error) for text in doing(step))]
    helped = [step for step in helped if not _tries_again(pair, step)]
    if not helped:
        return None
    folders = line_of(helped[-1].command).folders
    if folders and folders[-1].rstrip("/") != pair.folder.rstrip("/"):
        return Change("wrong-path", "", shortened(f"cd {folders[-1]}"))  # the shell stays there
    commands = [text for step in helped for text in doing(step)]
    # What the error asks for or speaks of, else what was run last.
    asked = [text for text in commands if _asked(text, pair.error)]
    named = [text for text in commands if _is_spoken_of(text, pair)]
    return Change("order-of-steps", "", shortened((asked or named or commands)[-1]))


def _is_spoken_of(command: str, pair: Pair) -> bool:
    """Whether the error has a word of it, which the failed call does not have."""
    words = [word for word in command.split()[1:] if _WORD.fullmatch(word) and word not in pair.failure.command]
    return any(is_named(word, pair.said) for word in words)


def _tries_again(pair: Pair, step: Step) -> bool:
    """Whether it is nearly the same command: that prepares nothing."""
    return any(
        same_task(pair.before, one) and similarity(pair.before.words, one.words) >= _SIMILAR
        for one in line_of(step.command).commands
    )


def is_same(failure: Step, fix: Step) -> bool:
    if failure.command:
        return failure.command.split() == fix.command.split()
    return failure.tool == fix.tool and failure.arguments == fix.arguments


def does(step: Step) -> bool:
    """Whether it changes something; a command still running in the background may be what was missing."""
    return step.outcome in ("ok", "unknown") and bool(doing(step))


def _asked(command: str, error: str) -> bool:
    words = command.split()
    return is_named(" ".join(words[:2]), error)
