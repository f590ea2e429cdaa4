"""Where Cursor keeps its hooks; its transcripts are not read."""

import os
from collections.abc import Iterator, Mapping

from lessons.errors import Refused

TITLE = "Cursor"


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    if scope == "project":
        return os.path.join(os.path.abspath(project_folder), ".cursor", "hooks.json")
    if scope != "user":
        raise Refused(f"The scope is {scope!r}: choose user or project.")
    return os.path.join(environment.get("HOME") or os.path.expanduser("~"), ".cursor", "hooks.json")


def roots() -> list[str]:
    return []


def conversations(project_root: str) -> Iterator[str]:
    yield from ()
