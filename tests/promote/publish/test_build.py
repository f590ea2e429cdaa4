"""A build that reuses results makes what a build from scratch makes, whatever was changed."""

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.errors import Refused
from lessons.model import Lesson
from lessons.promote import catalog
from lessons.promote.publish import build
from lessons.promote.publish.build import publish
from lessons.store import lesson_file
from tests.builders.builds import assert_as_from_scratch
from tests.builders.lessons import Document, in_own_words, lesson
from tests.sizes import examples
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


STEPS = ("add", "edit", "archive", "restore", "remove", "swap", "copy", "break", "mend", "layout", "settings", "link")


class Hands:
    """Changes a home as the verbs do, or as a person with an editor does."""

    def __init__(self, home: Path, chance: random.Random) -> None:
        self.home, self.chance, self.number = home, chance, 100
        self.project = home.parent / "link"

    def do(self, step: str) -> None:
        records = records_of(self.home)
        usable = [each for each in records if isinstance(each, dict) and "id" in each and each["priority"] != "high"]
        names = [str(each["slug"]) for each in usable]
        if step in ("edit", "archive", "restore", "remove") and len(set(names)) == len(names) > 0:
            self.by_verb(step, self.chance.choice(names))
        elif step == "add":
            self.number += 1
            scope = {"type": "project", "path": str(self.project)}
            places: list[Document] = [{}, {"scope": scope}, {"confidence": 0.75}]
            catalog.add(
                str(self.home), made(self.number, self.chance.choice((0, 1, 2, 5, 6, 8)), **self.chance.choice(places))
            )
        else:
            self.by_editor(step, records)
            publish(str(self.home))

    def by_verb(self, step: str, slug: str) -> None:
        home = str(self.home)
        if step == "edit":
            with suppress(Refused):  # what came by hand may break a rule
                catalog.edit(home, slug, {"priority": self.chance.randint(1, 9)})
        elif step == "archive":
            catalog.retire(home, slug)
        elif step == "remove":
            catalog.remove(home, slug, lambda record: True)
        elif lesson_file.read(home).find(slug).get("stage") == "retired":
            catalog.restore(home, slug)

    def by_editor(self, step: str, records: list[object]) -> None:
        place = self.chance.randrange(len(records) + 1)
        if step == "swap":
            self.chance.shuffle(records)
        elif step == "copy" and records:
            records.insert(place, self.chance.choice(records))
        elif step == "break":
            records.insert(
                place, self.chance.choice(["no lesson", {"slug": "half"}, made(900 + place, priority="high")])
            )
        elif step == "mend":
            records = [made(number, number) for number in range(4)]
        elif step == "settings":
            (self.home / "config.json").write_text(json.dumps({"minPriority": self.chance.randint(1, 7)}))
        elif step == "link":
            target = self.home.parent / f"target-{self.chance.randint(1, 2)}"
            target.mkdir(exist_ok=True)
            self.project.unlink(missing_ok=True)
            self.project.symlink_to(target)
        write(self.home, records, self.chance.choice([None, 2, 4]) if step == "layout" else 2)


@settings(max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(st.sampled_from(STEPS), min_size=1, max_size=8),
    seed=st.integers(0, 10_000),
)
def test_any_changes_give_what_a_build_from_scratch_gives(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], seed: int
) -> None:
    folder = tmp_path_factory.mktemp("any")
    home = folder / "home"
    home.mkdir()
    write(home, [made(number, number) for number in range(6)])
    publish(str(home))
    hands = Hands(home, random.Random(seed))
    for step in steps:
        hands.do(step)
    assert_as_from_scratch(home, publish(str(home)), folder / "scratch")


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


@table("odd", [{"id": "half \ud800"}, {"slug": "half-\ud800"}, {"triggers": {"commandPatterns": ["git \ud800", "("]}}])
def test_half_a_surrogate_pair_is_kept_from_build_to_build(tmp_path: Path, odd: dict[str, object]) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, [made(1), {**made(2), **odd}, made(3)])
    assert publish(str(home)).included == 3
    catalog.edit(str(home), "lesson-1", {"priority": 9})
    assert_as_from_scratch(home, publish(str(home)), tmp_path / "scratch")
