"""Where Claude Code stores its settings and transcripts, and how they are named."""

import glob
import os
from collections.abc import Iterator, Mapping

from lessons.agents.usual_places import below, dashed_names, home_of, of_scope, person_of

TITLE = "Claude Code"
SUFFIX = ".jsonl"
# Raw output of tools, not conversations.
SKIPPED_FOLDERS = frozenset(("tool-results",))


def settings_path(scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """Returns the settings file of a scope; for a project the unshared one, because it will contain local paths."""
    of_person = os.path.join(home_of(environment, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json")
    return of_scope(scope, project_folder, os.path.join(".claude", "settings.local.json"), of_person)


def client_config_path(environment: Mapping[str, str]) -> str:
    """Returns the file with the client's servers, among much else."""
    folder = environment.get("CLAUDE_CONFIG_DIR") or person_of(environment)
    return os.path.join(os.path.abspath(folder), ".claude.json")


def roots() -> list[str]:
    """Returns every project folder that this user's clients may write to."""
    return below((os.environ.get("CLAUDE_CONFIG_DIR", ""), "~/.claude", "~/.config/claude"), "projects")


def stem(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


def conversations(project_root: str) -> Iterator[str]:
    """Selects by folder name: some may be of another project."""
    names = dashed_names(project_root)
    for root in roots():
        for path in glob.iglob(f"{glob.escape(root)}/*/*{SUFFIX}"):
            is_meant = not project_root or os.path.basename(os.path.dirname(path)).startswith(names)
            if is_meant and not os.path.basename(path).startswith("agent-"):
                yield path
