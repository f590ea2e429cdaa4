"""Where Claude Code keeps its settings and its transcripts, and how they are named."""

import glob
import os
from collections.abc import Iterator, Mapping

from lessons.agents.usual_places import below, dashed_names, home_of, of_scope, person_of

TITLE = "Claude Code"
SUFFIX = ".jsonl"
# What lies in there is the raw output of tools, no conversation.
SKIPPED_FOLDERS = frozenset(("tool-results",))


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """The settings file of a scope; the project's is the one not shared, since it will hold local paths."""
    of_person = os.path.join(home_of(environment, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json")
    return of_scope(scope, project_folder, os.path.join(".claude", "settings.local.json"), of_person)


def client_config_path(environment: Mapping[str, str]) -> str:
    """The file in which the client keeps its servers, among much else."""
    folder = environment.get("CLAUDE_CONFIG_DIR") or person_of(environment)
    return os.path.join(os.path.abspath(folder), ".claude.json")


def roots() -> list[str]:
    """Every folder of projects that this person's clients may write to."""
    return below((os.environ.get("CLAUDE_CONFIG_DIR", ""), "~/.claude", "~/.config/claude"), "projects")


def stem(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


def conversations(project_root: str) -> Iterator[str]:
    """By the name of their folder: some may be of another project."""
    names = dashed_names(project_root)
    for root in roots():
        for path in glob.iglob(f"{glob.escape(root)}/*/*{SUFFIX}"):
            is_meant = not project_root or os.path.basename(os.path.dirname(path)).startswith(names)
            if is_meant and not os.path.basename(path).startswith("agent-"):
                yield path
