"""`lessons tend`: proposes what should happen to lessons next, and applies it; on a terminal one key for each."""

import shutil
import textwrap

import click
import msgspec

from lessons.cli import render
from lessons.cli.options import data_home
from lessons.cli.terminal import ask_key, single_keys
from lessons.errors import LessonsError
from lessons.prove import tend
from lessons.prove.next_step import Proposal
from lessons.store.decisions import Decision

_KEYS = "[y]es, do it  s[k]ip  [n]o, not again  [q]uit  > "
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


@click.command("tend", short_help="Go through what should change about your lessons")
@click.option("--yes", is_flag=True, help="Apply every proposal; `lessons undo` reverts one.")
@render.json_option
def command(yes: bool) -> int:
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
        _apply_all(home, found)
        return 0
    from lessons.learn.probation import ended  # imported late: it needs the matcher

    done = ended(home)
    if not render.is_json():
        for each in done:
            render.note(f"{each.slug}: {each.reason} `lessons undo {each.id}` reverts that.")
    if not render.can_ask():
        document = {"proposals": msgspec.to_builtins(found), "done": msgspec.to_builtins(done)}
        rows = [(each.slug, each.step, each.reason) for each in found]
        render.emit(document, lambda: render.table(("lesson", "step", "why"), rows, "Nothing to change."))
    elif found:
        _walk(home, found)
        tend.note_waiting(home, tend.proposals(home))
    else:
        render.say("Nothing to change.")
    return 0


def _apply_all(home: str, found: list[Proposal]) -> None:
    made: list[Decision] = []
    refused: list[dict[str, str]] = []
    for each in found:
        try:
            made.append(tend.carry_out(home, each))
        except LessonsError as fault:
            refused.append({"slug": each.slug, "reason": str(fault)})
    left = tend.proposals(home)
    tend.note_waiting(home, left)

    def print_all() -> None:
        if not found:
            render.say("Nothing to change.")
        for done in made:
            render.say(f"{done.slug}: {done.step}. {done.reason}")
        for refusal in refused:
            render.note(f"{refusal['slug']} is left as it is: {refusal['reason']}")
        if made:
            render.say("Run `lessons undo` to revert the last step, `lessons undo --list` to see all.")

    document = {"made": msgspec.to_builtins(made), "refused": refused, "proposals": msgspec.to_builtins(left)}
    render.emit(document, print_all)


def _walk(home: str, found: list[Proposal]) -> None:
    """Shows one proposal after the other, and does what the keys say."""
    with single_keys():
        for number, one in enumerate(found, start=1):
            _show(one, f"{number} of {len(found)}")
            key = ask_key(_KEYS, "yknq")
            if key == "q":
                return
            try:
                if key == "y":
                    tend.carry_out(home, one)
                    click.secho(f"{one.slug}: {one.step}. `lessons undo` reverts it.", fg="green")
                elif key == "n":
                    tend.decline(home, one)
                    click.secho("Not proposed again for what was seen so far. `lessons undo` reverts that.", fg="green")
            except LessonsError as refused:
                click.secho(str(refused), fg="red")


def _show(one: Proposal, place: str) -> None:
    click.secho(f"\n{place}  {render.printable(one.slug)}: {one.step}", bold=True)
    figures = []
    for name, value in one.evidence.items():  # without zeros and the ids of calls
        word = _WORDS.get(name, name)
        if isinstance(value, str) and value:
            figures.append(f"{word} {value[:10]}")
        elif isinstance(value, float):
            figures.append(f"{word} {value:.0%}")
        elif isinstance(value, int) and value:
            figures.append(f"{value:,} {word}")
    lines = [one.summary, one.reason, " · ".join(figures)]
    changes = one.changes or {}
    lines += [f"{word}: {_text(changes[name])}" for name, word in _PROPOSED.items() if name in changes]
    width = max(40, shutil.get_terminal_size().columns - 1)
    for line in lines:
        click.echo(textwrap.fill(render.printable(line), width, initial_indent="  ", subsequent_indent="  "))


def _text(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key} {_text(each)}" for key, each in value.items() if each is not None)
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
