"""A real `git commit` through the real pre-commit: stopped by a lesson, and accepted once the file is right."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import lesson

BIN = Path(sys.executable).parent
RULE = lesson("no-utcnow", triggers={"contentPatterns": [r"\butcnow\("]}, summary="Do not use utcnow in this code")
LOCAL = """
repos:
  - repo: local
    hooks:
      - {id: lessons-check, name: lessons check, entry: lessons check --strict, language: system, types: [text]}
"""


class Repository:
    """A repository with pre-commit installed as its hook."""

    def __init__(self, folder: Path, home: DataHome) -> None:
        self.folder = folder
        self.folder.mkdir()
        path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
        who = {f"GIT_{part}_{what}": "a@example.com" for part in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        cache = {"PRE_COMMIT_HOME": str(folder.parent / "pre-commit"), "GIT_CONFIG_GLOBAL": os.devnull}
        # Whatever pre-commit would download is refused.
        offline = {"GIT_ALLOW_PROTOCOL": "file", "PIP_NO_INDEX": "1"}
        self._environment = home.environment(LESSONS_HOME=home.path, PATH=path, **who, **cache, **offline)
        self.run("git", "init", "-q", ".")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self._environment, capture_output=True, text=True, timeout=120
        )

    def set_up(self, configuration: str) -> None:
        (self.folder / ".pre-commit-config.yaml").write_text(configuration, encoding="utf-8")
        installed = self.run(sys.executable, "-m", "pre_commit", "install")
        assert installed.returncode == 0, installed

    def commit(self, text: str) -> subprocess.CompletedProcess[str]:
        (self.folder / "clock.py").write_text(text, encoding="utf-8")
        self.run("git", "add", ".")
        return self.run("git", "commit", "-qm", "Tell the time")

    def commits(self) -> int:
        return len(self.run("git", "log", "--oneline").stdout.splitlines())


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    home = DataHome(tmp_path)
    home.publish(RULE)
    return Repository(tmp_path / "work", home)


def test_a_commit_is_stopped_and_then_passes(repository: Repository) -> None:
    repository.set_up(LOCAL)
    stopped = repository.commit("now = utcnow()\n")
    assert (stopped.returncode, repository.commits()) == (1, 0)
    assert "clock.py:1: fail: Do not use utcnow in this code [no-utcnow]" in stopped.stderr + stopped.stdout
    passed = repository.commit("now = datetime.now(UTC)\n")
    assert (passed.returncode, repository.commits()) == (0, 1), passed
