"""Size and time of the manifest: all that a tool call needs of it."""

from lessons.hook_paths import manifest_file
from lessons.system import system


def stamp(home: str) -> tuple[int, int] | None:
    """Size and time of the manifest, by which an index knows that it still belongs to it; None: no manifest."""
    return stamp_of(manifest_file(home))


def stamp_of(path: str) -> tuple[int, int] | None:
    try:
        status = system.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
