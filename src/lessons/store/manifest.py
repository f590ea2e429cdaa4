"""The file `lesson-manifest.json`: the published lessons and settings."""

from lessons import paths
from lessons.store.hook_index import manifest_stamp, stamp_of
from lessons.store.json_text import decode

TYPE = "lessons-learned-manifest"
VERSION = 1
BUILT_BY = "lessons"
stamp = manifest_stamp


class UnusableManifest(Exception):
    """The manifest is missing or invalid."""


def sources(home: str) -> tuple[tuple[int, int], ...]:
    """Returns size and time of the sources of a manifest; if they differ from the recorded ones, it is stale."""
    made_from = (paths.lessons_file(home), paths.config_file(home), paths.trusted_file(home))
    return tuple(stamp_of(path) or (0, 0) for path in made_from)


def read(home: str) -> tuple[dict[str, object], dict[str, dict[str, object]]]:
    """Returns the settings and the lessons by id; skips a lesson that is not an object."""
    try:
        with open(paths.manifest_file(home), "rb") as file:
            document = decode(file.read().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as fault:
        raise UnusableManifest(type(fault).__name__) from fault
    if not isinstance(document, dict) or not isinstance(document.get("lessons"), dict):
        raise UnusableManifest("no lessons in it")
    if document.get("type", TYPE) != TYPE or document.get("version", VERSION) != VERSION:
        raise UnusableManifest("of another kind or a later version")
    config = document.get("config")
    lessons = {key: entry for key, entry in document["lessons"].items() if isinstance(entry, dict)}
    return (config if isinstance(config, dict) else {}), lessons
