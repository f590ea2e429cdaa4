"""The hook's modules in, one file that starts them without a search on the disk out: a `.pyc` for all of them.

Importing some thirty small files costs a third of a bare interpreter start; reading them from one costs far less.
Like a `.pyc` the bundle lies in `__pycache__`, is stamped with the interpreter and with size and time of every
source file, and is never needed: without it the hook imports as usual.
"""

import _json  # noqa: F401
import ast
import marshal
import os
import sys
from pathlib import Path
from types import CodeType

import lessons

# What every tool call needs, each after the modules it imports. A test holds order and completeness.
AT_ONCE = (
    "lessons",
    "lessons.system",
    "lessons.paths",
    "lessons.match",
    "lessons.match.tools",
    "lessons.match.call",
    "lessons.match.fold",
    "lessons.store",
    "lessons.store.json_text",
    "lessons.store.fired",
    "lessons.store.manifest",
    "lessons.store.hook_index",
    "lessons.agents",
    "lessons.agents.claude_code",
    "lessons.agents.claude_code.wire",
    "lessons.hook",
    "lessons.hook.lookup",
    "lessons.hook.pre_tool_use",
    "lessons.hook.main",
)
# What a call needs only when a lesson fires, when something is wrong, or at another event.
WHEN_IMPORTED = (
    "lessons.match.words",
    "lessons.match.wrappers",
    "lessons.match.shell",
    "lessons.match.rule",
    "lessons.store.published",
    "lessons.match.dialect",
    "lessons.store.append",
    "lessons.store.faults",
    "lessons.store.injections",
    "lessons.store.passes",
    "lessons.store.seen",
    "lessons.store.session_memory",
    "lessons.inject",
    "lessons.inject.words",
    "lessons.inject.budget",
    "lessons.inject.decide",
    "lessons.inject.protocol",
    "lessons.hook.deadline",
    "lessons.hook.act",
    "lessons.hook.tool_failure",
    "lessons.hook.subagent_start",
    "lessons.hook.session_start",
    "lessons.hook.background",
)


# Written in C; a file of its own for each in some builds of Python, part of the interpreter in others.
_NATIVES = ("_json",)


def bundle_file() -> Path:
    tag = sys.implementation.cache_tag
    return Path(__file__).parent / "__pycache__" / f"hook.{tag}.bundle"


def is_fresh() -> bool:
    """Whether the hook of this interpreter starts from the bundle."""
    try:
        bundle = marshal.loads(bundle_file().read_bytes())
        return (
            bundle["version"] == sys.hexversion
            and [each[0] for each in bundle["modules"]] == [*AT_ONCE, *WHEN_IMPORTED]
            and all(_stamp(path) == (path, size, time) for path, size, time in bundle["sources"])
        )
    except (OSError, ValueError, EOFError, TypeError, KeyError):
        return False


def refresh() -> bool:
    """Writes the bundle where it is missing or old; False where its folder cannot be written."""
    if is_fresh():
        return True
    target = bundle_file()
    temporary = target.with_suffix(f".{os.getpid()}")
    try:
        target.parent.mkdir(exist_ok=True)
        temporary.write_bytes(_bundle())
        os.replace(temporary, target)
    except OSError:
        return False
    return True


def _bundle() -> bytes:
    """Paths are kept from the package's folder on, so that a copy of the package never runs the original's code."""
    names = [*AT_ONCE, *WHEN_IMPORTED]
    loader = "lessons/hook/loader.py"
    sources, modules = [_stamp(loader)], []
    for name in names:
        path = name.replace(".", "/")
        package = path if (_root() / path).is_dir() else ""
        source = f"{path}/__init__.py" if package else f"{path}.py"
        sources.append(_stamp(source))
        parent, _, child = name.rpartition(".")
        code = marshal.dumps(_code(source))
        modules.append((name, parent, child, package, code, 0 if name in AT_ONCE else _checksum(code)))
    natives = [(name, file) for name in _NATIVES if (file := getattr(sys.modules.get(name), "__file__", None))]
    return marshal.dumps(
        {
            "version": sys.hexversion,
            "sources": sources,
            "loader": _code(loader),
            "natives": natives,
            "modules": modules,
        }
    )


def _root() -> Path:
    return Path(lessons.__file__).parent.parent


def _checksum(code: bytes) -> int:
    """As loader.py computes it, which runs where nothing can be imported."""
    return 1 + int.from_bytes(code, "little") % 1073741789


def _code(source: str) -> CodeType:
    """What runs of a source file: without docstrings, assertions and annotations, which are of no use to the hook."""
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
