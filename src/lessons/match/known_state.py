"""Probes that do not ask the machine: answers about files and programs from a mapping."""

from lessons.match.state import ANY
from lessons.shell.places import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lessons.match.state import Answer


class KnownState:
    """Answers from two mappings, of absolute paths and of programs, to whether they exist.

    The folders around an existing path exist too. Anything else gets `other_paths` or `other_programs`: None for
    unknown.
    """

    def __init__(
        self,
        paths: "Mapping[str, bool] | None" = None,
        programs: "Mapping[str, bool] | None" = None,
        root: str | None = None,
        *,
        other_paths: bool | None = None,
        other_programs: bool | None = None,
    ) -> None:
        self._paths = _with_parents({_normal(path): there for path, there in (paths or {}).items()})
        self._programs = dict(programs or {})
        self._root = root
        self._other_paths = other_paths
        self._other_programs = other_programs

    def exists(self, path: str) -> bool | None:
        return self._paths.get(_normal(path), self._other_paths)

    def which(self, program: str) -> bool | None:
        return self._programs.get(program, self._other_programs)

    def root(self, folder: str) -> str | None:
        inside = self._root is not None and f"{folder}/".startswith(self._root.rstrip("/") + "/")
        return self._root if inside else None


class AsWanted:
    """Answers everything as the lesson asks: only the call itself decides."""

    def exists(self, path: str) -> "Answer":
        return ANY

    def which(self, program: str) -> "Answer":
        return ANY

    def root(self, folder: str) -> str | None:
        return ANY


def _with_parents(paths: dict[str, bool]) -> dict[str, bool]:
    parents = {parent: True for path, there in paths.items() if there for parent in _parents(path)}
    return {**parents, **paths}


def _parents(path: str) -> "Iterable[str]":
    while "/" in path.strip("/"):
        path = path.rpartition("/")[0]
        yield path


def _normal(path: str) -> str:
    """Removes `.`, `..` and a trailing slash."""
    return (joined("/", path) or path).rstrip("/") or "/"
