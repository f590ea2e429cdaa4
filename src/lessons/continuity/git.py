"""Asks git about a repository without running any program that the repository configures.

The hook may import it, so it uses the standard library only.
"""

import os
import signal
import subprocess
from contextlib import suppress
from functools import lru_cache

_SECONDS_TO_END = 0.5
_MOST_FILTERS = 40
# An empty fsmonitor disables it in every version of git: an older one would run a program called `false`.
_SAFE = (
    *("--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=", "-c", f"core.hooksPath={os.devnull}"),
    *("-c", "diff.external=", "-c", "log.showSignature=false", "-c", "core.quotePath=false", "-c", "color.ui=false"),
)
# The user's settings for git as a whole; all other GIT_* variables select another repository or programs.
_PASSED_ON = frozenset(
    (
        *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES"),
        *("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"),
    )
)
# No prompts and no transport: a partial clone would fetch missing objects with any program its settings name.
_FORBIDDEN = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}


def run(root: str, *arguments: str, seconds: float = 2.0) -> str | None:
    """Returns the output of a git command; None if git is missing, fails or takes too long."""
    answer = run_bytes(root, *arguments, seconds=seconds)
    return None if answer is None else answer.decode("utf-8", "replace")


def run_bytes(root: str, *arguments: str, seconds: float = 2.0, index: str = "", sent: bytes = b"") -> bytes | None:
    """Returns the output as bytes: file names need not be text. `index`: a file to use as the index."""
    program = _program(os.environ.get("PATH", os.defpath), root)
    inherited = {name: value for name, value in os.environ.items() if name[:4] != "GIT_" or name in _PASSED_ON}
    process = None
    try:
        process = subprocess.Popen(
            [program, *_SAFE, *arguments],
            cwd=root,
            env=inherited | _FORBIDDEN | ({"GIT_INDEX_FILE": index} if index else {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        output, _ = process.communicate(sent, timeout=seconds)
        return output if process.returncode == 0 else None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    finally:
        if process and process.returncode is None:  # not waited for yet, so its process id is still valid
            with suppress(OSError, subprocess.TimeoutExpired):
                os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
                process.wait(_SECONDS_TO_END)


@lru_cache(maxsize=8)
def _program(path: str, root: str) -> str:
    """Returns the user's git, never one inside the repository itself."""
    inside = os.path.join(root, "")
    name = "git.exe" if os.name == "nt" else "git"
    for folder in path.split(os.pathsep):
        file = os.path.join(folder, name)
        is_outside = os.path.isabs(folder) and not file.startswith(inside)
        if is_outside and os.access(file, os.X_OK) and os.path.isfile(file):
            return file
    return ""


def is_hash(text: str) -> bool:
    """Whether it is an object hash: text from a file could otherwise be an option."""
    return len(text) in (40, 64) and not set(text) - set("0123456789abcdef")


def has_repository(root: str) -> bool:
    return os.path.lexists(os.path.join(root, ".git"))


def has_uncommitted(root: str, folder: str, kind: str) -> bool | None:
    """Whether there are changed `tracked` files in the repository, or `untracked` ones below the folder."""
    unfiltered = without_filters(root)
    if unfiltered is None:
        return None
    is_new = kind == "untracked"
    status = ("status", "--porcelain", "--no-ahead-behind", "--no-renames", "--ignore-submodules=dirty")
    files = f"--untracked-files={'normal' if is_new else 'no'}"
    found = run(root, *unfiltered, *status, files, "--", os.path.relpath(folder, root) if is_new else ".", seconds=1.0)
    return None if found is None else any(line.startswith("??") == is_new for line in found.splitlines())


def without_filters(root: str) -> list[str] | None:
    """Returns settings that disable every filter, because a status may run them; None if one has an unsafe name."""
    names = run(root, "config", "--list", "--name-only", "-z")
    if names is None:
        return None
    drivers = {name[7:].rpartition(".")[0] for name in names.split("\0") if name.startswith("filter.")}
    if len(drivers) > _MOST_FILTERS or any("=" in driver or "\n" in driver for driver in drivers):
        return None
    switches = ("clean=", "smudge=", "process=", "required=false")
    return [part for driver in sorted(drivers) for switch in switches for part in ("-c", f"filter.{driver}.{switch}")]
