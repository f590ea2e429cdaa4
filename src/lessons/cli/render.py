"""What a verb found in, text for a terminal, for a pipe or as JSON out."""

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")


def emit(as_json: bool, document: object, human: Callable[[], None]) -> None:
    """The document as JSON if that was asked for, else whatever `human` prints."""
    if as_json:
        click.echo(json.dumps(document, indent=2, ensure_ascii=sys.stdout.encoding.lower() != "utf-8"))
    else:
        human()


def note(text: str) -> None:
    """A message beside the result: on stderr, so that a pipe gets the result alone."""
    click.echo(text, err=True)


def warn(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        click.secho(f"warning: {sentence}", fg="yellow", err=True)


def is_terminal() -> bool:
    return sys.stdout.isatty()


def can_ask() -> bool:
    """Whether there is a person to answer: without a terminal on both ends no verb ever asks."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], empty: str) -> None:
    """Rows under a heading on a terminal, tab-separated lines without one in a pipe."""
    if not rows:
        note(empty)
        return
    if not is_terminal():
        for row in rows:
            click.echo("\t".join(_one_line(cell) for cell in row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for position, column in enumerate(columns):
        # The first column is what a person copies: it is never cut.
        drawn.add_column(column, no_wrap=position == 0, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(_one_line(cell)) for cell in row))
    Console().print(drawn)


def fields(pairs: Sequence[tuple[str, object]]) -> None:
    """Names and values, one pair a line, long values below each other."""
    width = max((len(name) for name, _ in pairs), default=0)
    for name, value in pairs:
        lines = str(value).splitlines() or [""]
        click.echo(f"{click.style(name.ljust(width), bold=True)}  {lines[0]}")
        for line in lines[1:]:
            click.echo(" " * (width + 2) + line)


def _one_line(cell: object) -> str:
    return " ".join(printable(str(cell)).split())


def printable(text: str) -> str:
    """Without control characters: a lesson's text must not steer the terminal."""
    return "".join(character if character >= " " or character in "\n\t" else "�" for character in text)


def document_of(value: Any) -> object:
    """A named tuple, with its fields in camelCase, as it goes into a JSON document."""
    if hasattr(value, "_asdict"):
        return {_camel(name): document_of(each) for name, each in value._asdict().items()}
    if isinstance(value, list):
        return [document_of(each) for each in value]
    return value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
