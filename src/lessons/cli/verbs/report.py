"""`lessons report`: writes a page with plots of what the lessons did."""

import os
import webbrowser
from pathlib import Path

import click
import msgspec

from lessons import config, paths
from lessons.cli import render
from lessons.errors import NotFound, Refused
from lessons.report.compose import compose
from lessons.report.page import page
from lessons.store import files
from lessons.store.history.history import History


@click.command("report", short_help="Write a page of what the lessons did, with plots")
@click.option(
    "-o", "--output", "file", metavar="FILE", help="Where to write it.  [default: report.html in the data home]"
)
@click.option("--open", "is_opened", is_flag=True, help="Open it in your browser.")
@click.option("--full", is_flag=True, help="Replay a long history too: a minute for a million calls.")
@render.json_option
def command(file: str | None, is_opened: bool, full: bool) -> None:
    """Write a page of what the lessons did, with plots: for example  lessons report --open

    One HTML file that loads nothing and sends nothing: repeats per week, the effect of each lesson with its interval,
    unsolved mistakes, and what lessons would have caught. It quotes your transcripts: read it before you share it.

    The page depends only on the data: two runs give the same page.
    """
    if render.is_json() and (file is not None or is_opened):
        raise click.UsageError("--json prints the document and writes no page: leave out -o and --open.")
    home = paths.data_home()
    target = paths.report_file(home) if file is None else _checked(file)
    with History.for_reading(home) as history, render.progress("Replaying", "sessions") as watch:
        report = compose(history, config.load(home), full=full, watch=watch)
    if render.is_json():
        render.emit(msgspec.to_builtins(report))
        return
    files.write_text(target, page(report))
    render.say(target)
    if is_opened and not render.can_ask():
        render.note("Not opened: there is no terminal.")
    elif is_opened and not webbrowser.open(Path(target).as_uri()):
        render.note("No browser was found: open the file yourself.")


def _checked(file: str) -> str:
    """Returns the absolute path; refuses one that cannot be written."""
    if not file.strip():
        raise Refused("-o is empty: give the file to write.")
    path = os.path.abspath(os.path.expanduser(file))
    if os.path.isdir(path):
        raise Refused(f"{path} is a folder: give the file to write, such as {os.path.join(path, 'report.html')}.")
    if not os.path.isdir(os.path.dirname(path)):
        raise NotFound(f"The folder {os.path.dirname(path)} does not exist: create it first.")
    return path
