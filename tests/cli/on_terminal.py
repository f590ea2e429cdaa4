"""A command in, run with a terminal for stdin and stdout as a person has one; what it printed and how it ended out."""

import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.cli import in_process


class Printed(NamedTuple):
    code: int
    out: str
    error: str


def call(arguments: list[str], cwd: Path, environment: Mapping[str, str]) -> Printed:
    """`lessons` in this process; nobody types anything."""
    with _terminal() as (its, pieces), tempfile.TemporaryFile() as error:
        try:
            code = in_process.call(arguments, cwd, environment, (its, its, error.fileno()))
        finally:
            os.close(its)
        error.seek(0)
        told = error.read().decode()
    return Printed(code, _text(pieces), told)


def run_on_terminal(command: list[str], cwd: Path, environment: Mapping[str, str], seconds: float) -> Printed:
    """Nobody types anything."""
    with (
        _terminal() as (its, pieces),
        subprocess.Popen(command, stdin=its, stdout=its, stderr=subprocess.PIPE, cwd=cwd, env=environment) as run,
    ):
        os.close(its)
        error = run.communicate(timeout=seconds)[1]
    return Printed(run.returncode, _text(pieces), error.decode())


def run_with_errors_on_terminal(command: list[str], environment: Mapping[str, str], seconds: float) -> Printed:
    """Only stderr is a terminal, as with `lessons … | jq`."""
    with (
        _terminal() as (its, pieces),
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=its, env=environment) as run,
    ):
        os.close(its)
        out = run.communicate(timeout=seconds)[0]
    return Printed(run.returncode, out.decode(), _text(pieces))


@contextmanager
def _terminal() -> Iterator[tuple[int, list[bytes]]]:
    """The side of a program, which the caller closes, and what is printed there, complete at the end."""
    import pty  # not on Windows

    ours, its = pty.openpty()
    pieces: list[bytes] = []
    reader = threading.Thread(target=_read, args=(ours, pieces), daemon=True)
    reader.start()
    try:
        yield its, pieces
        reader.join()
    finally:
        os.close(ours)


def _text(pieces: list[bytes]) -> str:
    return b"".join(pieces).decode("utf-8", "replace").replace("\r\n", "\n")


def _read(terminal: int, pieces: list[bytes]) -> None:
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # how Linux says that nobody writes any more
            return
        if not piece:
            return
        pieces.append(piece)
