"""Asks git about a repository without running any program that the repository names."""

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
# An empty fsmonitor is none to every version of git: an older one would run a program called `false`.
_SAFE = (
    *("--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=", "-c", f"core.hooksPath={os.devnull}"),
    *("-c", "diff.external=", "-c", "log.showSignature=false", "-c", "core.quotePath=false", "-c", "color.ui=false"),
)
# What the person says about git as a whole; every other GIT_* variable speaks of another repository or of programs.
_KEPT = frozenset(
    (
        *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES"),
        *("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"),
    )
)
# No question and no transport: a partial clone would fetch what it lacks with whatever program its settings name.
_FORBIDDEN = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}


def run(root: str, *arguments: str, seconds: float = 2.0, index: str = "") -> str | None:
    """What a git command prints; None if there is no git, where it fails, takes too long or says too much.

    `index`: the file to use as the index, where it is not that of the repository.
    """
    answer = run_bytes(root, *arguments, seconds=seconds, index=index)
    return None if answer is None else answer.decode("utf-8", "replace")


def run_bytes(
    root: str, *arguments: str, seconds: float = 2.0, index: str = "", sent: IO[bytes] | None = None
) -> bytes | None:
    """The same as it is printed: names of files need not be text. `sent`: a file that git reads as its input."""
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
    told: list[bytes] = []
    # A thread of its own: a process that git has left behind may keep the pipe open for as long as it likes.
    reader = threading.Thread(target=lambda: told.append(pipe.read(MOST_BYTES + 1)), daemon=True)
    reader.start()
    reader.join(seconds)
    in_time = bool(told) and len(told[0]) <= MOST_BYTES
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
    return told[0] if in_time and process.returncode == 0 else None


def _stop(process: "subprocess.Popen[bytes]") -> None:
    """With everything it has started; it was not waited for yet, so that its number is still its own."""
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
    """The git of the person: never one that lies in the repository itself."""
    inside = os.path.join(root, "")
    for folder in path.split(os.pathsep):
        if os.path.isabs(folder) and not os.path.join(folder, "").startswith(inside):
            for name in ("git.exe",) if os.name == "nt" else ("git",):
                if os.access(file := os.path.join(folder, name), os.X_OK) and os.path.isfile(file):
                    return file
    return ""


def is_hash(text: str) -> bool:
    """Whether it names an object and nothing else: whatever comes from a file could be an option."""
    return len(text) in (40, 64) and not set(text) - set("0123456789abcdef")


def state_of(root: str) -> GitState:
    """The state of the repository; ignores uncommitted changes inside submodules."""
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
    """Asked where something larger has failed and may have taken its time: the answer comes at once or not at all."""
    head = (run(root, "rev-parse", "--verify", "--quiet", "HEAD", seconds=0.5) or "").strip()
    return head if is_hash(head) else ""


def without_filters(root: str) -> list[str] | None:
    """Settings that switch off every filter, since a status may run them; None if one has too odd a name."""
    names = run(root, "config", "--list", "--name-only", "-z")
    if names is None:
        return None
    drivers = {name[7:].rpartition(".")[0] for name in names.split("\0") if name.startswith("filter.")}
    if len(drivers) > _MOST_FILTERS or any("=" in driver or "\n" in driver for driver in drivers):
        return None
    switches = ("clean=", "smudge=", "process=", "required=false")
    return [part for driver in sorted(drivers) for switch in switches for part in ("-c", f"filter.{driver}.{switch}")]


def _short(line: str) -> str:
    """A line of the second format of `git status` as one of the first: two letters and the name."""
    kind = line[:2]
    if kind == "? ":
        return "?? " + line[2:]
    fields = {"1 ": 8, "u ": 10}.get(kind)
    parts = line.split(" ", fields) if fields else []
    return f"{parts[1].replace('.', ' ')} {parts[-1]}" if fields and len(parts) == fields + 1 else ""
