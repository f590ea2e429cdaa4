"""Runs `lessons` as a process of its own without the cost of its imports.

A server imports the command line once and forks for every call: a new process with the streams, the folder and the
environment of that call, in which nothing of the test and nothing of an earlier call has ever run.
"""

import atexit
import gc
import importlib
import json
import os
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
from typing import NamedTuple, NoReturn

_LENGTH = struct.Struct("!I")
# An interpreter reads these when it starts: calls with other values of them need another server.
_FOR_INTERPRETERS = ("PYTHON", "LANG", "LC_")


class Done(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


def run(command: list[str], given: bytes | None, folder: Path, environment: dict[str, str], seconds: float) -> Done:
    """Like `subprocess.run` with all three streams in pipes, /dev/null for stdin where nothing is given."""
    at_start = sorted((name, value) for name, value in environment.items() if name.startswith(_FOR_INTERPRETERS))
    return _server(tuple(at_start)).run({"argv": command, "cwd": str(folder), "env": environment}, given, seconds)


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
            env={"PATH": os.environ.get("PATH", os.defpath), **environment},
        )
        other.close()

    def run(self, request: dict[str, object], given: bytes | None, seconds: float) -> Done:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("one call at a time: start processes of your own for calls that run at once")
        try:
            return self._run(request, given, seconds)
        finally:
            self._lock.release()

    def _run(self, request: dict[str, object], given: bytes | None, seconds: float) -> Done:
        stdin, feed = (os.open(os.devnull, os.O_RDONLY), None) if given is None else os.pipe()
        (out, stdout), (error, stderr) = os.pipe(), os.pipe()
        data = json.dumps(request).encode()
        socket.send_fds(self._socket, [_LENGTH.pack(len(data))], [stdin, stdout, stderr])
        self._socket.sendall(data)
        for file in (stdin, stdout, stderr):
            os.close(file)
        with ThreadPoolExecutor(3) as pool:
            printed, told = pool.submit(_read, out), pool.submit(_read, error)
            if feed is not None:
                pool.submit(_write, feed, given or b"")
            self._socket.settimeout(seconds)
            process = self._number()
            try:
                status = self._number()
            except TimeoutError:
                os.kill(process, 9)
                self._socket.settimeout(None)
                self._number()
                raise subprocess.TimeoutExpired(str(request["argv"]), seconds) from None
            return Done(os.waitstatus_to_exitcode(status), printed.result(), told.result())

    def _number(self) -> int:
        data = self._socket.recv(_LENGTH.size, socket.MSG_WAITALL)
        if not data:
            raise RuntimeError(f"the server has ended: {self._process.communicate()[1].decode()}")
        number: int = _LENGTH.unpack(data)[0]
        return number


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
        request = json.loads(requests.recv(_LENGTH.unpack(head)[0], socket.MSG_WAITALL))
        process = os.fork()
        if not process:
            requests.close()
            _become(request, streams)
        for file in streams:
            os.close(file)
        requests.sendall(_LENGTH.pack(process))
        requests.sendall(_LENGTH.pack(os.waitpid(process, 0)[1]))


def _become(request: dict[str, object], streams: list[int]) -> NoReturn:
    """The command line in this process, up to its end."""
    from lessons.cli.main import main

    code: object = 1
    try:
        for target, file in enumerate(streams):
            os.dup2(file, target)
            os.close(file)
        sys.argv = list(request["argv"])  # type: ignore[call-overload]
        os.chdir(str(request["cwd"]))
        os.environ.clear()  # the same dictionary as that of `posix`, which the hook reads
        os.environ.update(request["env"])  # type: ignore[arg-type]
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
