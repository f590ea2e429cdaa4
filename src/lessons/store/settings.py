"""Writes the files that hold settings of the user: `config.json`, and `trusted.json` with the trusted projects."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec

from lessons import json_document, paths
from lessons.config import REMEDY, checked, put, require_key, value_from_text
from lessons.errors import DamagedFile
from lessons.model import shown
from lessons.store import files, memory_index
from lessons.store.files import locked


def set_value(home: str, key: str, text: str) -> object:
    """Writes one setting; other keys stay unchanged, even unknown ones and those with a wrong value."""
    value = checked(key, value_from_text(key, text), key)
    with _changing(paths.config_file(home)) as document:
        put(document, key, value)
    if key == "excludeProjects":
        memory_index.remove(home)  # at once: the next scan makes it without the excluded projects
    return value


def unset_value(home: str, key: str) -> bool:
    """Removes one setting, so that its default applies; returns False if the file did not have it."""
    require_key(key)
    with _changing(paths.config_file(home)) as document:
        group, _, name = key.rpartition(".")
        holder = document.get(group) if group else document
        if not isinstance(holder, dict) or name not in holder:
            return False
        del holder[name]
        if group and not holder:
            del document[group]
    return True


@contextmanager
def _changing(file: str) -> Iterator[dict[str, object]]:
    """Writes what was changed in the document, in the layout of the file."""
    with locked(file):
        before = files.content(file)
        text = json_document.read_text(file, REMEDY)
        document = {} if text is None else json_document.parse(text, file, REMEDY)
        style = json_document.style_of(text) if text else json_document.Style()
        unchanged = json_document.render(document, style)
        yield document
        if (changed := json_document.render(document, style)) != unchanged:
            files.change_edited(file, before, changed.encode())


class Trust(msgspec.Struct, rename="camel", frozen=True):
    """The content of a project's folder when the user agreed; a digest is empty if the file was not read."""

    trusted_at: str
    taken: dict[str, str]
    refused: dict[str, str] = {}


def trusted_projects(home: str) -> dict[str, Trust]:
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


def trust(home: str, root: str, trust: Trust) -> None:
    """Trusts a project as it is now; replaces its earlier record."""
    with locked(paths.trusted_file(home)):
        _write_trusted(home, {**trusted_projects(home), root: trust})


def distrust(home: str, root: str) -> bool:
    """Removes the trust; returns False if it was not trusted."""
    with locked(paths.trusted_file(home)):
        projects = trusted_projects(home)
        if root not in projects:
            return False
        del projects[root]
        _write_trusted(home, projects)
    return True


def _write_trusted(home: str, projects: Mapping[str, Trust]) -> None:
    document = {"projects": msgspec.to_builtins(dict(sorted(projects.items())))}
    files.write_text(paths.trusted_file(home), json.dumps(document, indent=2) + "\n")
