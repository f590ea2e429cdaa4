"""`lessons undo`: undoes the last change, or an earlier decision."""

from typing import TYPE_CHECKING

import click

from lessons import paths
from lessons.cli import render
from lessons.errors import LessonsError

if TYPE_CHECKING:
    from lessons.store.decisions import Decision, Note

_CHANGES = {
    "added": "Removed {}: added last, and unchanged since.",
    "archived": "{} fires again.",
    "unarchived": "Retired {} again.",
    "muted": "Unmuted {}.",
    "unmuted": "Muted {} again.",
    "trusted": "{} is no longer trusted.",
}


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Returns the ids of the decisions that can be undone."""
    from lessons.store import decisions

    try:
        found = decisions.standing(decisions.read(paths.data_home()))
    except LessonsError:
        return []
    return [each.id for each in found if not each.part_of and each.id.startswith(incomplete.upper())]


@click.command("undo", short_help="Undo the last change, or an earlier decision")
@click.argument("decision", required=False, metavar="[ID]", shell_complete=_complete)
@click.option("--list", "listed", is_flag=True, help="List the decisions that can be undone, latest first.")
@render.json_option
def command(decision: str | None, listed: bool, as_json: bool) -> None:
    """Undo the last change, or an earlier decision: the one with this ID.

    Changes are add, edit, archive, mute and trust; decisions are promote, reject, merge, an edit and a step of tend. A
    lesson that was added or promoted is removed, and its candidate is back in review. If it was changed since, it is
    kept and nothing is undone.
    """
    # Imported late: help and completion need none of it.
    import msgspec

    from lessons.promote import decide

    if listed and decision is not None:
        raise click.UsageError("Use --list or an ID, not both.")
    home = paths.data_home()
    decide.settle(home)
    if listed:
        _list(home, as_json)
        return
    undone = decide.undo(home, decision)
    render.emit(as_json, msgspec.to_builtins(undone), lambda: render.say(_message(home, undone)))


def _list(home: str, as_json: bool) -> None:
    import msgspec

    from lessons.promote import decide
    from lessons.store.decisions import standing

    found = [each for each in reversed(standing(decide.decided(home))) if not each.part_of]
    rows = [(each.id, each.time, _word_for(each), each.fingerprint, each.slug or each.reason) for each in found]
    columns = ("id", "time", "decision", "candidate", "about")
    empty = "No decision is left that can be undone."
    render.emit(as_json, {"decisions": msgspec.to_builtins(found)}, lambda: render.table(columns, rows, empty))


def _word_for(decision: "Decision") -> str:
    from lessons.candidate import word_for

    if decision.action == "kept":
        return f"no to {decision.step}"
    return decision.step or word_for(decision.action)


def _message(home: str, undone: "Decision | Note") -> str:
    from lessons.store import decisions

    if isinstance(undone, decisions.Note):
        return _CHANGES[undone.reason].format(undone.slug)
    before = next(each for each in decisions.read(home) if each.id == undone.undoes)
    if before.action == "kept":
        return f"{before.slug} is proposed again ({before.step})."
    if not before.fingerprint:
        return f"{before.slug} is as it was before ({before.step} undone)."
    then = f"{before.fingerprint} is back in review."
    if before.action == "promoted":
        return f"Removed {before.slug}. {then}"
    return f"Restored {before.slug}. {then}" if before.slug else then
