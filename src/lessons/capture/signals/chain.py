"""Finds a command of the line that was dropped, replaced, or added before the others."""

from lessons.capture.signals.content import around
from lessons.capture.signals.difference import shortened, similarity
from lessons.capture.signals.pair import Command, Pair
from lessons.episode import Change, Step
from lessons.shell.looks import only_looks

_MOST_STEPS = 2  # that are shown


def change(pair: Pair) -> Change | None:
    """Detects `rm x.lock && git pull` → `git pull`, `git stash pop` → `git checkout a && git stash pop`."""
    before = [one.words for one in pair.failed.commands]
    after = [one.words for one in pair.fixed.commands]
    if before == after or not before or not after:
        return None
    gone = [one for one in pair.failed.commands if one.words not in after]
    came = [one for one in pair.fixed.commands if one.words not in before]
    if came and not gone and before[0] == after[len(came)]:
        helped = [one for one in came if not only_looks(_text(one))]
        return Change("order-of-steps", "", _all_written(pair.fix, helped)) if helped else None
    if len(before) == 1 or pair.before not in gone:
        return None
    if not came:
        return Change("wrong-command", _written(pair.failure, pair.before), "")
    if len(gone) == 1 and len(came) == 1 and _is_exchanged(pair, gone[0], came[0]):
        return Change("wrong-command", _written(pair.failure, gone[0]), _written(pair.fix, came[0]))
    return None


def _is_exchanged(pair: Pair, gone: Command, came: Command) -> bool:
    """Whether both are in a pipe, or share arguments."""
    if gone.program == came.program:
        return False
    return (gone.piped and came.piped) or similarity(gone.words[1:], came.words[1:]) > 0


def _all_written(step: Step, commands: list[Command]) -> str:
    """Returns the last of the commands, which prepare most directly, after a mark for those left out."""
    omitted = ["…"] if len(commands) > _MOST_STEPS else []
    return " && ".join([*omitted, *(_written(step, one) for one in commands[-_MOST_STEPS:])])


def _written(step: Step, command: Command) -> str:
    return shortened(around(step.command, command.words) + _text(command))


def _text(command: Command) -> str:
    return " ".join(command.words)
