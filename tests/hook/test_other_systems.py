"""The hook on a smaller Python: the same answers without `posix`, timers, user ids, C parts of `json`."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lessons.agents.hook_command import entry_file
from lessons.hook import background, lookup
from lessons.system import system
from tests.builders import payloads
from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson, stopping
from tests.builders.package import interpreter
from tests.builders.payloads import Payload

SHOP = "C:\\Users\\me\\shop"
# `os` is loaded first: it needs what is taken away then.
_AS_ON_WINDOWS = """
import os
sys.modules["posix"] = None
for name in ("getuid", "geteuid", "pread", "fork", "setsid", "posix_spawn", "waitpid", "WNOHANG"):
    delattr(os, name)
os.O_BINARY = 0
"""
_WITHOUT_TIMER = """
import _signal
for name in ("setitimer", "getitimer", "ITIMER_VIRTUAL", "SIGVTALRM"):
    delattr(_signal, name)
"""
SYSTEMS = {
    "as it is": "",
    "no posix": _AS_ON_WINDOWS,
    "no timer": _WITHOUT_TIMER,
    "no signals": 'sys.modules["_signal"] = None',
    "no C parts of json": 'sys.modules["_json"] = None',
    "Windows": _AS_ON_WINDOWS + _WITHOUT_TIMER,
}
_PROGRAM = """
import sys
{prepare}
entry = sys.argv[1]
sys.argv = sys.argv[1:]
with open(entry, "rb") as file:
    program = compile(file.read(), entry, "exec")
exec(program, {{"__name__": "__main__", "__file__": entry}})
"""
WINDOWS_EDIT = {"file_path": f"{SHOP}\\src\\till\\a.py", "old_string": "a", "new_string": "b"}
CALLS: dict[str, Payload] = {
    "a session": payloads.session_start("startup", model="claude-opus-5"),
    "a subagent": payloads.subagent_start(),
    "nothing": payloads.bash("ls"),
    "hint": payloads.bash("git stash"),
    "stop": payloads.bash("git reset --hard"),
    "block": payloads.bash("git push --force"),
    "error": payloads.failure(payloads.bash("ls"), "Exit code 1\r\nno matches found\r\n"),
    "a path of Windows": payloads.pre_tool_use("Edit", WINDOWS_EDIT, cwd=SHOP),
    "another drive": payloads.pre_tool_use(
        "Edit", {**WINDOWS_EDIT, "file_path": "D:\\src\\till\\b.txt"}, cwd="D:\\src"
    ),
    "in a project of Windows": payloads.bash("make ship", cwd="c:\\Users\\me\\shop\\src"),
    "beside the project": payloads.bash("make ship", cwd="C:\\Users\\me\\shopping"),
}
SILENT = ("nothing", "another drive", "beside the project")


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    home = DataHome(tmp_path)
    home.publish(
        lesson(),
        blocking(),
        stopping(),
        lesson("no-match", triggers={"errorPatterns": ["no matches found$"]}),
        lesson("till", triggers={"pathPatterns": ["src/**/*.py"]}),
        lesson("till-whole", triggers={"pathPatterns": ["c:/Users/*/shop/src/**"]}),
        lesson("ship", triggers={"commandPatterns": ["make ship"]}, scope={"type": "project", "path": SHOP}),
    )
    return home


def answer(home: DataHome, system_name: str, payload: Payload) -> Any:
    program = _PROGRAM.format(prepare=SYSTEMS[system_name])
    ended = subprocess.run(
        [interpreter(), "-I", "-S", "-c", program, entry_file(), str(payload["hook_event_name"])],
        input=json.dumps(payload, indent=1).replace("\n", "\r\n").encode(),
        capture_output=True,
        timeout=60,
        env=home.environment(
            LESSONS_HOME=home.path, LESSONS_LESSON_PROTOCOL="always", USERPROFILE=str(home.temporary.parent)
        ),
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert home.faults() == ""
    return json.loads(ended.stdout) if ended.stdout else None


@pytest.mark.parametrize(
    ("system_name", "indexed"), [*((name, True) for name in SYSTEMS), ("as it is", False), ("Windows", False)]
)
def test_every_system_gives_the_same_answers(home: DataHome, system_name: str, indexed: bool) -> None:
    if not indexed:
        (home.folder / "hook-index").unlink()
    answers = {name: answer(home, system_name, call) for name, call in CALLS.items()}
    assert [name for name, said in answers.items() if said is None] == list(SILENT)
    for name, word in {"hint": "stash", "a path of Windows": "till", "error": "no-match"}.items():
        assert word in answers[name]["hookSpecificOutput"]["additionalContext"], name
    assert "till-whole" in json.dumps(answers["a path of Windows"])
    assert "named ship" in json.dumps(answers["in a project of Windows"])
    for name in ("stop", "block"):
        assert answers[name]["hookSpecificOutput"]["permissionDecision"] == "deny", name
    (stopped,) = {*home.temporary.rglob("*.stop"), *home.folder.rglob("*.stop")}
    os.utime(stopped, (0, 0))  # no longer a call that was issued together with the first
    # What was shown is remembered; what was stopped once passes; what is blocked stays blocked.
    assert [answer(home, system_name, CALLS[name]) is None for name in ("hint", "stop", "block")] == [True, True, False]
    assert len(home.log()) == 8


def test_an_endless_pattern_without_a_timer_is_left_to_the_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    class Without:
        """The module `_signal` of a system without timers."""

    monkeypatch.setattr(lookup, "_signal", Without())
    clock = lookup.Deadline()
    assert clock.run(lambda: "found") == "found"
    assert clock.run(lambda: None) is None
    assert not clock.is_over()


RECORDER = """\
#!{python}
import os, sys
with open(r"{told}", "a") as file:
    print(os.environ["LESSONS_HOME"], *sys.argv[1:], sys.stdin.read() == "", file=file)
sys.exit({status})
"""


@pytest.fixture(params=[True, False], ids=["spawned", "detached"])
def _either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        monkeypatch.delattr(system, "posix_spawn")


def recorder(folder: Path, status: int = 0) -> str:
    file = folder / "python"
    file.write_text(RECORDER.format(python=sys.executable, told=folder / "told", status=status))
    file.chmod(0o755)
    return str(file)


def told(folder: Path) -> Iterator[str]:
    until = time.monotonic() + 20
    while not (folder / "told").exists() or not (folder / "told").read_text().endswith("\n"):
        assert time.monotonic() < until, "nothing was started"
        time.sleep(0.01)
    yield from (folder / "told").read_text().splitlines()


@pytest.mark.usefixtures("_either_way")
def test_a_process_that_outlives_the_hook(home: DataHome, tmp_path: Path) -> None:
    (home.folder / "fired" / "scan").unlink()
    background.scan_if_due(home.path, recorder(tmp_path), {})
    assert list(told(tmp_path)) == [f"{home.path} -I -m lessons scan --auto True"]
    assert home.faults() == ""


@pytest.mark.usefixtures("_either_way")
def test_a_rebuild_that_fails_is_noted(home: DataHome, tmp_path: Path) -> None:
    home.write(lesson("another"))
    background.rebuild_if_stale(home.path, recorder(tmp_path, status=1))
    assert list(told(tmp_path)) == [f"{home.path} -I -m lessons build --quiet True"]
    assert "`lessons build` failed: run it to see why" in home.faults()
