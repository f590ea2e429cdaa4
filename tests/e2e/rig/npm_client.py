"""A client of the pinned table in, the path of its program out; npm installs it once into the cache folder."""

import json
from pathlib import Path

from filelock import FileLock

from tests.e2e.rig.client import CACHE, Unprepared, download, fill
from tests.e2e.rig.clients import CLIENTS


def folder(name: str) -> Path:
    return CACHE / f"{name}-{CLIENTS[name][1]}"


def program(name: str, path: str) -> str:
    """A file of the client's packages; raises Unprepared unless the pinned version is there."""
    package, version = CLIENTS[name]
    try:
        installed = json.loads((folder(name) / "node_modules" / package / "package.json").read_text("utf-8"))["version"]
    except (OSError, ValueError, KeyError):
        installed = ""
    found = folder(name) / "node_modules" / path
    if installed != version or not found.exists():
        raise Unprepared(f"No {package} {version} in {folder(name)}: `make e2e` installs it there.")
    return str(found)


def install(name: str) -> None:
    """Downloads it unless it is there already; of two at once one waits for the other."""
    package, version = CLIENTS[name]
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / f"install-{name}.lock"):
        try:
            program(name, f"{package}/package.json")
        except Unprepared:
            fill(folder(name), lambda target: download(target, package, version))
