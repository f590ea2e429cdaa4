"""`lessons reject`: rejects candidates, which are then not shown again."""

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.options.candidates import complete_candidate


@click.command("reject", short_help="Reject candidates: they are not shown again")
@click.argument("names", nargs=-1, required=True, metavar="N|ID...", shell_complete=complete_candidate)
@click.option("--reason", default="", help="Why, for the record.")
@render.json_option
def command(names: tuple[str, ...], reason: str, as_json: bool) -> None:
    """Reject candidates: they are not shown again.

    ID is a number of the list that `lessons candidates` showed last, or a fingerprint or its beginning. Near duplicates
    are rejected with it. `lessons undo` undoes it.
    """
    import msgspec

    from lessons.promote.promotion.promotion import archive
    from lessons.promote.queue.selection import selected

    home = paths.data_home()
    groups = selected(home, names)
    marks = dict.fromkeys(each.fingerprint for group in groups for each in group)
    done = [archive(home, mark, reason) for mark in marks]
    document = {"rejected": [msgspec.to_builtins(each) for each in done]}
    render.emit(as_json, document, lambda: _print(list(marks)))


def _print(marks: list[str]) -> None:
    for mark in marks:
        render.say(f"Rejected {mark}. `lessons undo` undoes it.")
