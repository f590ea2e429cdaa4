"""`lessons tend`: proposes what should happen to lessons next, and applies it."""

import click
import msgspec

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.errors import LessonsError
from lessons.ledger import tend
from lessons.prove.tend.facts import Proposal
from lessons.store.decisions import Decision


@click.command("tend", short_help="Go through what should change about your lessons")
@click.option("--yes", is_flag=True, help="Apply every proposal; `lessons undo` reverts one.")
@render.json_option
def command(yes: bool, as_json: bool) -> int:
    """Go through what should change about your lessons, one proposal at a time, each with its reason.

    It proposes to activate a lesson whose matches in shadow failed often enough, to stop the call if its hint is
    ignored, to weaken a lesson after false alarms, overrides or bad feedback, to change a trigger that misses the
    mistake, and to retire a lesson that is no longer needed. Without a terminal, and with --json, it lists the
    proposals; with --yes it applies all of them. `lessons scan` updates them. `lessons undo` reverts a step.
    """
    home = data_home()
    found = tend.proposals(home)
    if yes:
        made, refused = _all(home, found)
        document = {"made": msgspec.to_builtins(made), "refused": refused, "proposals": _documents(home)}
        render.emit(as_json, document, lambda: _say_made(made, refused, len(found)))
        return 0
    if as_json or not render.can_ask():
        render.emit(as_json, {"proposals": msgspec.to_builtins(found)}, lambda: _list(found))
        return 0
    if not found:
        render.say("Nothing to change.")
        return 0
    # Imported late: nothing else here needs a terminal.
    from lessons.cli.tend_walk import walk

    walk(home, found)
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


def _list(found: list[Proposal]) -> None:
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
