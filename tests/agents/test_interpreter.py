"""Shims, links and virtual environments, built on disk: the result is the interpreter itself."""

import os
import sys
import venv
from pathlib import Path

import pytest

from lessons.agents.hook_command import posix_shell, usable_interpreter
from lessons.errors import NotFound, Refused
from tests.tables import table

REAL = os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def shim(path: Path, body: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def exec_shim(path: Path, target: str | Path) -> str:
    return shim(path, f"exec '{target}' \"$@\"")


@table(
    ("body", "reason"),
    [
        ("exit 2", "does not run as Python"),
        ("exit 9009", "does not run as Python"),
        ("echo 'Python was not found; run without arguments to install it' >&2; exit 49", "does not run as Python"),
        ("echo nonsense", "does not run as Python"),
        ("", "does not run as Python"),
        ("echo 3 10 /usr/bin/python3.10", r"is Python 3\.10"),
        ("echo 2 7 /usr/bin/python2.7", r"is Python 2\.7"),
    ],
)
def test_a_python_that_no_hook_could_use_is_refused(body: str, reason: str, tmp_path: Path) -> None:
    broken = shim(tmp_path / "python", body)
    sentence = f"{broken} {reason}: install lessons with Python 3\\.11 or later from python\\.org and run"
    with pytest.raises(Refused, match=sentence):
        usable_interpreter(broken)


def test_a_missing_python_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for path in (tmp_path / "python", tmp_path / "a"):
        with pytest.raises(Refused, match="does not run as Python"):
            usable_interpreter(str(path))


@table("folder", ["Microsoft/WindowsApps", "microsoft/windowsapps/PythonSoftwareFoundation.3.11_x"])
def test_the_alias_of_a_store_is_refused_and_never_started(folder: str, tmp_path: Path) -> None:
    alias = shim(tmp_path / folder / "python3", f"touch '{tmp_path}/started'; exec '{REAL}' \"$@\"")
    with pytest.raises(Refused, match="is an alias of the Microsoft Store and no Python that a hook can start"):
        usable_interpreter(alias)
    assert not (tmp_path / "started").exists()
    with pytest.raises(Refused, match="Microsoft Store"):
        usable_interpreter("C:\\Users\\me\\AppData\\Local\\Microsoft\\WindowsApps\\python3.exe")


def test_an_environment_of_a_stores_python_is_used_itself(tmp_path: Path) -> None:
    """What lies behind it cannot be started from everywhere; the environment's own program can."""
    body = f"echo '3 12 {tmp_path}/WindowsApps/python3.12.exe'"
    python = shim(tmp_path / "env" / "python", body)
    assert usable_interpreter(python) == python


def test_a_python_whose_lines_end_as_on_windows(tmp_path: Path) -> None:
    python = shim(tmp_path / "python", f"printf '3 11 %s\\r\\n' '{REAL}'")
    assert usable_interpreter(python) == REAL


def test_an_interpreter_that_runs_is_usable(tmp_path: Path) -> None:
    assert usable_interpreter() == REAL
    assert usable_interpreter(exec_shim(tmp_path / "asdf" / "shims" / "python", REAL)) == REAL


@table("links", [True, False])
def test_a_virtual_environment(links: bool, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", symlinks=links, with_pip=False)
    assert usable_interpreter(str(tmp_path / "env" / "bin" / "python")) == REAL


def test_a_pyenv_tree(tmp_path: Path) -> None:
    version = tmp_path / "pyenv" / "versions" / "3.11.9" / "bin"
    version.mkdir(parents=True)
    (version / "python3.11").symlink_to(REAL)
    (version / "python").symlink_to("python3.11")
    python = exec_shim(tmp_path / "pyenv" / "shims" / "python", version / "python")
    assert usable_interpreter(python) == REAL


def test_a_shim_that_talks(tmp_path: Path) -> None:
    talking = shim(tmp_path / "python", f"echo 'using Python of the project'\nexec '{REAL}' \"$@\"")
    assert usable_interpreter(talking) == REAL


def test_a_virtual_environment_that_was_made_from_a_shim(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", symlinks=True, with_pip=False)
    python = tmp_path / "env" / "bin" / "python"
    python.unlink()
    python.symlink_to(exec_shim(tmp_path / "shims" / "python", REAL))
    assert usable_interpreter(str(python)) == REAL


def test_a_link_to_a_program_that_acts_by_the_name_it_is_called_by(tmp_path: Path) -> None:
    """The link leads to the version manager, which is no Python: only the link itself can be asked."""
    manager = shim(tmp_path / "manager", f'case "$0" in */python) exec \'{REAL}\' "$@";; esac; exit 2')
    (tmp_path / "shims").mkdir()
    (tmp_path / "shims" / "python").symlink_to(manager)
    assert usable_interpreter(str(tmp_path / "shims" / "python")) == REAL


@pytest.fixture
def git(tmp_path: Path) -> Path:
    """The folder of Git for Windows, as far as it is asked for."""
    for name in ("cmd/git", "bin/sh.exe", "bin/bash.exe"):
        file = tmp_path / "Git" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o755)
    return tmp_path / "Git"


def test_no_shell_at_all(tmp_path: Path) -> None:
    missing = str(tmp_path / "sh")
    for environment in ({"PATH": ""}, {"PATH": str(tmp_path), "CLAUDE_CODE_GIT_BASH_PATH": missing}):
        with pytest.raises(NotFound, match="install Git for Windows"):
            posix_shell(environment, usual=missing)


def test_the_usual_shell() -> None:
    assert posix_shell() == "/bin/sh"


def test_the_shell_of_git(git: Path, tmp_path: Path) -> None:
    environment = {"PATH": str(git / "cmd")}
    missing = str(tmp_path / "sh")
    assert posix_shell(environment, usual=missing) == str(git / "bin" / "sh.exe")
    (git / "bin" / "sh.exe").unlink()
    assert posix_shell(environment, usual=missing) == str(git / "bin" / "bash.exe")
    chosen = tmp_path / "chosen.exe"
    chosen.touch()
    assert posix_shell({**environment, "CLAUDE_CODE_GIT_BASH_PATH": str(chosen)}, usual=missing) == str(chosen)
