"""A build that reuses results makes what a build from scratch makes, whatever was changed."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.model import Lesson
from lessons.promote import catalog
from lessons.promote.publish import build
from lessons.promote.publish.build import publish
from tests.builders.builds import assert_as_from_scratch
from tests.builders.lessons import Document, in_own_words, lesson
from tests.tables import table

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
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The slugs of the lessons that builds compile."""
    slugs: list[str] = []
    compile_one = build._compile

    def counted(lesson: Lesson, trusted_from: str) -> build.Compiled:
        slugs.append(lesson.slug)
        return compile_one(lesson, trusted_from)

    monkeypatch.setattr(build, "_compile", counted)
    return slugs


def test_only_what_changed_is_compiled_again(tmp_path: Path, compiled: list[str]) -> None:
    write(tmp_path, [made(number, 0, examples={"fires": ["git stash"]}) for number in range(20)])
    publish(str(tmp_path))
    assert len(compiled) == 20
    records = records_of(tmp_path)
    records[7] = made(7, 1)
    write(tmp_path, [*records[10:], *records[:10], made(99)])
    publish(str(tmp_path))
    assert compiled[20:] == ["lesson-7", "lesson-99"]


def test_a_home_folder_elsewhere_is_noticed(
    tmp_path: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, [made(1, 4), made(2)])
    publish(str(tmp_path))
    monkeypatch.setenv("HOME", "/somebody/else")
    publish(str(tmp_path))
    assert compiled[2:] == ["lesson-1"]


def test_a_lesson_that_settings_leave_out_for_a_while_comes_back_as_it_was(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, [made(1, 0, priority=4), made(2, 1, priority=9), made(3, 2, priority=4)])
    for least in (1, 5, 1):
        (home / "config.json").write_text(json.dumps({"minPriority": least}))
        assert_as_from_scratch(home, publish(str(home)), tmp_path / "scratch")


DAMAGES: list[Callable[[Path], object]] = [
    lambda path: path.unlink(),
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(path.read_bytes()[:-9]),
    lambda path: path.write_bytes(path.read_bytes().replace(b"git stash", b"git STASH")),
    lambda path: path.chmod(0o666),
]


@table("damage", DAMAGES)
def test_what_is_damaged_or_not_private_is_thrown_away_and_made_again(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    home = tmp_path / f"home-{random.random()}"
    home.mkdir()
    write(home, [made(number, number) for number in range(8)])
    publish(str(home))
    damage(home / "compiled-lessons")
    catalog.add(str(home), made(50))
    assert_as_from_scratch(home, publish(str(home)), tmp_path / "scratch")


def test_what_a_home_cannot_keep_costs_only_time(tmp_path: Path) -> None:
    write(tmp_path, [made(1)])
    (tmp_path / "compiled-lessons").mkdir()
    assert publish(str(tmp_path)).included == 1
    assert publish(str(tmp_path)).included == 1
