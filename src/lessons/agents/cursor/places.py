"""Where Cursor stores its hooks; its transcripts are not read."""

import os
from collections.abc import Iterator, Mapping

from lessons.agents.usual_places import of_scope, person_of

TITLE = "Cursor"


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    file = os.path.join(".cursor", "hooks.json")
    return of_scope(scope, project_folder, file, os.path.join(person_of(environment), file))


def roots() -> list[str]:
    return []


def stem(path: str) -> str:
    return path


def conversations(project_root: str) -> Iterator[str]:
    yield from ()
