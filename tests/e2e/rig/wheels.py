"""The requirements in pyproject.toml in, a folder of wheels for an offline installation out."""

import hashlib
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

from filelock import FileLock

from tests.e2e.rig.client import CACHE, Unprepared, fill

ROOT = Path(__file__).resolve().parents[3]


def requirements() -> list[str]:
    """What the package needs to be built, and then to run."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [*document["build-system"]["requires"], *document["project"]["dependencies"]]


def folder() -> Path:
    """The name tells for which requirements and which Python the wheels are."""
    parts = [*requirements(), sys.implementation.cache_tag or "", sysconfig.get_platform()]
    return CACHE / f"wheels-{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:16]}"


def gather() -> Path:
    """Downloads them unless they are there already."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / "wheels.lock"):
        if not folder().is_dir():
            fill(folder(), _download)
    return folder()


def _download(target: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run([*command, "--wheel-dir", str(target), *requirements()], capture_output=True, text=True)
    if done.returncode:
        said = " ".join(done.stderr.split())[-400:]
        raise Unprepared(f"pip could not download what the package needs, which takes a package index: {said}")
