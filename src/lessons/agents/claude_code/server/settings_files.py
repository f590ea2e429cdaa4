"""The file `warm-settings.json`: which settings files of the agent use the server."""

import json
from collections.abc import Iterable

from lessons import paths
from lessons.store import atomic
from lessons.store.lock import locked

_FILES = "files"


def read(home: str) -> list[str]:
    """A missing or damaged file counts as empty."""
    try:
        with open(paths.warm_settings_file(home), encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError, RecursionError):
        return []
    files = document.get(_FILES) if isinstance(document, dict) else None
    return [file for file in files if isinstance(file, str)] if isinstance(files, list) else []


def add(home: str, files: Iterable[str]) -> None:
    _change(home, added=set(files), removed=set())


def remove(home: str, files: Iterable[str]) -> None:
    _change(home, added=set(), removed=set(files))


def _change(home: str, added: set[str], removed: set[str]) -> None:
    if not added and not removed:
        return
    path = paths.warm_settings_file(home)
    with locked(path):
        files = sorted({*read(home), *added} - removed)
        atomic.write_text(path, json.dumps({_FILES: files}, indent=2) + "\n")
