"""Copies of this process: what they hold, how they end, and what they send."""

import fcntl
import io
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from lessons.child_process import forked, may_fork, received, send


def read_to_end(work: str, tmp_path: Path) -> bytes:
    """What a program prints that starts one copy of itself, whose work this is; in a process without threads."""
    program = f"""
import fcntl, os, sys
from lessons.child_process import forked
lock = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
fcntl.flock(lock, fcntl.LOCK_EX)
to_read, to_write = os.pipe()
def work():
    {work}
process = forked(work, [to_write])
os.close(to_write)
print(os.fdopen(to_read).read(), end="")
process.wait()
"""
    command = [sys.executable, "-c", program, str(tmp_path / "lock")]
    return subprocess.run(command, stdout=subprocess.PIPE, timeout=60, check=True).stdout


def test_it_has_only_the_files_that_it_is_given(tmp_path: Path) -> None:
    listed = read_to_end('os.write(to_write, " ".join(os.listdir("/proc/self/fd")).encode())', tmp_path)
    assert len(listed.split()) == 3 + 1 + 1  # the standard streams, the pipe, and the folder that is listed


def test_it_holds_no_lock(tmp_path: Path) -> None:
    """A scan that is killed must not block the next one for as long as its workers live."""
    path = tmp_path / "lock"
    program = """
import fcntl, os, signal, sys
from lessons.child_process import forked
lock = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
fcntl.flock(lock, fcntl.LOCK_EX)
ready, is_ready = os.pipe()
forked(lambda: (os.write(is_ready, b"."), sys.stdin.read()), [is_ready])
os.read(ready, 1)
os.kill(os.getpid(), signal.SIGKILL)
"""
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE) as process:
        process.wait(timeout=60)
        with path.open("rb") as lock:  # the copy lives on: its standard input is open
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_lock_in_the_place_of_a_closed_stream_is_not_held(tmp_path: Path) -> None:
    """A process may start without standard input: its number then belongs to the next file that is opened."""
    program = """
import os, sys
from lessons.child_process import forked
lock = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
to_read, to_write = os.pipe()
process = forked(lambda: os.write(to_write, b"held" if os.path.exists("/proc/self/fd/0") else b"closed"), [to_write])
os.close(to_write)
print(lock, os.fdopen(to_read).read())
process.wait()
"""
    command = ["sh", "-c", 'exec "$0" "$@" <&-', sys.executable, "-c", program, str(tmp_path / "lock")]
    assert subprocess.run(command, stdout=subprocess.PIPE, timeout=60, check=True).stdout == b"0 closed\n"


def test_a_fault_ends_it_quietly(tmp_path: Path) -> None:
    assert read_to_end('raise ValueError("never printed")', tmp_path) == b""


def test_a_terminal_interrupts_only_the_first_process(tmp_path: Path) -> None:
    assert read_to_end('os.write(to_write, b"own" if os.getpgid(0) == os.getpid() else b"same")', tmp_path) == b"own"


def test_no_copy_where_threads_run() -> None:
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    try:
        assert not may_fork()
    finally:
        ended.set()
        thread.join()


def test_a_copy_where_no_threads_run() -> None:
    program = "from lessons.child_process import may_fork; print(may_fork())"
    printed = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=True).stdout
    assert printed == (b"True\n" if sys.platform == "linux" else b"False\n")


def test_it_can_be_ended_twice() -> None:
    process = forked(lambda: None, [])
    for _ in range(2):
        process.kill()
        process.wait()


@pytest.mark.parametrize("message", [b"", b"x", b"long" * 100_000])
def test_messages(tmp_path: Path, message: bytes) -> None:
    path = tmp_path / "messages"
    with path.open("wb") as file:
        send(file.fileno(), message)
        send(file.fileno(), b"next")
    data = path.read_bytes()
    stream = io.BytesIO(data)
    assert [received(stream), received(stream), received(stream)] == [message, b"next", None]
    assert received(io.BytesIO(data[:5])) is None
    assert received(io.BytesIO(data[: 8 + len(message) - 1])) is None or not message
