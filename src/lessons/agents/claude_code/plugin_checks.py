"""Whether the installation of our plugin in Claude Code is complete."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from lessons.agents.claude_code.places import settings_path
from lessons.check import Check

_FAILED = "lessons could not be set up: "
_AGAIN = "Start a session of Claude Code: it sets the plugin up again in the background."


def checks(environment: Mapping[str, str]) -> Iterator[Check]:
    """Yields one check per loaded plugin; none if it is not loaded."""
    client = Path(settings_path("user", "", environment)).parent
    for folder in sorted((client / "plugins" / "data").glob("lessons-*")):
        installed = _lines(folder / "installation")
        failed = _lines(folder / "failed")
        if len(installed) == 5:
            if _is_inside(installed[2], folder.name):
                yield _installed(*installed[:4])
        elif failed and failed[0].startswith(_FAILED):
            yield Check("plugin", False, failed[0], f"The log is {folder / 'setup.log'}.")


def _is_inside(entry: str, folder: str) -> bool:
    """Whether the folder is ours, as in plugin/bin/lessons; another plugin may be called lessons-of-somebody."""
    return f"/{folder}/versions/" in entry.replace("\\", "/")


def _installed(version: str, python: str, entry: str, own_python: str) -> Check:
    """Checks the lines that plugin/setup/install.py writes."""
    gone = [path for path in (python, entry, own_python) if not os.path.isfile(path)]
    if gone:
        return Check("plugin", False, f"Of the plugin's installation {gone[0]} is gone.", _AGAIN)
    return Check("plugin", True, f"The plugin of Claude Code has set up version {version}.")


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text("utf-8", "replace").splitlines()
    except OSError:
        return []
