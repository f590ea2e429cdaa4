"""The summary at the end of a review."""

import shlex

from lessons.candidate import WRITTEN
from lessons.cli import render
from lessons.cli.review.walk import Walk
from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.promote.backtest.rule import compiled
from lessons.promote.review.case import Case


def finish(walk: Walk, whole: bool, hidden: int) -> None:
    counts = walk.counts()
    decided = ", ".join(f"{number} {name}" for name, number in counts.items()) or "nothing decided"
    left = len(walk.cases) - walk.position
    rest = f"; {left} left: `lessons review` continues there" if left else ""
    render.say(f"\n{decided.capitalize()}{rest}.")
    if whole and hidden:
        render.say(f"{hidden:,} more were seen in one session only or have no known remedy: `lessons review --all`.")
    for case, _ in walk.promoted()[-1:]:
        if line := try_line(case):
            render.say(f"See it fire:  {line}")


def try_line(case: Case) -> str:
    """Returns a `lessons try` command that shows the lesson fire; empty if no command of the history does."""
    if case.triggers is None or case.candidate.tier == WRITTEN:  # tags and imports are not based on a call
        return ""
    call = ToolCall("Bash", {"command": case.pair.failed})
    if why_it_fires(compiled(case.triggers).rule, call) is None:
        return ""
    line = f"lessons try {shlex.quote(case.pair.failed)}"
    return f"{line} --cwd {shlex.quote(case.scope.path)}" if case.scope.path else line
