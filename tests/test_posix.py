"""The suite on Windows: what needs POSIX is reported and not imported, everything else can be collected."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.posix import needed_by
from tests.tables import table

ROOT = Path(__file__).parents[1]
# Taken away when all is loaded that needs it: the tests are what is looked at.
_AS_ON_WINDOWS = """
import asyncio, multiprocessing.connection, os, platformdirs, signal, sys
import filelock, pexpect, pytest, rich.console
import tests.posix

@pytest.hookimpl(tryfirst=True)
def pytest_collection(session):
    tests.posix.HERE = False
    for name in ("fcntl", "termios", "tty", "pty", "resource", "grp", "pwd", "readline"):
        sys.modules[name] = None
    for module, names in {
        os: "getuid geteuid getgid fork mkfifo nice setsid posix_spawn killpg pread",
        signal: "SIGKILL SIGHUP SIGVTALRM setitimer getitimer ITIMER_VIRTUAL",
        pexpect: "spawn",
    }.items():
        for name in names.split():
            delattr(module, name)
"""


@table("name", ["match/test_glob.py", "shell/test_split.py", "inject/test_budget.py", "test_paths.py"])
def test_what_is_plain_python_is_not_skipped(name: str) -> None:
    assert needed_by((ROOT / "tests" / name).read_text(encoding="utf-8")) == ""


@table(
    ("text", "needed"),
    [
        ("import fcntl", "fcntl"),
        ('["/bin/sh", "-c", line]', "/bin/sh"),
        ("file.chmod(0o755)", "chmod"),
        ("os.geteuid() == 0", "geteuid"),
        ("process.send_signal(signal.SIGKILL)", "SIGKILL"),
        ("def test(lessons: CommandLine) -> None: ...", "CommandLine"),
    ],
)
def test_what_needs_posix(text: str, needed: str) -> None:
    assert needed_by(text) == needed


def test_a_suite_without_posix_is_collected_and_says_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "as_on_windows.py").write_text(_AS_ON_WINDOWS, encoding="utf-8")
    options = ["-p", "as_on_windows", "--collect-only", "-q", "--ignore", "tests/e2e"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "test_parallel.py needs POSIX (fcntl)" in done.stdout
    assert int(re.findall(r"(\d+) tests collected", done.stdout)[0]) > 1000
