"""Finds the POSIX shell that runs hook commands."""

import os
import shutil
from collections.abc import Mapping

from lessons.errors import NotFound

_SHELL = "/bin/sh"


def posix_shell(environment: Mapping[str, str] = os.environ, usual: str = _SHELL) -> str:
    """Returns the usual shell; on Windows that of Git, which the client uses there."""
    candidates = [usual, environment.get("CLAUDE_CODE_GIT_BASH_PATH", "")]
    git = shutil.which("git", path=environment.get("PATH"))
    if git:  # Git\\cmd\\git.exe
        folder = os.path.dirname(os.path.dirname(os.path.realpath(git)))
        candidates += [os.path.join(folder, "bin", name) for name in ("sh.exe", "bash.exe")]
    found = next((path for path in candidates if path and os.path.isfile(path)), None)
    if found is None:
        raise NotFound("There is no shell to run a hook command in: install Git for Windows, whose shell agents use.")
    return found
