"""`lessons tend`: proposes what should happen to lessons next, and applies it; on a terminal one key for each."""

import shutil
import textwrap
from collections.abc import Iterator, Mapping

import click
import msgspec

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.terminal import forget_typed_ahead, read_key, single_keys
from lessons.errors import LessonsError
from lessons.ledger import tend
from lessons.promote import decide
from lessons.prove.tend import Proposal
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
_PROPOSED = {"triggers": "new trigger", "scope": "new scope", "problem": "new problem", "solution": "new solution"}
_HELP = """y  apply it; u or `lessons undo` reverts it
k  skip: it is proposed again the next time
n  no: it is not proposed again for what was seen so far
u  undo the last step or answer of this walk
q  quit"""


@click.command("tend", short_help="Go through what should change about your lessons")
@click.option("--yes", is_flag=True, help="Apply every proposal; `lessons undo` reverts one.")
@render.json_option
def command(yes: bool, as_json: bool) -> int:
    """Go through what should change about your lessons, one proposal at a time, each with its reason.

    It proposes to activate a lesson whose matches in shadow failed often enough, to stop the call if its hint is
    ignored, to weaken a lesson after false alarms, overrides or bad feedback, to change a trigger or a text that new
    occurrences of the mistake call into question, and to retire a lesson that is no longer needed. Without a terminal,
    and with --json, it lists the proposals; with --yes it applies all of them. `lessons scan` updates them.
    `lessons undo` reverts a step. A learned lesson that fired on two good calls loses its trigger at the call by
    itself; it is named here for a month.
    """
    home = data_home()
    found = tend.proposals(home)
    if yes:
        made, refused = _all(home, found)
        document = {"made": msgspec.to_builtins(made), "refused": refused, "proposals": _documents(home)}
        render.emit(as_json, document, lambda: _say_made(made, refused, len(found)))
        return 0
    from lessons.learn.probation import ended  # imported late: it needs the matcher

    done = ended(home)
    if as_json or not render.can_ask():
        document = {"proposals": msgspec.to_builtins(found), "done": msgspec.to_builtins(done)}
        render.emit(as_json, document, lambda: _list(found, done))
        return 0
    _say_done(done)
    if not found:
        render.say("Nothing to change.")
        return 0
    _walk(home, found)
    tend.note_waiting(home, tend.proposals(home))
    return 0


def _all(home: str, found: list[Proposal]) -> tuple[list[Decision], list[dict[str, str]]]:
    made, refused = [], []
    for each in found:
        try:
            made.append(tend.carry_out(home, each))
        except LessonsError as fault:
            refused.append({"slug": each.slug, "reason": str(fault)})
    return made, refused


def _documents(home: str) -> object:
    """Returns the remaining proposals; updates the line for the next session start."""
    left = tend.proposals(home)
    tend.note_waiting(home, left)
    return msgspec.to_builtins(left)


def _say_done(done: list[Decision]) -> None:
    for each in done:
        render.note(f"{each.slug}: {each.reason} `lessons undo {each.id}` reverts that.")


def _list(found: list[Proposal], done: list[Decision]) -> None:
    _say_done(done)
    rows = [(each.slug, each.step, each.reason) for each in found]
    render.table(("lesson", "step", "why"), rows, "Nothing to change.")


def _say_made(made: list[Decision], refused: list[dict[str, str]], number: int) -> None:
    if not number:
        render.say("Nothing to change.")
    for each in made:
        render.say(f"{each.slug}: {each.step}. {each.reason}")
    for refusal in refused:
        render.note(f"{refusal['slug']} is left as it is: {refusal['reason']}")
    if made:
        render.say("Run `lessons undo` to revert the last step, `lessons undo --list` to see all.")


def _walk(home: str, found: list[Proposal]) -> None:
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
    for name, word in _PROPOSED.items():
        if one.changes is not None and name in one.changes:
            line = f"{word}: {render.printable(_text(one.changes[name]))}"
            click.echo(textwrap.fill(line, _width(), initial_indent="  ", subsequent_indent="  "))
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
        return "; ".join(f"{key} {_text(each)}" for key, each in value.items() if each is not None)
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
            decide.undo(home, decision.id)
        except LessonsError as refused:
            click.secho(str(refused), fg="red")
            return position
    made.pop()
    return before
