"""A pinned client and a cache folder in, the path of its binary out; installs it once."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from filelock import FileLock

from tests.e2e.rig.clients import CLIENTS

DEFAULT = "claude-code"
VERSION = CLIENTS[DEFAULT][1]
# Where a client's own binary lies below the folder it is installed in.
EXECUTABLES = {
    "claude-code": "node_modules/@anthropic-ai/claude-code-*/claude*",
    "codex": "node_modules/@openai/codex-*/vendor/*/bin/codex*",
}
_INSTALL_SECONDS = 600


class Unprepared(Exception):
    """What keeps the suite from running, in one sentence that says what to do."""


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Where everything lies that is downloaded once and used by every run."""
    chosen = environment.get("LESSONS_E2E_CACHE")
    if chosen:
        return Path(chosen).absolute()
    base = environment.get("XDG_CACHE_HOME") or os.path.join(environment.get("HOME", "/"), ".cache")
    return Path(base) / "lessons-e2e"


# Read at import: each test runs with a home of its own.
CACHE = cache_folder(os.environ)


def folder(name: str = DEFAULT) -> Path:
    return CACHE / f"{name}-{CLIENTS[name][1]}"


@cache
def binary(name: str = DEFAULT) -> str:
    """The client's own executable; raises Unprepared unless it is there and of the pinned version."""
    package, version = CLIENTS[name]
    for candidate in sorted(folder(name).glob(EXECUTABLES[name])):
        if os.access(candidate, os.X_OK) and version in _version_of(candidate):
            return str(candidate)
    raise Unprepared(f"No {package} {version} in {folder(name)}: `make e2e` installs it there.")


def install(name: str = DEFAULT) -> str:
    """Downloads the client unless it is there already; of two at once one waits for the other."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / "install.lock"):
        try:
            return binary(name)
        except Unprepared:
            fill(folder(name), lambda target: download(target, *CLIENTS[name]))
    return binary(name)


def fill(target: Path, download: Callable[[Path], None]) -> None:
    """The folder is there as a whole or not at all, however the download ends."""
    unfinished = Path(tempfile.mkdtemp(prefix="unfinished.", dir=CACHE))
    try:
        download(unfinished)
        shutil.rmtree(target, ignore_errors=True)
        unfinished.rename(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def download(target: Path, package: str, version: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise Unprepared(f"npm is missing, and it installs {package} {version}: install Node.js with npm.")
    # A package's script only copies the native binary that its dependency brings, so no script has to run.
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error")
    command = [npm, "install", "--prefix", str(target), *quiet, f"{package}@{version}"]
    try:
        done = subprocess.run(command, cwd=target, capture_output=True, text=True, timeout=_INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        raise Unprepared(f"npm took more than {_INSTALL_SECONDS} s for {package}@{version}: try again.") from None
    if done.returncode:
        said = " ".join(done.stderr.split())[:400]
        raise Unprepared(f"npm could not install {package}@{version}, which needs the npm registry: {said}")


def _version_of(executable: Path) -> list[str]:
    """The words in which it tells its version."""
    try:
        done = subprocess.run([executable, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.split()


def explain(fault: Unprepared) -> int:
    """The exit code for a suite that cannot run; it is never skipped in silence."""
    print(f"e2e: {fault}", file=sys.stderr)
    return 1
