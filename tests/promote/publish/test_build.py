"""A build tries only patterns on hostile texts that the manifest does not have yet."""

import json
from pathlib import Path

import pytest

from lessons.promote.publish import build
from lessons.promote.publish.build import publish
from tests.builders.lessons import Document, in_own_words, lesson

TRIGGERS: list[dict[str, object]] = [
    {"commandPatterns": ["git stash"]},
    {"commandPatterns": ["git push .*--force"], "matchOn": "invocation"},
    {"commandPatterns": ["npm install"], "unless": ["--save"]},
    {"commandPatterns": ["terraform apply$", "("]},
    {"pathPatterns": ["**/*.lock", "~/x"], "contentPatterns": ["print"]},
    {"toolNames": ["Bash"]},
    {"sessionStart": True},
    {"commandPatterns": ["--force"], "matchOn": "invocation"},
    {"commandPatterns": ["."], "when": {"os": ["linux", "macos"]}},
    {},
]


def made(number: int, trigger: int = 0, **more: object) -> Document:
    return in_own_words(lesson(f"lesson-{number}", triggers=TRIGGERS[trigger % len(TRIGGERS)], **more))


def write(home: Path, records: list[object], indent: int | None = 2) -> None:
    (home / "lessons.json").write_text(json.dumps({"lessons": records}, indent=indent))


def records_of(home: Path) -> list[object]:
    records = json.loads((home / "lessons.json").read_text())["lessons"]
    assert isinstance(records, list)
    return records


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The regexes that builds try on hostile texts."""
    found: list[str] = []
    monkeypatch.setattr(build, "find_danger", lambda source, flags: found.append(source))
    return found


def test_only_new_patterns_are_tried(tmp_path: Path, tried: list[str]) -> None:
    write(tmp_path, [made(number, 0) for number in range(20)])
    publish(str(tmp_path))
    assert tried == ["git stash"] * 20
    records = records_of(tmp_path)
    records[7] = made(7, 1)
    write(tmp_path, [*records[10:], *records[:10], made(99)])
    publish(str(tmp_path))
    assert tried[20:] == ["git push .*--force"]


def test_patterns_of_another_systems_manifest_are_tried(tmp_path: Path, tried: list[str]) -> None:
    write(tmp_path, [made(1, 0)])
    entry = {"commandRegexSources": [{"source": "git stash", "flags": ""}]}
    (tmp_path / "lesson-manifest.json").write_text(json.dumps({"builtBy": "another", "lessons": {"x": entry}}))
    publish(str(tmp_path))
    assert tried == ["git stash"]
