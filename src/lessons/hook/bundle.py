"""Writes the hook's modules into one file that starts them without a search on the disk: a `.pyc` for all of them.

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
from typing import Any

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
    "lessons.shell",
    "lessons.shell.global_options",
    "lessons.store",
    "lessons.store.json_text",
    "lessons.store.fired",
    "lessons.store.manifest",
    "lessons.store.hook_index",
    "lessons.agents",
    "lessons.agents.hook_event",
    "lessons.agents.table",
    "lessons.agents.claude_code",
    "lessons.agents.claude_code.wire",
    "lessons.hook",
    "lessons.hook.lookup",
    "lessons.hook.before_call",
    "lessons.hook.payload",
    "lessons.hook.main",
)
# What a call needs only when a lesson fires, when something is wrong, or at another event.
WHEN_IMPORTED = (
    "lessons.plain",
    "lessons.shell.commands",
    "lessons.shell.wrapper_table",
    "lessons.shell.wrappers",
    "lessons.shell.values",
    "lessons.shell.words",
    "lessons.shell.heredocs",
    "lessons.shell.flow",
    "lessons.shell.script",
    "lessons.shell.known_output",
    "lessons.shell.payload_table",
    "lessons.shell.table_payloads",
    "lessons.shell.multiplexers",
    "lessons.shell.windows",
    "lessons.shell.payloads",
    "lessons.shell.interpreters",
    "lessons.shell.powershell",
    "lessons.shell.split",
    "lessons.shell.looking",
    "lessons.shell.steps",
    "lessons.shell.step_reader",
    "lessons.shell.places",
    "lessons.failure",
    "lessons.failure.repeated",
    "lessons.match.rule",
    "lessons.match.placeholders",
    "lessons.match.state",
    "lessons.store.published",
    "lessons.match.dialect",
    "lessons.store.append",
    "lessons.store.faults",
    "lessons.store.injections",
    "lessons.store.passes",
    "lessons.store.claims",
    "lessons.store.claims.claim_files",
    "lessons.store.claims.shown",
    "lessons.store.claims.redelivery",
    "lessons.store.claims.notices",
    "lessons.store.claims.session_facts",
    "lessons.store.claims.session_memory",
    "lessons.store.claims.failures",
    "lessons.store.project_state",
    "lessons.store.project_state.branch",
    "lessons.store.project_state.read_fields",
    "lessons.store.project_state.state_paths",
    "lessons.store.excluded",
    "lessons.agents.claude_code.delivery",
    "lessons.agents.claude_code.hook_lines",
    "lessons.agents.claude_code.hook_in_settings",
    "lessons.agents.claude_code.server",
    "lessons.agents.claude_code.server.answer_claims",
    "lessons.agents.claude_code.server.presence",
    "lessons.agents.claude_code.server.shared_call",
    "lessons.agents.claude_code.server.serve",
    "lessons.inject",
    "lessons.inject.words",
    "lessons.inject.budget",
    "lessons.inject.decide",
    "lessons.inject.protocol",
    "lessons.inject.session_start",
    "lessons.inject.loop",
    "lessons.continuity",
    "lessons.continuity.compaction",
    "lessons.continuity.offer",
    "lessons.continuity.restore",
    "lessons.hook.deadline",
    "lessons.hook.file_system",
    "lessons.hook.fallback",
    "lessons.hook.call_memory",
    "lessons.hook.injection_log",
    "lessons.hook.after_failure",
    "lessons.hook.subagent_start",
    "lessons.hook.background",
    "lessons.hook.session_worker",
    "lessons.hook.session_start",
    "lessons.hook.before_compaction",
    "lessons.hook.turn_end",
    "lessons.hook.session_end",
    "lessons.hook.after_call",
    "lessons.hook.resident",
)


# Loaded as one, because most calls that need one of a row need all of it; in the order of the table above.
TOGETHER = (
    ("lessons.match.rule", "lessons.store.published", "lessons.hook.deadline"),
    ("lessons.shell.looking", "lessons.shell.steps", "lessons.shell.places", "lessons.match.placeholders",
     "lessons.match.state"),
    ("lessons.shell.commands", "lessons.shell.wrapper_table", "lessons.shell.wrappers", "lessons.shell.values",
     "lessons.shell.words", "lessons.shell.heredocs", "lessons.shell.flow", "lessons.shell.script",
     "lessons.shell.known_output", "lessons.shell.payload_table", "lessons.shell.table_payloads",
     "lessons.shell.multiplexers", "lessons.shell.windows", "lessons.shell.payloads", "lessons.shell.split"),
    ("lessons.inject.words", "lessons.inject.budget", "lessons.inject.decide"),
    ("lessons.store.append", "lessons.store.injections", "lessons.store.passes", "lessons.hook.call_memory"),
    ("lessons.store.claims", "lessons.store.claims.claim_files", "lessons.store.claims.shown"),
)  # fmt: skip

# Written in C; a file of its own for each in some builds of Python, part of the interpreter in others.
_NATIVES = ("_json",)


def bundle_file(part: str = "bundle") -> Path:
    tag = sys.implementation.cache_tag
    return Path(__file__).parent / "__pycache__" / f"hook.{tag}.{part}"


def is_fresh() -> bool:
    """Whether the hook of this interpreter starts from the bundle."""
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
    """Writes the bundle where it is missing or old; False where its folder cannot be written."""
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
    """Paths are kept from the package's folder on, so that a copy of the package never runs the original's code."""
    loader = "lessons/hook/loader.py"
    natives = [(name, file) for name in _NATIVES if (file := getattr(sys.modules.get(name), "__file__", None))]
    return marshal.dumps(
        {
            "version": sys.hexversion,
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
    """The length of the index, the index, and the modules one after the other: each is read when it is imported.

    The index has of each module the stamps of its row in TOGETHER, a checksum, and where behind the index it lies.
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
    """Parent, name below it, folder of a package."""
    parent, _, child = name.rpartition(".")
    path = name.replace(".", "/")
    package = path if (_root() / path).is_dir() else ""
    return parent, child, package


def _source(name: str) -> str:
    path = name.replace(".", "/")
    return f"{path}/__init__.py" if (_root() / path).is_dir() else f"{path}.py"


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
