"""The file `lesson-manifest.json`: what was published in, its lessons and settings out."""

from lessons import paths
from lessons.store.json_text import decode
from lessons.system import system

TYPE = "lessons-learned-manifest"
VERSION = 1


class UnusableManifest(Exception):
    """There is no manifest, or it is not one."""


def stamp(home: str) -> tuple[int, int] | None:
    """Size and time of the manifest, by which an index knows that it still belongs to it; None: no manifest."""
    try:
        status = system.stat(paths.manifest_file(home))
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def read(home: str) -> tuple[dict[str, object], dict[str, dict[str, object]]]:
    """The settings and the lessons by id; a lesson that is no object is passed over."""
    try:
        with open(paths.manifest_file(home), "rb") as file:
            document = decode(file.read().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as fault:
        raise UnusableManifest(type(fault).__name__) from fault
    if not isinstance(document, dict) or not isinstance(document.get("lessons"), dict):
        raise UnusableManifest("no lessons in it")
    config = document.get("config")
    lessons = {key: entry for key, entry in document["lessons"].items() if isinstance(entry, dict)}
    return (config if isinstance(config, dict) else {}), lessons
