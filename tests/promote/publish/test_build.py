"""A build tries only patterns on hostile texts that the manifest does not have yet."""

import json
from pathlib import Path

import pytest

from lessons.promote.publish import build
from lessons.promote.publish.build import publish
from tests.builders.lessons import Document, in_own_words, lesson


def made(number: int, pattern: str = "git stash") -> Document:
    return in_own_words(lesson(f"lesson-{number}", triggers={"commandPatterns": [pattern]}))


def write(home: Path, records: list[Document]) -> None:
    (home / "lessons.json").write_text(json.dumps({"lessons": records}))


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The regexes that builds try on hostile texts."""
    found: list[str] = []
    monkeypatch.setattr(build, "find_danger", lambda source, flags: found.append(source))
    return found


def test_only_new_patterns_are_tried(tmp_path: Path, tried: list[str]) -> None:
    records = [made(number) for number in range(20)]
    write(tmp_path, records)
    publish(str(tmp_path))
    assert tried == ["git stash"] * 20
    records[7] = made(7, "git push .*--force")
    write(tmp_path, [*records[10:], *records[:10], made(99)])
    publish(str(tmp_path))
    assert tried[20:] == ["git push .*--force"]


def test_patterns_of_another_systems_manifest_are_tried(tmp_path: Path, tried: list[str]) -> None:
    write(tmp_path, [made(1)])
    entry = {"commandRegexSources": [{"source": "git stash", "flags": ""}]}
    (tmp_path / "lesson-manifest.json").write_text(json.dumps({"builtBy": "another", "lessons": {"x": entry}}))
    publish(str(tmp_path))
    assert tried == ["git stash"]
