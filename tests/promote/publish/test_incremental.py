"""A build that remembers makes what a build from scratch makes, whatever was changed and whatever is damaged."""

import json
import os
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.config import load
from lessons.errors import Refused
from lessons.promote import catalog
from lessons.promote.publish.assemble import assemble
from lessons.promote.publish.publish import publish
from lessons.promote.publish.spool import Spool
from lessons.promote.team.team import acting
from lessons.store import compiled_lessons, lesson_file
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


def new_digests(home: Path) -> int:
    """How many lessons a build would make now."""
    file = lesson_file.read(str(home))
    stored = compiled_lessons.read(str(home))
    return assemble(file, acting(str(home), file), load(str(home)), stored, Spool()).made


def test_only_what_changed_is_made_again(tmp_path: Path) -> None:
    write(tmp_path, [made(number, 0, examples={"fires": ["git stash"]}) for number in range(20)])
    assert new_digests(tmp_path) == 20
    publish(str(tmp_path))
    assert new_digests(tmp_path) == 0
    records = records_of(tmp_path)
    records[7] = made(7, 1)
    write(tmp_path, [*records[10:], *records[:10], made(99)])
    assert new_digests(tmp_path) == 2


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
    longest_in_memory=st.sampled_from([0, 1 << 30]),
)
def test_any_changes_give_what_a_build_from_scratch_gives(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str], seed: int, longest_in_memory: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lesson_file, "LONGEST_IN_MEMORY", longest_in_memory)
        change_and_compare(tmp_path_factory.mktemp("any"), steps, seed)


def change_and_compare(folder: Path, steps: list[str], seed: int) -> None:
    home = folder / "home"
    home.mkdir()
    write(home, [made(number, number) for number in range(6)])
    publish(str(home))
    hands = Hands(home, random.Random(seed))
    for step in steps:
        hands.do(step)
    memory = compiled_lessons.read(str(home))
    assert memory is not None, "the next build has to start from nothing"
    assert_as_from_scratch(home, publish(str(home)), folder / "scratch")


def test_a_lesson_that_settings_leave_out_for_a_while_comes_back_as_it_was(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, [made(1, 0, priority=4), made(2, 1, priority=9), made(3, 2, priority=4)])
    for least in (1, 5, 1):
        (home / "config.json").write_text(json.dumps({"minPriority": least}))
        assert_as_from_scratch(home, publish(str(home)), tmp_path / "scratch")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flip(path: Path, share: float) -> None:
    """One byte is another one, and the time is as it was."""
    status, content = path.stat(), bytearray(path.read_bytes())
    content[int(share * (len(content) - 1))] ^= 0x15
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


MEMORY, MANIFEST, INDEX = "compiled-lessons", "lesson-manifest.json", "hook-index"
DAMAGES: list[tuple[str, Callable[[Path], object]]] = [
    (MEMORY, lambda path: path.unlink()),
    (MEMORY, cut),
    (MEMORY, lambda path: path.write_bytes(b"")),
    (MEMORY, lambda path: path.write_bytes(b"another program's file\n" * 40)),
    (MEMORY, lambda path: path.chmod(0o666)),
    *((MEMORY, lambda path, share=share: flip(path, share)) for share in (0, 0.02, 0.05, 0.1, 0.3, 0.6, 0.9, 1)),
    *((MANIFEST, lambda path, share=share: flip(path, share)) for share in (0, 0.3, 0.6, 0.9)),
    *((INDEX, lambda path, share=share: flip(path, share)) for share in (0, 0.3, 0.6, 0.9, 1)),
    (MANIFEST, lambda path: path.unlink()),
    (INDEX, lambda path: path.unlink()),
    (INDEX, cut),
    (MANIFEST, cut),
    (MANIFEST, lambda path: os.utime(path)),
]


@table(("name", "damage"), DAMAGES)
def test_what_is_damaged_stale_or_foreign_is_made_again(
    tmp_path: Path, name: str, damage: Callable[[Path], object]
) -> None:
    home = tmp_path / f"home-{random.random()}"
    home.mkdir()
    write(home, [made(number, number) for number in range(8)])
    publish(str(home))
    damage(home / name)
    assert compiled_lessons.read(str(home)) is None
    catalog.add(str(home), made(50))
    report = publish(str(home))
    assert compiled_lessons.read(str(home)) is not None
    assert_as_from_scratch(home, report, tmp_path / "scratch")


def test_a_memory_of_other_code_or_another_person_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, [made(1, 4)])
    publish(str(tmp_path))
    monkeypatch.setenv("HOME", "/somebody/else")
    assert compiled_lessons.read(str(tmp_path)) is None


def test_what_a_home_cannot_keep_costs_only_time(tmp_path: Path) -> None:
    write(tmp_path, [made(1)])
    (tmp_path / MEMORY).mkdir()
    assert publish(str(tmp_path)).included == 1
    assert publish(str(tmp_path)).included == 1


def test_what_was_changed_is_not_read_again(tmp_path: Path) -> None:
    """Added, changed and removed in one go: each record has the digest of its own text, as if it had been read."""
    home = str(tmp_path / "home")
    (tmp_path / "home").mkdir()
    write(tmp_path / "home", [made(number) for number in range(4)])
    publish(home)
    with lesson_file.change(home) as file:
        file.digests()
        file.remove("lesson-1")
        file.replace("lesson-2", {"priority": 9})
        file.add({**made(7), "id": "ADDED"})
    assert file.written is not None
    assert file.digests() == lesson_file.read(home).digests()
    assert_as_from_scratch(tmp_path / "home", publish(home, file), tmp_path / "elsewhere")
    assert new_digests(tmp_path / "home") == 0


def test_saved_by_an_editor_before_the_build(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    (tmp_path / "home").mkdir()
    write(tmp_path / "home", [made(1)])
    publish(home)
    with lesson_file.change(home) as file:
        file.add({**made(2), "id": "ADDED"})
    write(tmp_path / "home", [made(3)])
    assert_as_from_scratch(tmp_path / "home", publish(home, file), tmp_path / "elsewhere")


def test_a_build_tells_how_many_lessons_it_compiles(tmp_path: Path) -> None:
    write(tmp_path, [made(number) for number in range(5)])
    seen: list[tuple[int, int]] = []
    publish(str(tmp_path), watch=lambda done, total: seen.append((done, total)))
    assert seen == [(number, 5) for number in range(1, 6)]
    write(tmp_path, [made(number) for number in range(7)])
    publish(str(tmp_path), watch=lambda done, total: seen.append((done, total)))
    assert seen[5:] == [(1, 2), (2, 2)]


@table("odd", [{"id": "half \ud800"}, {"slug": "half-\ud800"}, {"triggers": {"commandPatterns": ["git \ud800", "("]}}])
def test_half_a_surrogate_pair_is_kept_from_build_to_build(tmp_path: Path, odd: dict[str, object]) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, [made(1), {**made(2), **odd}, made(3)])
    assert publish(str(home)).included == 3
    assert new_digests(home) == 0
    catalog.edit(str(home), "lesson-1", {"priority": 9})
    assert_as_from_scratch(home, publish(str(home)), tmp_path / "scratch")
