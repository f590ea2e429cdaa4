"""Reads single keys and edited lines from a terminal."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

from lessons.plain import without_hidden

_SECONDS_OF_A_SEQUENCE = 0.02
_SECONDS_OF_A_WAIT = 0.2


@contextmanager
def single_keys() -> Iterator[None]:
    """Reads keys one by one without echo; ^C still interrupts.

    The mode is set once for all keys, not for each of them: a key pressed between two settings would be lost.
    """
    with _terminal(by_line=False, echo=False):
        yield


@contextmanager
def _terminal(by_line: bool, echo: bool) -> Iterator[None]:
    try:
        import termios
    except ImportError:  # Windows: click reads its keys
        yield
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    changed = termios.tcgetattr(descriptor)
    for flag, wanted in ((termios.ICANON, by_line), (termios.ECHO, echo)):
        changed[3] = changed[3] | flag if wanted else changed[3] & ~flag
    changed[6][termios.VMIN], changed[6][termios.VTIME] = 1, 0
    # Without the usual flush: keys typed meanwhile are kept.
    termios.tcsetattr(descriptor, termios.TCSADRAIN, changed)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def forget_typed_ahead() -> None:
    """Discards what was typed before the screen was shown."""
    with suppress(ImportError, OSError):
        import termios

        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def read_key() -> str:
    """Returns one character in lower case; "" for an arrow or another sequence, q at the end of the input."""
    try:
        import select
        import termios  # noqa: F401
    except ImportError:
        return click.getchar().lower()[:1]
    descriptor = sys.stdin.fileno()
    # A ^C that comes just before a read is noticed only when the read ends: never wait for long in one.
    while not select.select([descriptor], [], [], _SECONDS_OF_A_WAIT)[0]:
        pass
    data = os.read(descriptor, 1)
    if data in (b"", b"\x04"):
        return "q"
    if data == b"\x1b" or data >= b"\x80":
        while select.select([descriptor], [], [], _SECONDS_OF_A_SEQUENCE)[0] and os.read(descriptor, 32):
            pass
        return ""
    return data.decode("ascii").lower()


def ask_key(question: str, allowed: str) -> str:
    """Returns one of the allowed keys; ignores all others, so that nothing is decided by accident."""
    while True:
        forget_typed_ahead()
        click.secho(question, bold=True, nl=False)
        key = read_key()
        click.echo(key if key.isprintable() else "")
        if key and key in allowed:
            return key


def edit_line(question: str, present: str = "") -> str | None:
    """Returns the edited text; None if ^C or ^D cancels. Removes hidden characters from the present text."""
    present = without_hidden(present)
    try:
        import readline
    except ImportError:
        try:
            return str(click.prompt(question, default=present, show_default=bool(present))).strip()
        except click.Abort:
            return None
    readline.set_startup_hook(lambda: readline.insert_text(present))
    # The typed text is not a command line: completion of file names would only be in the way.
    readline.set_completer(lambda text, state: None)
    try:
        # Readline shows nothing on a terminal that does not echo.
        with _terminal(by_line=False, echo=True):
            return input(f"{question}: ").strip()
    except (KeyboardInterrupt, EOFError):
        click.echo()
        return None
    finally:
        readline.set_startup_hook(None)
