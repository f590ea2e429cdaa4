"""The shell for hook commands: the usual one, else that of Git, else a readable error."""

from pathlib import Path

import pytest

from lessons.agents.posix_shell import posix_shell
from lessons.errors import NotFound


@pytest.fixture
def git(tmp_path: Path) -> Path:
    """The folder of Git for Windows, as far as it is asked for."""
    for name in ("cmd/git", "bin/sh.exe", "bin/bash.exe"):
        file = tmp_path / "Git" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o755)
    return tmp_path / "Git"


def test_none_at_all(tmp_path: Path) -> None:
    missing = str(tmp_path / "sh")
    for environment in ({"PATH": ""}, {"PATH": str(tmp_path), "CLAUDE_CODE_GIT_BASH_PATH": missing}):
        with pytest.raises(NotFound, match="install Git for Windows"):
            posix_shell(environment, usual=missing)


def test_the_usual_one() -> None:
    assert posix_shell() == "/bin/sh"


def test_that_of_git(git: Path, tmp_path: Path) -> None:
    environment = {"PATH": str(git / "cmd")}
    missing = str(tmp_path / "sh")
    assert posix_shell(environment, usual=missing) == str(git / "bin" / "sh.exe")
    (git / "bin" / "sh.exe").unlink()
    assert posix_shell(environment, usual=missing) == str(git / "bin" / "bash.exe")
    chosen = tmp_path / "chosen.exe"
    chosen.touch()
    assert posix_shell({**environment, "CLAUDE_CODE_GIT_BASH_PATH": str(chosen)}, usual=missing) == str(chosen)
