"""The folder `fired/`: an empty file per hook event (when it last ran) and per client that was warned of a fault."""

from lessons.paths import fired_folder
from lessons.system import make_private, system


def touch(home: str, event: str) -> None:
    """Never raises: on a read-only home only the time of the last run is lost."""
    path = fired_folder(home) + "/" + event
    try:
        system.utime(path)
    except OSError:
        try:
            try:
                make_private(fired_folder(home))
            except FileExistsError:
                pass
            system.close(system.open(path, system.O_WRONLY | system.O_CREAT, 0o600))
        except OSError:
            pass


def last(home: str, event: str) -> float | None:
    """Returns when the event last fired, in seconds since 1970."""
    try:
        return system.stat(fired_folder(home) + "/" + event).st_mtime
    except OSError:
        return None


def forget_warnings(home: str) -> None:
    """Called when the hook runs again: a client whose hook could not start may be warned again."""
    folder = fired_folder(home)
    try:
        for name in system.listdir(folder):
            if name.startswith("cannot-start."):
                system.unlink(f"{folder}/{name}")
    except OSError:
        pass
