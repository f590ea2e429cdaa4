"""The pinned version of the real client and a cache folder in, the path of its binary out; installs it once."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from filelock import FileLock

VERSION = "2.1.325"
_PACKAGE = "@anthropic-ai/claude-code"
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


def folder() -> Path:
    return CACHE / f"claude-code-{VERSION}"


@cache
def binary() -> str:
    """The client's own executable; raises Unprepared unless it is there and of the pinned version."""
    for candidate in sorted(folder().glob(f"node_modules/{_PACKAGE}-*/claude*")):
        if os.access(candidate, os.X_OK) and _version_of(candidate) == VERSION:
            return str(candidate)
    raise Unprepared(f"No Claude Code {VERSION} in {folder()}: `make e2e` installs it there.")


def install() -> str:
    """Downloads the client unless it is there already; of two at once one waits for the other."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / "install.lock"):
        try:
            return binary()
        except Unprepared:
            fill(folder(), _download)
    return binary()


def fill(target: Path, download: Callable[[Path], None]) -> None:
    """The folder is there as a whole or not at all, however the download ends."""
    unfinished = Path(tempfile.mkdtemp(prefix="unfinished.", dir=CACHE))
    try:
        download(unfinished)
        shutil.rmtree(target, ignore_errors=True)
        unfinished.rename(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _download(target: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise Unprepared(f"npm is missing, and it installs Claude Code {VERSION}: install Node.js with npm.")
    # The package's script only copies the native binary that its dependency brings, so no script has to run.
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error")
    command = [npm, "install", "--prefix", str(target), *quiet, f"{_PACKAGE}@{VERSION}"]
    try:
        done = subprocess.run(command, cwd=target, capture_output=True, text=True, timeout=_INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        raise Unprepared(f"npm took more than {_INSTALL_SECONDS} s for {_PACKAGE}@{VERSION}: try again.") from None
    if done.returncode:
        said = " ".join(done.stderr.split())[:400]
        raise Unprepared(f"npm could not install {_PACKAGE}@{VERSION}, which needs the npm registry: {said}")


def _version_of(executable: Path) -> str:
    try:
        done = subprocess.run([executable, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.split(" ")[0].strip()


def explain(fault: Unprepared) -> int:
    """The exit code for a suite that cannot run; it is never skipped in silence."""
    print(f"e2e: {fault}", file=sys.stderr)
    return 1
