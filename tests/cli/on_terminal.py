"""A command in, run with a terminal for stdin and stdout as a person has one; what it printed and how it ended out."""

import os
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Printed(NamedTuple):
    code: int
    out: str
    error: str


def run_on_terminal(command: list[str], cwd: Path, environment: Mapping[str, str], seconds: float) -> Printed:
    """Nobody types anything."""
    import pty  # not on Windows

    ours, its = pty.openpty()
    pieces: list[bytes] = []
    reader = threading.Thread(target=_read, args=(ours, pieces))
    try:
        with subprocess.Popen(command, stdin=its, stdout=its, stderr=subprocess.PIPE, cwd=cwd, env=environment) as run:
            os.close(its)
            reader.start()
            error = run.communicate(timeout=seconds)[1]
        reader.join()
    finally:
        os.close(ours)
    return Printed(run.returncode, b"".join(pieces).decode("utf-8", "replace").replace("\r\n", "\n"), error.decode())


def _read(terminal: int, pieces: list[bytes]) -> None:
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:  # how Linux says that nobody writes any more
            return
        if not piece:
            return
        pieces.append(piece)
