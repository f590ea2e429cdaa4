"""The house stands: imports point one way, stages do not know each other, nothing grows too long to read."""

import ast
from pathlib import Path

import pytest

import lessons

ROOT = Path(lessons.__path__[0])
FILES = sorted(path for path in ROOT.rglob("*.py") if "__pycache__" not in path.parts)
LONGEST_FILE = 320
LONGEST_FUNCTION = 60

# The lower a part stands, the fewer it knows: each may import those below it and itself.
TOP = {"cli", "web", "hook", "__main__"}
STAGES = {"capture", "promote", "inject", "prove", "continuity"}
SERVICES = {"store", "agents", "match"}
GROUND = {"", "model", "paths", "config", "episode", "errors", "schema", "json_document"}
GROUND |= {"plain", "redact", "session", "system", "ways_round"}
LAYERS = (GROUND, SERVICES, STAGES, TOP)


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def part_of(module: str) -> str:
    """The room of the house: `store` for lessons.store.atomic, nothing for the package itself."""
    return (module + ".").split(".")[1]


def imports_of(tree: ast.AST, module: str) -> list[tuple[str, int]]:
    """Every module of ours that is imported anywhere in a file, for types alone too, and the line."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: write the whole name of the module"
            base = node.module or ""
            names = [f"{base}.{alias.name}" if is_module(f"{base}.{alias.name}") else base for alias in node.names]
        else:
            continue
        found += [(name, node.lineno) for name in names if name.partition(".")[0] == "lessons"]
    return found


def is_module(name: str) -> bool:
    path = ROOT.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def layer_of(part: str) -> int:
    return next(number for number, parts in enumerate(LAYERS) if part in parts)


def names_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=names_of)
def test_every_file_has_a_place(path: Path) -> None:
    assert any(part_of(module_of(path)) in parts for parts in LAYERS)


@pytest.mark.parametrize("path", FILES, ids=names_of)
def test_imports_point_one_way(path: Path) -> None:
    own = part_of(module_of(path))
    for name, line in imports_of(ast.parse(path.read_text()), module_of(path)):
        other = part_of(name)
        assert layer_of(other) <= layer_of(own), f"{path}:{line} imports {name} from a layer above"
        assert own == other or not {own, other} <= STAGES, f"{path}:{line} imports another stage"
        assert not (own == "hook" and other in ("cli", "web")), f"{path}:{line} imports {name}"


@pytest.mark.parametrize("path", [path for path in FILES if part_of(module_of(path)) == "match"], ids=names_of)
def test_matching_imports_nothing_else(path: Path) -> None:
    tree = ast.parse(path.read_text())
    for name, line in imports_of(tree, module_of(path)):
        assert part_of(name) == "match", f"{path}:{line} imports {name}"
    for node in tree.body:
        foreign = isinstance(node, ast.Import) or (
            isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] != "lessons"
        )
        assert not foreign, f"{path}:{node.lineno} imports at the start of the program"


@pytest.mark.parametrize("path", FILES, ids=names_of)
def test_nothing_grows_too_long(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= LONGEST_FILE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= LONGEST_FUNCTION, f"{path}:{node.lineno} {node.name} has {length} lines"


@pytest.mark.parametrize("path", FILES, ids=names_of)
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text())), f"{path} has no docstring"
