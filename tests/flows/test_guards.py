"""The guards of the starter pack, asked by the installed hook in a real repository."""

import itertools
import json
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine
from tests.hook.test_file_system import git

CLEAN, UNTRACKED, TRACKED = "clean", "untracked", "tracked"
WORK = {
    "git reset --hard HEAD~1": {TRACKED},
    "cd src && git -C .. reset --hard": {TRACKED},
    "git checkout -- app": {TRACKED},
    "git clean -fd": {UNTRACKED},
    "git clean -n": set[str](),
    "cd $ELSEWHERE && git reset --hard": set[str](),  # unknown is quiet
}
# Whatever git says.
ALWAYS = ("git push --force origin main", "rm -rf ~/work", "rm -rf .git", 'rm -rf "$DIR"/*')
NEVER = ("git push --force-with-lease", "rm -rf build", "rm -rf /tmp/x", "echo 'git push --force'")


@pytest.fixture
def hook(lessons: CommandLine) -> str:
    lessons.ok("add", "--starter", "--yes", "--tag", "severity:data-loss")
    lessons.json("install", "--agent", "claude-code")
    entry = json.loads(lessons.settings.read_text())["hooks"]["PreToolUse"][0]["hooks"][0]
    return str(entry["command"])


@pytest.fixture
def repository(lessons: CommandLine) -> Path:
    folder = lessons.work / "repository"
    (folder / "src").mkdir(parents=True)
    (folder / "app").write_text("1")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Begin")
    return folder


def test_they_stop_once_where_something_would_be_lost(lessons: CommandLine, hook: str, repository: Path) -> None:
    ids = itertools.count()

    def is_stopped(name: str, session: str, **arguments: str) -> bool:
        call = {"session_id": session, "cwd": str(repository), "hook_event_name": "PreToolUse", "tool_name": name}
        ended = lessons.run(
            ["sh", "-c", hook], text=json.dumps({**call, "tool_use_id": f"t{next(ids)}", "tool_input": arguments})
        )
        assert ended.code == 0
        return '"deny"' in ended.out

    for state in (CLEAN, UNTRACKED, TRACKED):
        if state != CLEAN:
            (repository / "new").write_text("1")
        if state == TRACKED:
            (repository / "new").unlink()
            (repository / "app").write_text("2")
        for command, stopped_in in WORK.items():
            assert is_stopped("Bash", f"{state} {command}", command=command) is (state in stopped_in), (state, command)
    assert is_stopped("Bash", "again", command="git reset --hard")
    assert not is_stopped("Bash", "again", command="git reset --hard")
    assert [line for line in ALWAYS if not is_stopped("Bash", line, command=line)] == []
    assert [line for line in NEVER if is_stopped("Bash", line, command=line)] == []
    key = "AKIA" + "ABCDEFGHIJKLMNOP"
    assert is_stopped("Write", "secret", file_path=f"{repository}/x", content=f"key = {key}\n")
    assert not is_stopped("Write", "no secret", file_path=f"{repository}/x", content="key = 1\n")
