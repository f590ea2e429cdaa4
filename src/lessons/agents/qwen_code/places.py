"""Where Qwen Code keeps its settings and its transcripts, and how they are named."""

import glob
import os
import re
from collections.abc import Iterator, Mapping

from lessons.errors import Refused

TITLE = "Qwen Code"
SUFFIX = ".jsonl"
_OTHER_SIGNS = re.compile(r"[^a-zA-Z0-9]")


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """That of a project is part of the repository: the client has no other one for it."""
    if scope == "project":
        return os.path.join(os.path.abspath(project_folder), ".qwen", "settings.json")
    if scope != "user":
        raise Refused(f"The scope is {scope!r}: choose user or project.")
    person = environment.get("HOME") or os.path.expanduser("~")
    return os.path.join(os.path.abspath(environment.get("QWEN_HOME") or os.path.join(person, ".qwen")), "settings.json")


def roots() -> list[str]:
    """What it writes may lie elsewhere than its settings."""
    homes = [os.environ.get("QWEN_RUNTIME_DIR", ""), os.environ.get("QWEN_HOME", ""), "~/.qwen"]
    found = [os.path.join(os.path.realpath(os.path.expanduser(home)), "projects") for home in homes if home]
    return list(dict.fromkeys(found))


def stem(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


def conversations(project_root: str) -> Iterator[str]:
    """By the name of their folder, in which a dash stands for any other sign: some may be of another project."""
    names = {_OTHER_SIGNS.sub("-", each) for each in (project_root, os.path.realpath(project_root))}
    for root in roots():
        for path in glob.iglob(f"{glob.escape(root)}/*/chats/*{SUFFIX}"):
            project = os.path.basename(os.path.dirname(os.path.dirname(path)))
            if not project_root or project.startswith(tuple(names)):
                yield path
