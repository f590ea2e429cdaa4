"""The file `trusted.json`: which projects the user trusts, with the digests of the files they were shown."""

import json
from collections.abc import Mapping

import msgspec

from lessons import json_document, paths
from lessons.errors import DamagedFile
from lessons.model import shown
from lessons.store import atomic
from lessons.store.lock import locked


class Trust(msgspec.Struct, rename="camel", frozen=True):
    """The content of a project's folder when the user agreed; a digest is empty if the file was not read."""

    trusted_at: str
    taken: dict[str, str]
    refused: dict[str, str] = {}


def read(home: str) -> dict[str, Trust]:
    """Returns each trusted project by its root; refuses a damaged file, so that nothing is trusted meanwhile."""
    path = paths.trusted_file(home)
    remedy = "delete it and run `lessons trust` in your projects again"
    text = json_document.read_text(path, remedy)
    if text is None:
        return {}
    projects = json_document.parse(text, path, remedy).get("projects", {})
    try:
        return msgspec.convert(projects, dict[str, Trust])
    except msgspec.ValidationError:
        raise DamagedFile(f"projects in {path} is {shown(projects)}, which cannot be used: {remedy}.") from None


def note(home: str, root: str, trust: Trust) -> None:
    """Trusts a project as it is now; replaces its earlier record."""
    with locked(paths.trusted_file(home)):
        _write(home, {**read(home), root: trust})


def remove(home: str, root: str) -> bool:
    """Removes the trust; returns False if it was not trusted."""
    with locked(paths.trusted_file(home)):
        projects = read(home)
        if root not in projects:
            return False
        del projects[root]
        _write(home, projects)
    return True


def _write(home: str, projects: Mapping[str, Trust]) -> None:
    document = {"projects": msgspec.to_builtins(dict(sorted(projects.items())))}
    atomic.write_text(paths.trusted_file(home), json.dumps(document, indent=2) + "\n")
