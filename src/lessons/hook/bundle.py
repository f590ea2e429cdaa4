"""Writes the hook's modules into one file that loads them without searching the disk: one `.pyc` for all of them.

Importing some thirty small files costs a third of a bare interpreter start; reading them from one file costs far less.
Like a `.pyc` the bundle is in `__pycache__`, is stamped with the interpreter and with size and time of every source
file, and is optional: without it the hook imports as usual.
"""

import _imp
import ast
import importlib
import marshal
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from types import CodeType

import lessons
from lessons.hook.bundled_modules import AT_ONCE, NATIVE, TOGETHER, WHEN_IMPORTED

# The same as in entry.py and loader.py.
CHECK_KEY = 0x6C65_7373_6F6E
_LOADER = "lessons/hook/loader.py"
_PARTS = ("bundle", "late")
# The path of a source, its size, and the time of its last change.
Stamp = tuple[str, int, int]


def bundle_file(part: str = "bundle") -> Path:
    tag = sys.implementation.cache_tag
    return Path(__file__).parent / "__pycache__" / f"hook.{tag}.{part}"


def is_fresh() -> bool:
    """Whether the bundle for this interpreter is up to date."""
    try:
        written = [bundle_file(part).read_bytes() for part in _PARTS]
        return bundle_file("made-of").read_bytes() == _made_of(written)
    except OSError:
        return False


def refresh() -> bool:
    """Writes the bundle if it is missing or stale; returns False if its folder is not writable."""
    if is_fresh():
        return True
    written = [_bundle(), _late()]
    try:
        bundle_file().parent.mkdir(exist_ok=True)
        for part, data in zip((*_PARTS, "made-of"), (*written, _made_of(written)), strict=True):
            temporary = bundle_file(f"{part}.{os.getpid()}")
            temporary.write_bytes(data)
            os.replace(temporary, bundle_file(part))
    except OSError:
        return False
    return True


def _made_of(written: list[bytes]) -> bytes:
    """Identifies what was written and what it was made of: the interpreter and every source."""
    names = ("lessons.hook.bundle", "lessons.hook.bundled_modules", *AT_ONCE, *WHEN_IMPORTED)
    stamps = [_stamp(path) for path in (_LOADER, *map(_source, names))]
    return repr((sys.hexversion, stamps, [_checksum(data) for data in written])).encode()


def _bundle() -> bytes:
    """Returns a checksum, the program that loads and runs the hook, its modules, and their length and that of their
    head.
    """
    row, head = _row(AT_ONCE, [_stamp(_LOADER)])
    stored = marshal.dumps(_code(_LOADER)) + row + len(row).to_bytes(8, "little") + head.to_bytes(8, "little")
    return _imp.source_hash(CHECK_KEY, stored) + stored


def _late() -> bytes:
    """Returns the length of the index, the index, and the rows one after the other: each is read when a module of it
    is imported.

    The index has a line per module: its name, the offset of its row after the index, the length of the row and of its
    head, and the checksum of the row.
    """
    index = "\n"
    rows = b""
    together = {name: row for row in TOGETHER for name in row}
    for name in WHEN_IMPORTED:
        names = together.get(name, (name,))
        if name == names[0]:
            row, head = _row(names)
            index += "".join(f"{each} {len(rows)} {len(row)} {head} {_checksum(row)}\n" for each in names)
            rows += row
    return len(index).to_bytes(8, "little") + index.encode() + rows


def _row(names: tuple[str, ...], sources: Iterable[Stamp] = ()) -> tuple[bytes, int]:
    """Returns modules that are loaded together, and the length of the head before them.

    The head has the version of Python, the stamps of the sources, and the C modules that are imported. Paths are
    relative to the package, so that a copy of the package never runs the original's code.
    """
    stamps = [*sources, *(_stamp(_source(name)) for name in names)]
    natives = [(each, _origin(each)) for name in names for each in NATIVE.get(name, ())]
    head = marshal.dumps((sys.hexversion, stamps, [each for each in natives if each[1] is not None]))
    # Marshalled together: what they share is then stored, and read, once.
    return head + marshal.dumps([(name, (*_place(name), _code(_source(name)))) for name in names]), len(head)


def _origin(native: str) -> str | None:
    """Returns the file of a C module, nothing if it is part of the interpreter, None if it does not exist."""
    if native in sys.builtin_module_names:
        return ""
    try:
        return importlib.import_module(native).__file__
    except ImportError:
        return None


def _place(name: str) -> tuple[str, str, str]:
    """Returns the parent, the name below it, and the folder if it is a package."""
    parent, _, child = name.rpartition(".")
    path = name.replace(".", "/")
    package = path if (_root() / path).is_dir() else ""
    return parent, child, package


def _source(name: str) -> str:
    path = name.replace(".", "/")
    return f"{path}/__init__.py" if (_root() / path / "__init__.py").is_file() else f"{path}.py"


def _root() -> Path:
    return Path(lessons.__file__).parent.parent


def _checksum(row: bytes) -> int:
    """Computes the same as loader.py: the hash that the interpreter itself uses for `.pyc` files."""
    return int.from_bytes(_imp.source_hash(CHECK_KEY, row), "little")


def _code(source: str) -> CodeType:
    """Compiles a source file without docstrings, assertions and types, which the hook does not need."""
    tree = ast.fix_missing_locations(_WithoutTypes().visit(ast.parse((_root() / source).read_bytes())))
    code: CodeType = compile(tree, source, "exec", dont_inherit=True, optimize=2)
    return code


class _WithoutTypes(ast.NodeTransformer):
    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return [self.visit(each) for each in node.orelse]
        return self.generic_visit(node)

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


def _stamp(path: str) -> Stamp:
    status = os.stat(_root() / path)
    return path, status.st_size, status.st_mtime_ns
