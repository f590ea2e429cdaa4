"""Where the toy agent stores its files."""

import os
from collections.abc import Iterator, Mapping

TITLE = "Toy"
SUFFIX = ".chat"


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    if scope == "project":
        return os.path.join(project_folder, ".toy.conf")
    return os.path.join(environment.get("HOME", ""), ".toy", "toy.conf")


def roots() -> list[str]:
    return [os.path.expanduser("~/.toy/chats")]


def conversations(project_root: str) -> Iterator[str]:
    for root in filter(os.path.isdir, roots()):
        yield from (entry.path for entry in os.scandir(root) if entry.name.endswith(SUFFIX))
