"""Where Qwen Code stores its settings and transcripts, and how they are named."""

import glob
import os
from collections.abc import Iterator, Mapping

from lessons.agents.usual_places import below, dashed_names, home_of, of_scope

TITLE = "Qwen Code"
SUFFIX = ".jsonl"


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """Returns the settings file; a project's file is part of the repository: the client has no other one for it."""
    of_person = os.path.join(home_of(environment, "QWEN_HOME", ".qwen"), "settings.json")
    return of_scope(scope, project_folder, os.path.join(".qwen", "settings.json"), of_person)


def roots() -> list[str]:
    """Returns the transcript folders, which may be elsewhere than its settings."""
    return below((os.environ.get("QWEN_RUNTIME_DIR", ""), os.environ.get("QWEN_HOME", ""), "~/.qwen"), "projects")


def stem(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


def conversations(project_root: str) -> Iterator[str]:
    """Selects by folder name: some may be of another project."""
    names = dashed_names(project_root)
    for root in roots():
        for path in glob.iglob(f"{glob.escape(root)}/*/chats/*{SUFFIX}"):
            project = os.path.basename(os.path.dirname(os.path.dirname(path)))
            if not project_root or project.startswith(names):
                yield path
