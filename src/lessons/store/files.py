"""Writes whole files, locks them and creates private folders.

A reader finds the old file or the new one, never a part."""

import errno
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count
from typing import Any

from lessons.errors import Busy
from lessons.system import make_private, open_regular


def make_private_folders(path: str) -> None:
    """Creates the folders; existing ones keep their mode. Raises OSError if a file is in the way."""
    missing = []
    while path and not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path) if os.path.dirname(path) != path else ""
    for folder in reversed(missing):
        try:
            make_private(folder)
        except FileExistsError:  # another process was faster, unless it is not a folder
            if not os.path.isdir(folder):
                raise


_TRIES = 10
_SECONDS_BETWEEN_TRIES = 0.02


def lines(path: str) -> list[bytes]:
    """Returns the lines of a file without their ends; none if it is missing."""
    try:
        with open(path, "rb") as file:
            return file.read().splitlines()
    except FileNotFoundError:
        return []


def write_text(path: str, text: str, mode: int = 0o600) -> bool:
    """Writes the text as UTF-8 unless the file already contains it; returns whether it was written."""
    return write_bytes(path, text.encode(), mode)


def write_bytes(path: str, content: bytes, mode: int = 0o600, always: bool = False) -> bool:
    """Replaces the file, or the target of a link; an existing file keeps its mode. `always`: also if nothing is new."""
    path = os.path.realpath(path)
    make_private_folders(os.path.dirname(path))
    with suppress(FileNotFoundError), open(path, "rb") as file:
        if file.read() == content and not always:
            return False
    _put(path, content, mode)
    return True


class Changed(Exception):
    """Another program has changed the file meanwhile."""


def change(path: str, before: bytes | None, after: bytes, mode: int = 0o600) -> None:
    """Replaces the file, or the target of a link, if it contains `before` (None: is missing); else raises Changed.

    What another program puts there at any moment stays: two files change places in one step, or back.
    """
    _put(os.path.realpath(path), after, mode, lambda new, path: _put_instead(new, path, after, before))


def change_edited(path: str, before: bytes | None, after: bytes) -> None:
    """Does the same for a file that people edit: editors take no lock, and what they saved meanwhile stays."""
    try:
        change(path, before, after)
    except Changed:
        raise Busy(f"{path} was saved by another program just now and was left alone: try again.") from None


def _put_instead(temporary: str, path: str, inside: bytes | None, outside: bytes | None) -> None:
    """`inside` is what the file in its place should contain after a step, `outside` the other one."""
    if not _moved(temporary, path, exchanged=outside is not None):
        if content(path) != outside:
            raise Changed
        replace(temporary, path)
    elif outside is not None:
        before = outside
        while (found := content(temporary)) != outside:
            inside, outside = found, inside
            _moved(temporary, path, exchanged=True)
        os.unlink(temporary)
        if outside is not before:
            raise Changed


def content(path: str) -> bytes | None:
    """Returns the content of a regular file; None if it is missing or cannot be read."""
    with suppress(OSError), open_regular(path) as file:
        return file.read()
    return None


def _moved(first: str, second: str, exchanged: bool) -> bool:
    """Lets two files change places, or moves one to a free place; returns whether the system can. Raises Changed."""
    import ctypes

    library: Any = None if os.name == "nt" else ctypes.CDLL(None, use_errno=True)
    paths = os.fsencode(first), os.fsencode(second)
    if hasattr(library, "renameat2"):  # Linux; -100 is the current folder
        failed = library.renameat2(-100, paths[0], -100, paths[1], 2 if exchanged else 1)
    else:
        failed = library.renamex_np(*paths, 2 if exchanged else 4) if hasattr(library, "renamex_np") else -1  # macOS
    if failed and ctypes.get_errno() in (errno.ENOENT, errno.EEXIST):
        raise Changed
    return not failed


def _put(path: str, content: bytes, mode: int, put: Callable[[str, str], None] | None = None) -> None:
    folder, name = os.path.split(path)
    with suppress(FileNotFoundError):
        mode = stat.S_IMODE(os.stat(path).st_mode)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        (put or replace)(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def put_in_place(temporary: str, path: str) -> None:
    """Replaces the file with one that was written under another name in the same folder."""
    descriptor = os.open(temporary, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    replace(temporary, path)
    _sync_folder(os.path.dirname(path))


def replace(source: str, target: str) -> None:
    """Retries: Windows refuses while another process has the target open, such as a hook or a virus scanner."""
    for _ in range(_TRIES - 1):
        try:
            os.replace(source, target)
            return
        except PermissionError:
            time.sleep(_SECONDS_BETWEEN_TRIES)
    os.replace(source, target)


def _sync_folder(folder: str) -> None:
    # A rename survives a power cut only if its folder is synced too; Windows cannot open a folder.
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def set_aside(path: str) -> str:
    """Renames a damaged file and returns its new path; never overwrites anything."""
    path = os.path.realpath(path)
    os.stat(path)
    name = f"{path}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    aside = next(each for number in count(1) if not os.path.lexists(each := f"{name}-{number}" if number > 1 else name))
    replace(path, aside)
    return aside


try:
    # The session waits for this lock before a compaction, and the library is slow to import.
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_SECONDS_BETWEEN_LOOKS = 0.02


@contextmanager
def locked(path: str, timeout: float = 10, busy: str = "") -> Iterator[None]:
    """Holds the lock file beside the path (beside the target of a link); the lock of a dead process is free.

    After the timeout, raises Busy with the sentence `busy`.
    """
    target = os.path.realpath(path)
    make_private_folders(os.path.dirname(target))
    held = f"{path} is still being written by another process after {timeout:g} s: try again when it is done."
    with (_held if fcntl else _held_by_library)(target + ".lock", timeout, busy or held):
        yield


@contextmanager
def _held(lock_file: str, timeout: float, busy: str) -> Iterator[None]:
    descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        give_up = time.monotonic() + timeout
        while not _taken(descriptor):
            if time.monotonic() >= give_up:
                raise Busy(busy)
            time.sleep(_SECONDS_BETWEEN_LOOKS)
        try:
            yield
        finally:
            # Closing alone would leave the lock with processes forked meanwhile.
            fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _held_by_library(lock_file: str, timeout: float, busy: str) -> Iterator[None]:
    import filelock

    lock = filelock.FileLock(lock_file, timeout=timeout, mode=0o600, poll_interval=_SECONDS_BETWEEN_LOOKS)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise Busy(busy) from None
    try:
        yield
    finally:
        lock.release()
