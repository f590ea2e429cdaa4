"""The first screen of a review: the lessons that passed the test, decided all at once or one by one."""

from collections.abc import Sequence

from lessons import config
from lessons.agents.table import AGENTS
from lessons.cli import render
from lessons.cli.render import many
from lessons.cli.review_edit import ask_reason
from lessons.cli.terminal import ask_key, single_keys
from lessons.learn.accept import PendingLesson, activate, reject
from lessons.promote.review_case import Case, waiting

_KEYS = "[a]ccept all  [l]ook at each  [r]eject all  s[k]ip  [q]uit  > "
_COLUMNS = ("at   ", "caught", "disturbed", "lesson")
_MEANING = (
    "caught: failed calls it fires on. disturbed: good calls it fires on. Accepted lessons are hints: they never stop"
    " a call. `lessons undo` takes one back."
)
_OTHER_ROWS = 9  # of the screen, in addition to its lessons


def headline(found: Sequence[PendingLesson]) -> str:
    """Returns `14 lessons from Claude Code passed the test on your history`."""
    written = [each for each in found if each.summary]
    names = dict.fromkeys(_author(each.by) for each in written)
    return f"{many(len(written), 'lesson')} from {' and '.join(names)} passed the test on your history"


def _author(by: str) -> str:
    """Returns the title of an agent, without its model; any other name as it is."""
    name = by.partition(" (")[0]
    return AGENTS[name].title if name in AGENTS else render.printable(by)


def decide(home: str, found: Sequence[PendingLesson]) -> bool:
    """Shows them on one screen and applies the answer; returns whether to go on with other candidates."""
    if not _rows(found):
        return True
    from lessons.cli.excerpts import print_figures  # it needs rich

    render.say(f"\n{headline(found)}:")
    heading = "  ".join(_COLUMNS)
    widths = [len(name) for name in _COLUMNS[:-1]]
    rows = ["  ".join([*map(_cell, each[:-1], widths), each[-1]]) for each in _rows(found)]
    print_figures(heading, rows, _MEANING, _OTHER_ROWS)
    if adding := sum(len(each.ids) for each in found if not each.summary):
        render.say(f"{many(adding, 'more mistake')} would only add evidence to lessons that you have.")
    with single_keys():
        key = ask_key(_KEYS, "alrkq")
        reason = ask_reason() if key == "r" else None
    if key == "a":
        render.say(accept(home, found))
    elif reason is not None:
        reject(home, found, reason)
        render.say(f"Rejected {many(len(_rows(found)), 'lesson')}. `lessons undo --list` shows them.")
    elif key == "r":
        return decide(home, found)
    return _each(home, found) if key == "l" else key != "q"


def _each(home: str, found: Sequence[PendingLesson]) -> bool:
    from lessons.cli.review import Walk, finish

    walk = Walk(home, split(found, waiting(home, config.load(home), everything=True).cases)[0])
    whole = walk.run()
    finish(walk, whole, 0)
    return whole


def _cell(value: object, width: int) -> str:
    return str(value).ljust(width) if isinstance(value, str) else f"{value:>{width}}"


def _rows(found: Sequence[PendingLesson]) -> list[tuple[str, int, int, str]]:
    return [
        (each.acts, each.caught, each.disturbed, " ".join(render.printable(each.summary).split()))
        for each in found
        if each.summary
    ]


def accept(home: str, found: Sequence[PendingLesson]) -> str:
    """Returns a sentence about what was done."""
    activate(home, {name for each in found for name in each.ids})
    number = len(_rows(found))
    return f"Accepted {many(number, 'lesson')}, as {'a hint' if number == 1 else 'hints'}."


def show(found: Sequence[PendingLesson]) -> None:
    """Lists them where nobody can be asked."""
    render.table(_COLUMNS, _rows(found), "")
    render.note("Decide about them in `lessons review` on a terminal, or accept all with `lessons review --yes`.")


def split(found: Sequence[PendingLesson], cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Splits the cases of a review: those of these lessons, in their order, and all others."""
    places = {name: place for place, each in enumerate(found) for name in each.ids}

    def place(case: Case) -> int:
        return min(places.get(each.fingerprint, len(found)) for each in (case.candidate, *case.alike))

    learned = sorted((case for case in cases if place(case) < len(found)), key=place)
    return learned, [case for case in cases if place(case) == len(found)]
