"""Asks git about a repository without running any program that the repository configures."""

import os
import signal
import subprocess
import threading
from functools import lru_cache
from typing import IO

from lessons.redact.texts import clean_name
from lessons.session import GitState
from lessons.store.project_state.branch import current_branch

MOST_BYTES = 16 * 1024 * 1024
_MOST_LINES = 50
_SECONDS_TO_END = 0.5
_MOST_FILTERS = 40
# An empty fsmonitor disables it in every version of git: an older one would run a program called `false`.
_SAFE = (
    *("--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=", "-c", f"core.hooksPath={os.devnull}"),
    *("-c", "diff.external=", "-c", "log.showSignature=false", "-c", "core.quotePath=false", "-c", "color.ui=false"),
)
# The user's settings for git as a whole; all other GIT_* variables select another repository or programs.
_KEPT = frozenset(
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


def run(root: str, *arguments: str, seconds: float = 2.0, index: str = "") -> str | None:
    """Returns the output of a git command; None if git is missing, fails, takes too long or prints too much.

    `index`: the file to use as the index instead of the repository's.
    """
    answer = run_bytes(root, *arguments, seconds=seconds, index=index)
    return None if answer is None else answer.decode("utf-8", "replace")


def run_bytes(
    root: str, *arguments: str, seconds: float = 2.0, index: str = "", sent: IO[bytes] | None = None
) -> bytes | None:
    """Returns the output as bytes: file names need not be text. `sent`: a file that git reads as its input."""
    program = _program(os.environ.get("PATH", os.defpath), root)
    if not program:
        return None
    try:
        process = subprocess.Popen(
            [program, *_SAFE, *arguments],
            cwd=root,
            env=_environment() | ({"GIT_INDEX_FILE": index} if index else {}),
            stdin=sent or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError):
        return None
    return _answer(process, seconds)


def _answer(process: "subprocess.Popen[bytes]", seconds: float) -> bytes | None:
    pipe = process.stdout
    assert pipe is not None
    output: list[bytes] = []
    # In a thread: a process that git left behind may keep the pipe open indefinitely.
    reader = threading.Thread(target=lambda: output.append(pipe.read(MOST_BYTES + 1)), daemon=True)
    reader.start()
    reader.join(seconds)
    in_time = bool(output) and len(output[0]) <= MOST_BYTES
    if in_time:
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            in_time = False
    if not in_time:
        _stop(process)
        reader.join(_SECONDS_TO_END)
    if not reader.is_alive():
        pipe.close()
    return output[0] if in_time and process.returncode == 0 else None


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """Kills the process and its group; it has not been waited for yet, so its process id is still valid."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait(_SECONDS_TO_END)
    except (OSError, subprocess.TimeoutExpired):
        pass


def _environment() -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    return inherited | _FORBIDDEN


@lru_cache(maxsize=8)
def _program(path: str, root: str) -> str:
    """Returns the user's git, never one inside the repository itself."""
    inside = os.path.join(root, "")
    for folder in path.split(os.pathsep):
        if os.path.isabs(folder) and not os.path.join(folder, "").startswith(inside):
            for name in ("git.exe",) if os.name == "nt" else ("git",):
                if os.access(file := os.path.join(folder, name), os.X_OK) and os.path.isfile(file):
                    return file
    return ""


def is_hash(text: str) -> bool:
    """Whether it is an object hash: text from a file could otherwise be an option."""
    return len(text) in (40, 64) and not set(text) - set("0123456789abcdef")


def state_of(root: str) -> GitState:
    """Returns the state of the repository; ignores uncommitted changes inside submodules."""
    state = GitState(branch=clean_name(current_branch(root)))
    unfiltered = without_filters(root) if has_repository(root) else None
    if unfiltered is None:
        return state
    answer = run(
        root,
        *unfiltered,
        *("status", "--porcelain=v2", "--branch", "--no-ahead-behind", "--no-renames", "--ignore-submodules=dirty"),
    )
    if answer is None:
        state.head = head_of(root)
        return state
    lines = []
    for line in answer.split("\n"):
        if line.startswith("# branch.oid "):
            head = line.rpartition(" ")[2]
            state.head = head if is_hash(head) else ""
        elif short := _short(line):
            lines.append(short)
    state.uncommitted_count = len(lines)
    state.uncommitted = [clean_name(line) for line in lines[:_MOST_LINES]]
    return state


def has_repository(root: str) -> bool:
    return os.path.lexists(os.path.join(root, ".git"))


def head_of(root: str) -> str:
    """Returns HEAD, with a short time limit: it is asked after a larger command failed, perhaps slowly."""
    head = (run(root, "rev-parse", "--verify", "--quiet", "HEAD", seconds=0.5) or "").strip()
    return head if is_hash(head) else ""


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


def _short(line: str) -> str:
    """Converts a line of `git status` version 2 to version 1: two letters and the name."""
    kind = line[:2]
    if kind == "? ":
        return "?? " + line[2:]
    fields = {"1 ": 8, "u ": 10}.get(kind)
    parts = line.split(" ", fields) if fields else []
    return f"{parts[1].replace('.', ' ')} {parts[-1]}" if fields and len(parts) == fields + 1 else ""
