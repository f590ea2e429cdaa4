"""Writes whole files: a reader finds the old file or the new one, never a part."""

import os
import stat
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime

from lessons.store.private_folder import make_private_folders

_TRIES = 10
_SECONDS_BETWEEN = 0.02


def write_text(path: str, text: str, mode: int = 0o600) -> bool:
    """Writes the text as UTF-8 unless the file already contains it; returns whether it was written."""
    return write_bytes(path, text.encode(), mode)


def write_bytes(path: str, content: bytes, mode: int = 0o600) -> bool:
    """Replaces the file, or the target of a link; an existing file keeps its mode."""
    path = os.path.realpath(path)
    folder, name = os.path.split(path)
    make_private_folders(folder)
    try:
        with open(path, "rb") as file:
            if file.read() == content:
                return False
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
    except FileNotFoundError:
        pass
    _put(folder, name, (content,), mode)
    return True


def write_chunks(path: str, chunks: Iterable[bytes | bytearray], mode: int = 0o600) -> tuple[int, int]:
    """Replaces the file, or the target of a link, with the chunks; leaves nothing behind if that fails.

    Returns the size and the time of what was written, even if another program changes the file afterwards.
    """
    folder, name = os.path.split(os.path.realpath(path))
    make_private_folders(folder)
    with suppress(FileNotFoundError):
        mode = stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode)
    return _put(folder, name, chunks, mode)


def _put(folder: str, name: str, chunks: Iterable[bytes | bytearray], mode: int) -> tuple[int, int]:
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
            status = os.fstat(file.fileno())
        os.chmod(temporary, mode)
        replace(temporary, os.path.join(folder, name))
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)
    return status.st_size, status.st_mtime_ns


def stamp(path: str) -> tuple[int, int, int] | None:
    """Returns a value that changes whenever the file is written or replaced; None if there is no file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


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
            time.sleep(_SECONDS_BETWEEN)
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
    base = f"{path}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    aside, attempt = base, 1
    while not _reserved(aside):
        attempt += 1
        aside = f"{base}-{attempt}"
    replace(path, aside)
    return aside


def _reserved(path: str) -> bool:
    # An empty file reserves the name, so that the rename can only replace that.
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True
