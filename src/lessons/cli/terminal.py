"""Reads keys and lines from a terminal, and says if no person can be there."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

import click
import click.termui

from lessons.cli import render
from lessons.cli.excerpts import key_lines
from lessons.errors import Refused
from lessons.plain import without_hidden
from lessons.started_by import agent_around

Value = TypeVar("Value")
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
    columns = shutil.get_terminal_size().columns
    while True:
        forget_typed_ahead()
        # Broken between keys, not inside one.
        click.secho("\n".join(key_lines(question.split("  "), columns - 1)), bold=True, nl=False)
        key = read_key()
        click.echo(key if key.isprintable() else "")
        if key and key in allowed:
            return key


def in_editor(document: dict[str, object], take: Callable[[dict[str, object]], Value]) -> Value | None:
    """Opens the document in the user's editor, again if it cannot be taken: nothing is lost; None: unchanged."""
    before = text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    while True:
        with _terminal(by_line=True, echo=True):
            edited = click.edit(text, extension=".json")
            if edited is None or edited == before:
                return None
            try:
                after = json.loads(edited)
                if not isinstance(after, dict):
                    raise Refused("A lesson is a JSON object in braces.")
                return take(after)
            except ValueError as fault:
                render.note(f"That is not JSON ({fault}).")
            except Refused as refused:
                render.note(str(refused))
            if not click.confirm("Continue editing?", default=True):
                return None
            text = edited


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


def why_nobody(verb: str) -> str:
    """Returns why no person can have called the verb; empty if one can."""
    if agent := agent_around(os.environ):
        return f"`lessons {verb}` is refused to agents, and {agent} started it. Run it in your own terminal."
    if not render.has_person():
        return f"`lessons {verb}` needs a terminal: only you can decide this."
    return ""


def require_person(verb: str) -> None:
    if reason := why_nobody(verb):
        raise Refused(reason)
