"""A copy of the package with its own bundle; runs hook events in it and records every import and open file."""

import ast
import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import lessons
from lessons.agents.hook_command import usable_interpreter
from tests.builders.home import DataHome
from tests.builders.payloads import Payload

# The hook ends by leaving the process at once: what it loaded is told just before.
_TRACER = """\
import sys, posix
trace, entry, *arguments = sys.argv[1:]
bare, opened, leave = set(sys.modules), [], posix._exit
sys.addaudithook(lambda name, values: opened.append(str(values[0])) if name == "open" else None)

def left(status):
    modules = {}
    for name in set(sys.modules) - bare:
        module = sys.modules[name]
        loader = getattr(getattr(module, "__spec__", None), "loader", None)
        modules[name] = (getattr(module, "__file__", None) or "", type(loader).__name__)
    report = repr((status, modules, list(opened)))
    with open(trace, "w") as file:
        file.write(report)
    leave(0)

posix._exit = left
with open(entry, "rb") as file:
    program = file.read()
opened.clear()
sys.argv = [entry, *arguments]
exec(compile(program, entry, "exec"), {"__name__": "__main__", "__file__": entry})
"""


class Trace(NamedTuple):
    """What one event left behind: module -> (file, kind of loader), opened files, the answer."""

    status: int
    modules: dict[str, tuple[str, str]]
    opened: list[str]
    answer: Any


class PackageCopy:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "site"
        self.package = self.root / "lessons"
        shutil.copytree(lessons.__path__[0], self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.entry = str(self.package / "hook" / "entry.py")

    @property
    def bundle(self) -> Path:
        return self.package / "hook" / "__pycache__" / f"hook.{sys.implementation.cache_tag}.bundle"

    @property
    def late(self) -> Path:
        """The modules that only some events need."""
        return self.bundle.with_suffix(".late")

    def ask(self, expression: str) -> str:
        """What `lessons.hook.bundle` of this copy says, as text."""
        program = f"import sys; sys.path.insert(0, {str(self.root)!r}); from lessons.hook import bundle; "
        return run_bare("-c", f"{program}print({expression})").strip()

    def refresh(self) -> None:
        assert self.ask("bundle.refresh() and bundle.is_fresh()") == "True"

    def trace(self, home: DataHome, payload: Payload, *options: str, **variables: str) -> Trace:
        report = self.root / "trace"
        report.unlink(missing_ok=True)
        said = run_bare(
            "-c", _TRACER, str(report), self.entry, str(payload["hook_event_name"]), *options,
            stdin=json.dumps(payload), environment=home.environment(LESSONS_HOME=home.path, **variables),
        )  # fmt: skip
        status, modules, opened = ast.literal_eval(report.read_text())
        return Trace(status, modules, opened, json.loads(said) if said[:1] == "{" else said or None)


def run_bare(*arguments: str, stdin: str = "", environment: dict[str, str] | None = None) -> str:
    """What the real interpreter prints, started as the hook is."""
    command = [interpreter(), "-I", "-S", *arguments]
    ended = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=60, env=environment)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@cache
def interpreter() -> str:
    return usable_interpreter(sys.executable)
