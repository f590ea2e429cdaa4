"""Writes the hook's modules into one file that loads them without searching the disk: one `.pyc` for all of them.

Importing some thirty small files costs a third of a bare interpreter start; reading them from one file costs far less.
Like a `.pyc` the bundle is in `__pycache__`, is stamped with the interpreter and with size and time of every source
file, and is optional: without it the hook imports as usual.
"""

import _imp
import _json  # noqa: F401
import ast
import marshal
import os
import sys
from pathlib import Path
from types import CodeType
from typing import Any

import lessons
from lessons.hook.bundled_modules import AT_ONCE, TOGETHER, WHEN_IMPORTED

# Any number works: the hash only detects damage.
CHECK_KEY = 0x6C65_7373_6F6E
# C modules: separate files in some builds of Python, part of the interpreter in others.
_NATIVES = ("_json",)


def bundle_file(part: str = "bundle") -> Path:
    tag = sys.implementation.cache_tag
    return Path(__file__).parent / "__pycache__" / f"hook.{tag}.{part}"


def is_fresh() -> bool:
    """Whether the bundle for this interpreter is up to date."""
    try:
        bundle, late = marshal.loads(bundle_file().read_bytes()), _index_of(bundle_file("late").read_bytes())
        stamps = [*bundle["sources"], *(stamp for each in late.values() for stamp in each[0])]
        return (
            bundle["version"] == sys.hexversion
            and [name for name, _ in bundle["modules"]] == [*AT_ONCE]
            and sorted(late) == sorted(WHEN_IMPORTED)
            and all(_stamp(stamp[0]) == stamp for stamp in stamps)
        )
    except (OSError, ValueError, EOFError, TypeError, KeyError, AttributeError, IndexError):
        return False


def refresh() -> bool:
    """Writes the bundle if it is missing or stale; returns False if its folder is not writable."""
    if is_fresh():
        return True
    try:
        bundle_file().parent.mkdir(exist_ok=True)
        for part, data in (("late", _late()), ("bundle", _bundle())):
            temporary = bundle_file(f"{part}.{os.getpid()}")
            temporary.write_bytes(data)
            os.replace(temporary, bundle_file(part))
    except OSError:
        return False
    return True


def _bundle() -> bytes:
    """Stores paths relative to the package, so that a copy of the package never runs the original's code."""
    loader = "lessons/hook/loader.py"
    natives = [(name, file) for name in _NATIVES if (file := getattr(sys.modules.get(name), "__file__", None))]
    return marshal.dumps(
        {
            "version": sys.hexversion,
            "checkKey": CHECK_KEY,
            "sources": [_stamp(loader), *(_stamp(_source(name)) for name in AT_ONCE)],
            "loader": _code(loader),
            "natives": natives,
            # Marshalled together: what they share is then stored, and read, once.
            "modules": [(name, (*_place(name), _code(_source(name)))) for name in AT_ONCE],
            "late": list(WHEN_IMPORTED),
            "lateFile": str(bundle_file("late").relative_to(_root())),
        }
    )


def _late() -> bytes:
    """Returns the length of the index, the index, and the modules one after the other: each is read when it is
    imported.

    Per module the index has the stamps of its row in TOGETHER, a checksum, and its offset after the index.
    """
    index: dict[str, Any] = {}
    modules = b""
    rows = {name: row for row in TOGETHER for name in row}
    for name in WHEN_IMPORTED:
        row = rows.get(name, (name,))
        if name == row[0]:
            stored = marshal.dumps([(each, (*_place(each), _code(_source(each)))) for each in row])
            entry = ([_stamp(_source(each)) for each in row], _checksum(stored), len(modules), len(stored))
            index.update(dict.fromkeys(row, entry))
            modules += stored
    head = marshal.dumps(index)
    return len(head).to_bytes(8, "little") + head + modules


def _index_of(late: bytes) -> dict[str, Any]:
    index: dict[str, Any] = marshal.loads(late[8 : 8 + int.from_bytes(late[:8], "little")])
    return index


def _place(name: str) -> tuple[str, str, str]:
    """Returns the parent, the name below it, and the folder if it is a package."""
    parent, _, child = name.rpartition(".")
    path = name.replace(".", "/")
    package = path if (_root() / path).is_dir() else ""
    return parent, child, package


def _source(name: str) -> str:
    path = name.replace(".", "/")
    return f"{path}/__init__.py" if (_root() / path).is_dir() else f"{path}.py"


def _root() -> Path:
    return Path(lessons.__file__).parent.parent


def _checksum(code: bytes) -> bytes:
    """Computes the same as loader.py: the hash that the interpreter itself uses for `.pyc` files."""
    return _imp.source_hash(CHECK_KEY, code)


def _code(source: str) -> CodeType:
    """Compiles a source file without docstrings, assertions and annotations, which the hook does not need."""
    tree = ast.fix_missing_locations(_WithoutAnnotations().visit(ast.parse((_root() / source).read_bytes())))
    code: CodeType = compile(tree, source, "exec", dont_inherit=True, optimize=2)
    return code


class _WithoutAnnotations(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def _stamp(path: str) -> tuple[str, int, int]:
    status = os.stat(_root() / path)
    return path, status.st_size, status.st_mtime_ns
