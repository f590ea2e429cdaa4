"""Prints results as text for a terminal, as lines for a pipe, or as JSON."""

import json
import os
import re
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TextIO

import click
import msgspec

from lessons.plain import FIRST_UNWRITTEN, HIDDEN, LINE_ENDS, OPENINGS, without_marks
from lessons.started_by import agent_around


def _remember(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    context.meta[_JSON] = is_wanted or context.meta.get(_JSON, False)


_JSON = "lessons.json"
json_option = click.option(
    "--json", is_flag=True, expose_value=False, callback=_remember, help="Print one JSON document and nothing else."
)
# People write joiners and the selectors of emoji; on a terminal nothing is lost without them.
_USUAL = dict.fromkeys((0x200C, 0x200D, 0xFE0E, 0xFE0F))
# What is hidden is shown to be there.
_HIDDEN = {**dict.fromkeys(HIDDEN, "\ufffd"), **LINE_ENDS, **_USUAL}
# JSON itself escapes those below the space.
_HIDDEN_IN_JSON = {number: json.dumps(chr(number))[1:-1] for number in HIDDEN if number >= 32}
_BRACKETS_IN_JSON = {ord(opening): f"\\u{ord(opening):04x}" for opening in OPENINGS}
_SECONDS_BETWEEN_DRAWINGS = 0.1
_COMMAND_OF_CI = re.compile(r"#(?=#(?:vso)?\[)")
_CODE = re.compile("`[^`]{1,60}`")


class Show(Protocol):
    """Reports how far a step is."""

    def __call__(self, done: int, total: int, step: str = ..., /) -> None: ...


def is_json() -> bool:
    """Whether the verb that runs was called with --json."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_JSON))


def emit(document: object, human: Callable[[], None] = lambda: None) -> None:
    """The document as JSON if that was asked for, else whatever `human` prints."""
    if not is_json():
        human()
        return
    if sys.stdout is None or sys.stdout.encoding.lower() != "utf-8":
        text = json.dumps(document, indent=2)
    else:
        try:
            text = msgspec.json.format(msgspec.json.encode(document), indent=2).decode()
        except (TypeError, ValueError):  # half a surrogate pair, or a kind of key
            text = json.dumps(document, indent=2, ensure_ascii=False)
    text = text.translate(_HIDDEN_IN_JSON)
    if not text.isascii() and max(text) >= FIRST_UNWRITTEN:
        text = "".join(sign if sign < FIRST_UNWRITTEN else json.dumps(sign)[1:-1] for sign in text)
    # Nothing in it may pass for a client's words where an agent reads it.
    click.echo(text if without_marks(text) == text else text.translate(_BRACKETS_IN_JSON))


def say(text: str, hanging: int = 0) -> None:
    click.echo(folded(printable(text), sys.stdout, hanging))


def note(text: str) -> None:
    """Prints a message to stderr, so that a pipe gets only the result."""
    click.echo(folded(printable(text), sys.stderr), err=True)


def warn(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        click.secho(folded(f"warning: {printable(sentence)}", sys.stderr, hanging=9), fg="yellow", err=True)


def folded(text: str, stream: TextIO | None, hanging: int = 0) -> str:
    """The text with long lines folded to the width of a terminal; unchanged if the stream is not a terminal.

    Folds at spaces, never inside `code`. Further lines get the indent of the first, and `hanging` more spaces.
    """
    if stream is None or not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns - 1
    return "\n".join(_fold(line, width, hanging) if len(line) > width else line for line in text.split("\n"))


def _fold(line: str, width: int, hanging: int) -> str:
    words = line.lstrip(" ")
    indent = " " * (len(line) - len(words))
    # A control character stands for the spaces in code: `printable` has removed all others.
    whole = _CODE.sub(lambda code: code[0].replace(" ", "\x1f"), words)
    pieces = textwrap.wrap(
        whole,
        max(20, width),
        initial_indent=indent,
        subsequent_indent=indent + " " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
        expand_tabs=False,
    )
    return "\n".join(pieces).replace("\x1f", " ")


def is_terminal() -> bool:
    """Whether a person reads the output."""
    return not is_json() and _is_terminal(sys.stdout)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def until(moment: float) -> str:
    return f"until {time.strftime('%Y-%m-%d %H:%M', time.localtime(moment))}"


def muted(end: float | None) -> str:
    return "muted" if end is None else f"muted {until(end)}"


def can_ask() -> bool:
    """Whether to ask: without a person, and with --json, no verb ever does."""
    return not is_json() and has_person()


def has_person() -> bool:
    """Whether there is a terminal on both ends, and it is not an agent's."""
    return _is_terminal(sys.stdout) and _is_terminal(sys.stdin) and not agent_around(os.environ)


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], empty: str, below: int = 1) -> None:
    """Rows under a heading on a terminal, tab-separated lines without one in a pipe.

    Where a terminal is too narrow, the last columns (`below` says how many) stand on a line of their own.
    """
    if not rows:
        note(empty)
        return
    lines = [[one_line(cell) for cell in row] for row in rows]
    if not is_terminal():
        click.echo("\n".join("\t".join(line) for line in lines))
        return
    from rich.cells import cell_len
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console()
    widths = [max(map(cell_len, column)) for column in zip(columns, *lines, strict=True)]
    beside = len(columns) if sum(widths) + 2 * len(widths) <= console.width else len(columns) - below
    for line in [columns, *lines]:
        padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(line[:beside], widths, strict=False))
        console.print(Text("  ".join(padded).rstrip(), style="bold" if line is columns else ""))
        if beside < len(columns) and line is not columns:
            console.print(Padding(Text("  ".join(line[beside:]), style="dim"), (0, 0, 0, 4), expand=False))


def fields(pairs: Sequence[tuple[str, object]]) -> None:
    """Names and values, one pair a line; on a terminal long values are folded beside their name."""
    width = max((len(name) for name, _ in pairs), default=0)
    room = max(20, shutil.get_terminal_size().columns - width - 3)
    for name, value in pairs:
        lines = printable(str(value)).splitlines() or [""]
        if is_terminal():
            lines = [piece for line in lines for piece in textwrap.wrap(line, room) or [""]]
        click.echo(f"{click.style(name.ljust(width), bold=True)}  {lines[0]}")
        for line in lines[1:]:
            click.echo(" " * (width + 2) + line)


def many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def size(number: int) -> str:
    return f"{number / 1e6:,.1f} MB" if number >= 100_000 else f"{number / 1e3:,.1f} KB"


def cut(line: str) -> str:
    """Returns one line, cut to the width of the terminal."""
    line = line[: len(line) - len(line.lstrip())] + one_line(line)
    if not is_terminal():
        return line
    from rich.cells import cell_len, set_cell_size

    width = shutil.get_terminal_size().columns
    return line if cell_len(line) <= width else set_cell_size(line, width - 1).rstrip() + "…"


def one_line(cell: object) -> str:
    text = str(cell)
    if not (text.isascii() and text.isprintable()):  # nothing in it that steers a terminal
        text = printable(text)
    return " ".join(without_marks(text).split())


def for_log(text: str) -> str:
    """Returns one line that no CI takes for a command: these begin with `::`, or have `##[` or `##vso[` anywhere."""
    line = _COMMAND_OF_CI.sub("# ", one_line(text))
    return f"./{line}" if line.startswith("::") else line


def printable(text: str) -> str:
    """What neither steers a terminal nor hides anything, nor passes for a client's words where an agent reads it."""
    text = text.translate(_HIDDEN)
    if not text.isascii():
        text = "".join(sign if sign < FIRST_UNWRITTEN else "\ufffd" for sign in text)
    return without_marks(text)


@contextmanager
def progress(step: str, unit: str) -> Iterator[Show]:
    """Draws a bar on stderr, so that a pipe gets only the result, and removes it at the end; only on a terminal.

    It is drawn whenever something is reported, not by a thread: a process with threads cannot be copied for workers.
    """
    if not _is_terminal(sys.stderr):
        yield lambda done, total, now=step: None
        return
    from rich import progress as bars
    from rich.console import Console

    counted = (bars.DownloadColumn(),) if unit == "bytes" else (bars.MofNCompleteColumn(), bars.TextColumn(unit))
    columns = (bars.TextColumn("{task.description}"), bars.BarColumn(None), *counted, bars.TimeRemainingColumn(True))
    bar = bars.Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
    task = bar.add_task(step)
    drawn = 0.0

    def show(done: int, total: int, now: str = step) -> None:
        nonlocal drawn
        if done < total and not bar.live.is_started:  # work that is done at once needs no bar
            bar.start()
        # The next step may take a while before it reports again: its name must be there at once.
        is_due = now != bar.tasks[0].description or time.monotonic() - drawn >= _SECONDS_BETWEEN_DRAWINGS
        bar.update(task, description=now, total=total, completed=done)
        if is_due and bar.live.is_started:
            drawn = time.monotonic()
            bar.refresh()

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()


def put(text: str, indent: int = 0, style: str = "", label: str = "") -> None:
    """Prints a paragraph with a margin; folded lines align below the label, which gets the style if there is one."""
    margin = " " * indent
    words = folded(f"{margin}{label}{' '.join(printable(text).split())}", sys.stdout, len(label))
    if style:
        styled = label or words.removeprefix(margin)
        colour = next((name for name in style.split() if name not in ("bold", "dim")), None)
        shown = click.style(styled, fg=colour, bold="bold" in style or None, dim="dim" in style or None)
        words = margin + shown + words[len(margin) + len(styled) :]
    click.echo(words)


def put_lines(text: str, indent: int) -> None:
    """Prints every line of the text after a margin."""
    for line in printable(text).expandtabs(4).split("\n"):
        say(f"{' ' * indent}{line}".rstrip())
