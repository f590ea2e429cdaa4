"""Runs `lessons` as a process of its own without the cost of its imports.

A server imports the command line once and forks for every call: a new process with the streams, the folder and the
environment of that call, in which nothing of the test and nothing of an earlier call has ever run.
"""

import atexit
import gc
import importlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple, NoReturn, TypedDict

_LENGTH = struct.Struct("!I")
# An interpreter reads these when it starts: calls with other values of them need another server.
_FOR_INTERPRETERS = ("PYTHON", "LANG", "LC_")


class Call(TypedDict):
    """What the server is told of a call: bytes as latin-1, because its interpreter may decode them in another way."""

    argv: list[str]
    cwd: str
    env: dict[str, str]


class Done(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


def run(command: list[str], given: bytes | None, folder: Path, environment: dict[str, str], seconds: float) -> Done:
    """Like `subprocess.run` with all three streams in pipes, /dev/null for stdin where nothing is given."""
    at_start = sorted((name, value) for name, value in environment.items() if name.startswith(_FOR_INTERPRETERS))
    call = Call(
        argv=[_packed(word) for word in command],
        cwd=_packed(str(folder)),
        env={_packed(name): _packed(value) for name, value in environment.items()},
    )
    return _server(tuple(at_start)).run(call, given, seconds)


def _packed(text: str) -> str:
    return os.fsencode(text).decode("latin-1")


class _Server:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._lock = threading.Lock()
        self._socket, other = socket.socketpair()
        pipe = subprocess.PIPE  # for its own streams: what an interpreter finds out about them at its start
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(other.fileno())],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            pass_fds=[other.fileno()],
            env={**_surroundings(), **environment},
        )
        other.close()

    def run(self, call: Call, given: bytes | None, seconds: float) -> Done:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("one call at a time: start processes of your own for calls that run at once")
        try:
            return self._run(call, given, seconds)
        finally:
            self._lock.release()

    def _run(self, call: Call, given: bytes | None, seconds: float) -> Done:
        stdin, feed = (os.open(os.devnull, os.O_RDONLY), None) if given is None else os.pipe()
        (out, stdout), (error, stderr) = os.pipe(), os.pipe()
        data = json.dumps(call).encode()
        socket.send_fds(self._socket, [_LENGTH.pack(len(data))], [stdin, stdout, stderr])
        self._socket.sendall(data)
        for file in (stdin, stdout, stderr):
            os.close(file)
        with ThreadPoolExecutor(3) as pool:
            printed, told = pool.submit(_read, out), pool.submit(_read, error)
            if feed is not None:
                pool.submit(_write, feed, given or b"")
            process = self._number()
            try:
                self._socket.settimeout(seconds)
                status = self._number()
            except TimeoutError:
                os.kill(process, signal.SIGKILL)
                self._socket.settimeout(None)
                self._number()
                raise subprocess.TimeoutExpired(call["argv"], seconds) from None
            finally:
                self._socket.settimeout(None)
            return Done(os.waitstatus_to_exitcode(status), printed.result(), told.result())

    def _number(self) -> int:
        data = self._socket.recv(_LENGTH.size, socket.MSG_WAITALL)
        if not data:
            raise RuntimeError(f"the server has ended: {self._process.communicate()[1].decode()}")
        number: int = _LENGTH.unpack(data)[0]
        return number


def _surroundings() -> dict[str, str]:
    """The path, and what `make coverage` tells the processes that are started."""
    measuring = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
    return {"PATH": os.environ.get("PATH", os.defpath), **measuring}


@cache
def _server(environment: tuple[tuple[str, str], ...]) -> _Server:
    return _Server(dict(environment))


def _read(file: int) -> bytes:
    with open(file, "rb") as stream:
        return stream.read()


def _write(file: int, data: bytes) -> None:
    try:
        with open(file, "wb") as stream:
            stream.write(data)
    except BrokenPipeError:
        pass  # it did not want to know


# What runs in the server.


def _serve(requests: socket.socket) -> None:
    from lessons.cli import boundary, main

    for verb in main.VERBS:
        importlib.import_module(main.module_of(verb))
    assert boundary
    gc.freeze()
    while True:
        head, streams, _, _ = socket.recv_fds(requests, _LENGTH.size, 3)
        if not head:
            return
        call: Call = json.loads(requests.recv(_LENGTH.unpack(head)[0], socket.MSG_WAITALL))
        process = os.fork()
        if not process:
            requests.close()
            _become(call, streams)
        for file in streams:
            os.close(file)
        requests.sendall(_LENGTH.pack(process))
        requests.sendall(_LENGTH.pack(os.waitpid(process, 0)[1]))


def _become(call: Call, streams: list[int]) -> NoReturn:
    """The command line in this process, up to its end."""
    from lessons.cli.main import main

    code: object = 1
    try:
        for target, file in enumerate(streams):
            os.dup2(file, target)
            os.close(file)
        sys.argv = [os.fsdecode(word.encode("latin-1")) for word in call["argv"]]
        os.chdir(call["cwd"].encode("latin-1"))
        os.environ.clear()  # the same dictionary as that of `posix`, which the hook reads
        os.environb.update({name.encode("latin-1"): value.encode("latin-1") for name, value in call["env"].items()})
        time.tzset()
        main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
    os._exit(_ended(code))


def _ended(code: object) -> int:
    """The exit code, after what an interpreter does at its end."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    if isinstance(code, str):
        print(code, file=sys.stderr)
        code = 1
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream:
                stream.flush()
    except (OSError, ValueError):
        return 120
    return code if isinstance(code, int) else 0


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
