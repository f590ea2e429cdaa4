"""Reads one line that a person types, and notices ^C at any moment."""

import sys

import click.termui

_SECONDS_OF_A_WAIT = 0.2


def use_for_prompts() -> None:
    """Makes the prompts of click read their lines with `read_line`."""
    click.termui.visible_prompt_func = read_line


def read_line(prompt: str = "") -> str:
    """Returns the line as `input` does.

    A ^C that comes just before a read is noticed only when the read ends. So this waits in short steps until a whole
    line is there. Readline, once loaded, edits the line itself and needs the terminal from the first key on.
    """
    if "readline" in sys.modules or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return input(prompt)
    try:
        import select
        import termios  # noqa: F401
    except ImportError:  # Windows
        return input(prompt)
    sys.stdout.write(prompt)
    sys.stdout.flush()
    while not select.select([sys.stdin], [], [], _SECONDS_OF_A_WAIT)[0]:
        pass
    return input()
