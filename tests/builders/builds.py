"""A data home in, the result of a full build of the same files out, and what the hook would then do."""

import re
import shutil
from pathlib import Path

from lessons.hook.lookup import session_start_lessons
from lessons.match.call import ToolCall
from lessons.promote.publish.build import BuildReport, publish
from tests.builders.index import by_index

SOURCES = ("lessons.json", "config.json", "trusted.json")
COMMANDS = (
    "git stash",
    "git push --force origin main",
    "npm install --save left-pad",
    "cd web && terraform apply",
    "make test | tail -3",
    "ls",
)
_TIME = re.compile(rb'"generatedAt":"[^"]*"')


def from_scratch(home: Path, elsewhere: Path) -> tuple[str, BuildReport]:
    """The same sources in a home that remembers nothing, built."""
    if elsewhere.exists():
        shutil.rmtree(elsewhere)
    elsewhere.mkdir(0o700, parents=True)
    for name in SOURCES:
        if (home / name).exists():
            shutil.copy2(home / name, elsewhere / name)
    return str(elsewhere), publish(str(elsewhere))


def manifest_but_its_time(home: str) -> bytes:
    return _TIME.sub(b"", Path(home, "lesson-manifest.json").read_bytes())


def answers(home: str) -> list[object]:
    """What the index finds, and nothing else: it must not fall back to the manifest."""
    calls = [ToolCall("Bash", {"command": command}, cwd="/project") for command in COMMANDS]
    calls.append(ToolCall("Edit", {"file_path": "src/app.lock", "content": "print(1)"}, cwd="/project"))
    found: list[object] = [sorted(by_index(home, call)) for call in calls]
    return [*found, sorted(each.slug for each in session_start_lessons(home)[1])]


def assert_as_from_scratch(home: Path, report: BuildReport, elsewhere: Path) -> None:
    other, expected = from_scratch(home, elsewhere)
    assert manifest_but_its_time(str(home)) == manifest_but_its_time(other)
    assert answers(str(home)) == answers(other)
    assert (report.included, report.excluded) == (expected.included, expected.excluded)
    assert report.warnings == expected.warnings
