"""Goes through proposals for lessons on a terminal, one key for each."""

import shutil
import textwrap
from collections.abc import Iterator, Mapping

import click

from lessons.cli import render
from lessons.cli.review.keys import forget_typed_ahead, read_key, single_keys
from lessons.errors import LessonsError
from lessons.ledger import tend
from lessons.promote.promotion import promotion
from lessons.prove.tend.facts import Proposal
from lessons.store.decisions import Decision

_KEYS = "y do it · k skip · n no, not again · u undo · ? help · q quit"
_WORDS = {
    "falseAlarms": "false alarms",
    "bad": "bad feedback",
    "judged": "calls judged",
    "lastMatch": "last match",
    "weeks": "weeks without a match",
    "low": "failed at least",
    "high": "failed at most",
}
_HELP = """y  apply it; u or `lessons undo` reverts it
k  skip: it is proposed again the next time
n  no: it is not proposed again for what was seen so far
u  undo the last step or answer of this walk
q  quit"""


def walk(home: str, found: list[Proposal]) -> None:
    made: list[tuple[int, Decision | None]] = []
    position = 0
    with single_keys():
        while position < len(found):
            _show(found[position], position, len(found))
            key = read_key()
            click.echo(key if key.isprintable() else "")
            if key == "q":
                return
            if key == "u":
                position = _undo(home, made, position)
            elif key == "k":
                made.append((position, None))
                position += 1
            elif key in ("y", "n") and (done := _answer(home, key, found[position])):
                made.append((position, done))
                position += 1
            elif key == "?":
                click.echo(_HELP)
            elif key.strip() and key not in ("y", "n"):
                click.secho(f"{key!r} is not a key. Press ? for help.", fg="yellow")


def _show(one: Proposal, position: int, number: int) -> None:
    forget_typed_ahead()
    click.echo()
    click.secho(f"{position + 1} of {number}  {render.printable(one.slug)}: {one.step}", bold=True)
    for line in (one.summary, one.reason, " · ".join(_figures(one.evidence))):
        click.echo(textwrap.fill(render.printable(line), _width(), initial_indent="  ", subsequent_indent="  "))
    if one.changes is not None and "triggers" in one.changes:
        click.echo(f"  new trigger: {render.printable(_text(one.changes['triggers']))}")
    click.echo(f"{_KEYS} > ", nl=False)


def _figures(evidence: Mapping[str, object]) -> Iterator[str]:
    """Yields the figures in words; leaves out zeros and the ids of calls."""
    for name, value in evidence.items():
        word = _WORDS.get(name, name)
        if isinstance(value, str) and value:
            yield f"{word} {value[:10]}"
        elif isinstance(value, float):
            yield f"{word} {value:.0%}"
        elif isinstance(value, int) and value:
            yield f"{value:,} {word}"


def _width() -> int:
    return max(40, shutil.get_terminal_size().columns - 1)


def _text(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key} {_text(each)}" for key, each in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _answer(home: str, key: str, one: Proposal) -> Decision | None:
    """Returns None if the step was refused."""
    try:
        decision = tend.carry_out(home, one) if key == "y" else tend.decline(home, one)
    except LessonsError as refused:
        click.secho(str(refused), fg="red")
        return None
    click.secho(f"{one.slug}: {one.step}." if key == "y" else "Not proposed again for this reason.", fg="green")
    return decision


def _undo(home: str, made: list[tuple[int, Decision | None]], position: int) -> int:
    if not made:
        click.secho("Nothing to undo here. `lessons undo` undoes earlier steps.", fg="yellow")
        return position
    before, decision = made[-1]
    if decision is not None:
        try:
            promotion.undo(home, decision.id)
        except LessonsError as refused:
            click.secho(str(refused), fg="red")
            return position
    made.pop()
    return before
