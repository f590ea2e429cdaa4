"""The folder `warm/`: for each client (by process id) the process that answers its calls; read by the hook."""

import time

from lessons import paths
from lessons.system import is_alive, make_private, system

_UNFINISHED = ".new"
_UNFINISHED_SECONDS = 60


def announce(home: str) -> None:
    """Records that this process answers for the client that started it; never raises."""
    folder = paths.warm_folder(home)
    try:
        try:
            make_private(folder)
        except FileExistsError:
            pass
        _forget_gone(folder)
        own = system.getpid()
        unfinished = f"{folder}/{own}{_UNFINISHED}"
        file = system.open(unfinished, system.O_WRONLY | system.O_CREAT | system.O_TRUNC, 0o600)
        try:
            system.write(file, f"{own}\n".encode())
        finally:
            system.close(file)
        system.replace(unfinished, paths.warm_file(home, system.getppid()))
    except OSError:
        pass  # without the file the command answers too, and only one of both counts


def withdraw(home: str, client: int) -> None:
    """Records that this process no longer answers; keeps an entry that another one has written."""
    path = paths.warm_file(home, client)
    if _process_in(path) == system.getpid():
        _remove(path)


def _forget_gone(folder: str) -> None:
    for name in system.listdir(folder):
        path = f"{folder}/{name}"
        process = _process_in(path)
        if (process is None or not is_alive(process)) and not _is_being_written(path):
            _remove(path)


def _is_being_written(path: str) -> bool:
    """Whether another server is just starting; old leftovers do not count."""
    try:
        return path.endswith(_UNFINISHED) and abs(time.time() - system.lstat(path).st_mtime) < _UNFINISHED_SECONDS
    except OSError:
        return True


def _process_in(path: str) -> int | None:
    try:
        file = system.open(path, system.O_RDONLY)
        try:
            return int(system.read(file, 32))
        finally:
            system.close(file)
    except (OSError, ValueError):
        return None


def _remove(path: str) -> None:
    try:
        system.unlink(path)
    except OSError:
        pass
