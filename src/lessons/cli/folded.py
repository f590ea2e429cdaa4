"""Folds long lines on a terminal; leaves them whole in a pipe."""

from lessons.cli import render


def put(text: str, indent: int = 0, style: str = "", label: str = "") -> None:
    """Prints the text with a margin; folded lines align below the label, which gets the style if there is one."""
    line = " ".join(render.printable(text).split())
    if not render.is_terminal():
        render.say(" " * indent + label + line)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=0)
    grid.add_column(width=indent + len(label))
    grid.add_column()
    words = Text(line, style="" if label else style, overflow="fold")
    grid.add_row(Text(" " * indent + label, style=style), words)
    Console(highlight=False).print(grid)


def put_lines(text: str, indent: int) -> None:
    """Prints every line of the text unchanged, after a margin."""
    lines = render.printable(text).expandtabs(4).split("\n")
    if not render.is_terminal():
        for line in lines:
            render.say(f"{' ' * indent}{line}".rstrip())
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    for line in lines:
        console.print(Padding(Text(line, overflow="fold"), (0, 0, 0, indent), expand=False))
