"""Runs `lessons` in the process of the test, with the streams, the folder and the environment of a process of its own.

What only a new interpreter can have (another locale) or a process of its own needs (a priority, a signal) is left to
`subprocess`: tests/cli/test_main.py starts every verb that way once.
"""

import atexit
import ctypes
import faulthandler
import gc
import io
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, NoReturn

from lessons.cli.boundary import command_of
from lessons.cli.main import SPELLINGS, VERBS, main

LESSONS = str(Path(sys.executable).with_name("lessons"))
# A verb that hangs ends the run, with the place where it hangs.
_SECONDS = 300


def needs_interpreter(variables: Mapping[str, str]) -> bool:
    """Whether any of these is read when an interpreter starts, and never again."""
    return any(name.startswith(("PYTHON", "LANG", "LC_")) and name != "PYTHONIOENCODING" for name in variables)


class Done(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


def run(arguments: list[str], given: bytes | None, folder: Path, environment: Mapping[str, str]) -> Done:
    """Like `subprocess.run` with captured output, and /dev/null for stdin where nothing is given."""
    with (
        tempfile.TemporaryFile() if given is not None else open(os.devnull, "rb") as stdin,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as error,
    ):
        if given is not None:
            stdin.write(given)
            stdin.seek(0)
        code = call(arguments, folder, environment, (stdin.fileno(), out.fileno(), error.fileno()))
        return Done(code, _content(out), _content(error))


def _content(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()


def call(arguments: list[str], folder: Path, environment: Mapping[str, str], streams: tuple[int, int, int]) -> int:
    """Returns the exit code; what the process of the test had is put back afterwards."""
    faulthandler.dump_traceback_later(_SECONDS, exit=True)
    with _kept_streams(streams), _kept_state():
        _surround(arguments, folder, environment)
        try:
            return _exit_code()
        finally:
            faulthandler.cancel_dump_traceback_later()


def forked(arguments: list[str], environment: Mapping[str, str]) -> Callable[[], NoReturn]:
    """Returns what a fork of this process calls to become `lessons` with the streams and the folder it has."""
    verb = SPELLINGS.get(arguments[0], arguments[0]).partition(" ")[0] if arguments else ""
    if verb in VERBS:
        command_of(verb)  # imported once, not in every fork

    def become() -> NoReturn:
        code = 1
        try:
            os.closerange(3, 1024)
            for number in signal.valid_signals():
                if signal.getsignal(number) not in (signal.SIG_DFL, None):
                    signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            atexit._clear()
            _unload_readline()
            _surround(arguments, Path.cwd(), environment)
            code = _exit_code()
            threading._shutdown()  # type: ignore[attr-defined]
            atexit._run_exitfuncs()
        finally:
            os._exit(code)

    return become


def _unload_readline() -> None:
    """pytest imports it, and then every `input` is one of its lines."""
    sys.modules.pop("readline", None)
    ctypes.c_void_p.in_dll(ctypes.pythonapi, "PyOS_ReadlineFunctionPointer").value = None


def _surround(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    os.chdir(folder)
    _set_environment({os.fsencode(name): os.fsencode(value) for name, value in environment.items()})
    sys.argv = [LESSONS, *arguments]
    encoding, _, errors = environment.get("PYTHONIOENCODING", "utf-8:surrogateescape").partition(":")
    sys.stdin = _stream(0, "rb", encoding, errors)
    sys.stdout = _stream(1, "wb", encoding, errors)
    sys.stderr = _stream(2, "wb", encoding, "backslashreplace")


def _stream(number: int, mode: str, encoding: str, errors: str) -> io.TextIOWrapper:
    """As an interpreter opens it when it starts."""
    binary = open(number, mode, closefd=False)
    lines = number == 2 or os.isatty(number)
    return io.TextIOWrapper(binary, encoding, errors or "strict", line_buffering=lines)


def _exit_code() -> int:
    try:
        main()
        code: object = 0
    except SystemExit as end:
        code = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    if isinstance(code, str):
        print(code, file=sys.stderr)
        code = 1
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code if isinstance(code, int) else 0


@contextmanager
def _kept_streams(streams: tuple[int, int, int]) -> Iterator[None]:
    kept = [os.dup(number) for number in range(3)]
    objects = sys.stdin, sys.stdout, sys.stderr
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = objects
        for number, stream in enumerate(kept):
            os.dup2(stream, number)
            os.close(stream)


@contextmanager
def _kept_state() -> Iterator[None]:
    """What a verb may change because its process ends with it, and what the standard library reads only once."""
    folder, environment, argv = os.getcwd(), dict(os.environb), sys.argv
    temporary, nice, thresholds = tempfile.tempdir, os.nice, gc.get_threshold()
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    tempfile.tempdir = None
    os.nice = lambda increment: increment
    try:
        yield
    finally:
        os.nice = nice
        tempfile.tempdir, sys.argv = temporary, argv
        os.chdir(folder)
        _set_environment(environment)
        for number, handler in handlers.items():
            if signal.getsignal(number) != handler:
                signal.signal(number, handler)
        gc.unfreeze()
        gc.set_threshold(*thresholds)


def _set_environment(variables: Mapping[bytes, bytes]) -> None:
    zone = os.environ.get("TZ")
    os.environ.clear()  # the same dictionary as that of `posix`, which the hook reads
    os.environb.update(variables)
    if os.environ.get("TZ") != zone:
        time.tzset()
