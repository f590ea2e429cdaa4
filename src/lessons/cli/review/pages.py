"""Prints lines that may be longer than the screen, one screen at a time."""

import shutil
from collections.abc import Sequence

import click
from rich.cells import cell_len

from lessons.cli.review.keys import read_key


def show_pages(lines: Sequence[str]) -> None:
    """Prints the lines and waits for a key after each screen; q leaves out the rest."""
    pages = pages_of(lines, *shutil.get_terminal_size())
    click.echo()
    for number, page in enumerate(pages, start=1):
        for line in page:
            click.echo(line)
        more = number < len(pages)
        click.echo("press any key for more, q to return > " if more else "press any key > ", nl=False)
        key = read_key()
        click.echo()
        if key == "q":
            return


def pages_of(lines: Sequence[str], columns: int, rows: int) -> list[list[str]]:
    """Returns the lines of each page; a line that is wider than the screen counts as several."""
    pages: list[list[str]] = [[]]
    left = room = max(4, rows - 2)  # a blank line above, the question below
    for line in lines:
        taken = max(1, -(-cell_len(line) // max(1, columns)))
        if taken > left and pages[-1]:
            pages.append([])
            left = room
        pages[-1].append(line)
        left -= taken
    return pages
