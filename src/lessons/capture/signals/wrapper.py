"""Finds a wrapper around the command that was dropped, added or changed."""

from lessons.capture.signals.content import around
from lessons.capture.signals.difference import shortened
from lessons.capture.signals.pair import Command, Pair
from lessons.episode import Change


def change(pair: Pair) -> Change | None:
    """Detects `rtk npm test` → `npm test`, `pytest` → `uv run pytest`: the command itself is the same."""
    if not pair.before.words or pair.before.words != pair.after.words or pair.failure.command == pair.fix.command:
        return None
    fixed = {one.words: one for one in reversed(pair.fixed.commands)}
    same = [(one, fixed[one.words]) for one in pair.failed.commands if one.words in fixed]
    return next(filter(None, (_change(pair, *both) for both in ((pair.before, pair.after), *same))), None)


def _change(pair: Pair, before: Command, after: Command) -> Change | None:
    one, other = before.outer, after.outer
    if one == other:
        one = around(pair.failure.command, before.words).strip()
        other = around(pair.fix.command, after.words).strip()
    if one == other:
        return None
    if one.endswith("/") or other.endswith("/"):  # the same program from another place
        one, other = _with_program(one, before), _with_program(other, after)
    return Change("wrong-command", shortened(one), shortened(other))


def _with_program(outer: str, command: Command) -> str:
    return outer + command.program if outer.endswith("/") else f"{outer} {command.program}".strip()
