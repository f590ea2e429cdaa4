"""Imports point one way: each part of the package imports only those below it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import lessons
from lessons.agents.table import AGENTS

ROOT = Path(lessons.__path__[0])
FILES = sorted(path for path in ROOT.rglob("*.py") if "__pycache__" not in path.parts)

# The lower a part stands, the fewer it knows: each may import those below it and itself.
COMPOSERS = {"doctor", "ledger", "replay", "report", "watch"}  # they bring stages together
TOP = {"cli", "mcp", "hook", "__main__", *COMPOSERS}
STAGES = {"capture", "promote", "inject", "prove", "continuity", "reviews"}
SERVICES = {"mistakes", "store", "agents", "match"}
ROOMS = {"shell", "failure", "redact"}
NOUNS = {
    *("", "model", "lesson_fields", "check", "paths", "config", "episode", "candidate", "errors", "schema"),
    *(
        "hook_paths",
        "collection",
        "json_document",
        "opportunity",
        "plain",
        "project_name",
        "session",
        "system",
        "code_review",
        "alert",
        "child_process",
    ),
}
LAYERS = (NOUNS, ROOMS, SERVICES, STAGES, TOP)
# They import neither each other nor a library when the hook starts.
PURE = {"match": {"match", "shell"}, "shell": {"shell"}}
FAILURE = {"failure", "shell", *NOUNS}

# They read databases of other programs; that of the history is known to store/history alone.
READERS_OF_FOREIGN_DATABASES = {"agents/opencode/database.py", "promote/imports/lessons_learned_database.py"}
# The modules of store/history that hand out connections.
BEHIND_HISTORY = {"lessons.store.history.database", "lessons.store.history.facts"}


class Import(NamedTuple):
    path: Path
    line: int
    own: str  # part of the house that imports
    other: str  # part that is imported
    name: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line} imports {self.name}"


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text()) for path in FILES}


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(module: str) -> str:
    """`store` for lessons.store.atomic, nothing for the package itself."""
    return (module + ".").split(".")[1]


def is_module(name: str) -> bool:
    path = ROOT.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def imports() -> Iterator[Import]:
    """Every import of a module of ours anywhere in a file, for types alone too."""
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}:{node.lineno}: write the whole name of the module"
                base = node.module or ""
                names = [f"{base}.{alias.name}" if is_module(f"{base}.{alias.name}") else base for alias in node.names]
            else:
                continue
            for name in names:
                if name.partition(".")[0] == "lessons":
                    yield Import(path, node.lineno, part_of(module_of(path)), part_of(name), name)


def layer_of(part: str) -> int:
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


def test_every_file_has_a_place() -> None:
    rooms = set().union(*LAYERS)
    assert [str(path) for path in FILES if part_of(module_of(path)) not in rooms] == []


def test_imports_point_one_way() -> None:
    found = list(imports())
    assert [str(each) for each in found if layer_of(each.other) > layer_of(each.own)] == []
    assert [str(each) for each in found if each.own == "failure" and each.other not in FAILURE] == []
    assert [str(each) for each in found if each.own == "hook" and each.other in ("cli", "mcp", *COMPOSERS)] == []


def test_only_an_agents_own_folder_imports_it() -> None:
    """All others go through agents/table.py."""
    folders = {f"lessons.agents.{folder}" for folder in AGENTS.values()}
    for each in imports():
        folder = ".".join(each.name.split(".")[:3])
        assert folder not in folders or module_of(each.path).startswith(folder), each


def test_matching_imports_nothing_when_the_hook_starts() -> None:
    assert [str(each) for each in imports() if each.own == "match" and each.other not in PURE["match"]] == []
    assert [str(each) for each in imports() if each.own == "shell" and each.other not in PURE["shell"]] == []
    for path, tree in trees().items():
        for node in tree.body if part_of(module_of(path)) == "match" else ():
            foreign = isinstance(node, ast.Import) or (
                isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] != "lessons"
            )
            assert not foreign, f"{path}:{node.lineno} imports at the start of the program"


def test_only_the_history_knows_its_database() -> None:
    others = {
        path: tree
        for path, tree in trees().items()
        if not path.is_relative_to(ROOT / "store" / "history")
        and str(path.relative_to(ROOT)) not in READERS_OF_FOREIGN_DATABASES
    }
    assert [str(each) for each in imports() if each.path in others and each.name in BEHIND_HISTORY] == []
    for path, tree in others.items():
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {"sqlite3", "_sqlite3"} & set(names), f"{path} imports SQLite"
            mentioned = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            assert mentioned not in ("sqlite3", "Connection", "Cursor"), f"{path} mentions {mentioned}"
