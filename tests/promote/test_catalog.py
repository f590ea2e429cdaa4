"""Adding, editing, retiring: what is refused changes nothing, what is stored acts at once."""

import itertools
import json
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from lessons.errors import NotFound, Refused
from lessons.promote import catalog
from tests.builders.home import DataHome
from tests.builders.lessons import blocking, in_own_words, lesson, stopping
from tests.tables import table


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


def published(home: DataHome) -> set[str]:
    return {entry["slug"] for entry in home.manifest()["lessons"].values()}


def stored(home: DataHome) -> list[dict[str, object]]:
    records: list[dict[str, object]] = json.loads((home.folder / "lessons.json").read_text())["lessons"]
    return records


def without_name(**changes: object) -> dict[str, object]:
    document = lesson(**changes)  # type: ignore[arg-type]
    del document["id"], document["slug"]
    return document


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"summary": "too short"}, "summary is"),
    ({"problem": ""}, "problem is"),
    ({"triggers": {}}, "triggers is empty"),
    ({"triggers": {"commandPatterns": ["("]}}, "triggers.commandPatterns"),
    ({"block": True}, "blockReason"),
    ({"stopOnce": True, "block": True, "blockReason": "no"}, "stopOnce"),
    ({"scope": {"type": "project"}}, "scope.path"),
    ({"priority": 11}, "priority is 11"),
    ({"examples": {"fires": ["ls"]}}, 'the example "ls" should fire and does not'),
    ({"examples": {"quiet": ["git stash"]}}, 'the example "git stash" should be left alone and fires'),
]


@pytest.mark.parametrize(("changes", "reason"), REFUSED)
def test_what_is_refused_is_not_stored(home: DataHome, changes: dict[str, object], reason: str) -> None:
    with pytest.raises(Refused) as refused:
        catalog.add(home.path, lesson(**changes))  # type: ignore[arg-type]
    assert reason in str(refused.value)
    assert not (home.folder / "lessons.json").exists()
    assert not (home.folder / "lesson-manifest.json").exists()


@pytest.mark.parametrize(("changes", "reason"), REFUSED)
def test_an_edit_that_is_refused_changes_nothing(home: DataHome, changes: dict[str, object], reason: str) -> None:
    catalog.add(home.path, lesson())
    before = [(home.folder / name).read_bytes() for name in ("lessons.json", "lesson-manifest.json")]
    # An object is merged into the one there: take out what was in it.
    if changes.get("triggers") == {}:
        changes = {"triggers": {"commandPatterns": []}}
    with pytest.raises(Refused) as refused:
        catalog.edit(home.path, "stash-leaves-files", changes)
    assert reason in str(refused.value)
    assert [(home.folder / name).read_bytes() for name in ("lessons.json", "lesson-manifest.json")] == before


def test_of_several_all_or_none_are_stored(home: DataHome) -> None:
    second = lesson("second", problem="Another problem that is long enough.")
    with pytest.raises(Refused):
        catalog.add_all(home.path, [lesson(), second, lesson("third", summary="short")])
    assert not (home.folder / "lessons.json").exists()
    assert [each.record["slug"] for each in catalog.add_all(home.path, [lesson(), second])] == [
        "stash-leaves-files", "second",
    ]  # fmt: skip
    assert published(home) == {"stash-leaves-files", "second"}


def _add_three(home: str, writer: int) -> None:
    for number in range(3):
        name = f"writer-{writer}-lesson-{number}"
        catalog.add(home, in_own_words(lesson(name)))


def test_lessons_that_are_added_together_have_one_time(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    hours = itertools.count()

    class Clock:
        @staticmethod
        def now(zone: tzinfo) -> datetime:
            return datetime(2026, 9, 1, next(hours), tzinfo=zone)

    monkeypatch.setattr("lessons.promote.intake.datetime", Clock)
    monkeypatch.setattr(catalog, "datetime", Clock)
    second = lesson("second", problem="Some other problem, twice.", solution="Another way out of that one.")
    added = catalog.add_all(home.path, [lesson(), second])
    assert len({each.record["createdAt"] for each in added}) == 1


def test_writers_at_once_lose_nothing(home: DataHome) -> None:
    with ProcessPoolExecutor(4, mp_context=multiprocessing.get_context("fork")) as pool:
        list(pool.map(_add_three, [home.path] * 4, range(4)))
    assert len(published(home)) == len(stored(home)) == 12


def test_the_same_lesson_is_not_stored_twice(home: DataHome) -> None:
    catalog.add(home.path, lesson())
    with pytest.raises(Refused) as refused:
        catalog.add(home.path, lesson("another-name"))
    assert "stash-leaves-files" in str(refused.value)
    with pytest.raises(Refused):
        catalog.add_all(home.path, [lesson("a", problem="Some other problem, twice."),
                                    lesson("b", problem="Some other problem, twice.")])  # fmt: skip
    assert len(stored(home)) == 1


def test_an_added_lesson_is_complete_and_acts(home: DataHome) -> None:
    added = catalog.add(home.path, without_name(future="kept"))
    assert added.record == stored(home)[0]
    assert added.warnings == []
    assert added.build.included == 1
    assert str(added.record["slug"]).startswith("a-lesson-named-stash-leaves-files")
    assert len(str(added.record["id"])) == 26
    assert str(added.record["contentHash"]).startswith("sha256:")
    assert added.record["future"] == "kept"
    assert published(home) == {added.record["slug"]}


def test_a_dangerous_pattern_is_stored_with_a_warning_and_not_published(home: DataHome) -> None:
    added = catalog.add(home.path, lesson(triggers={"commandPatterns": ["^(a+)+$"]}))
    assert any("can be very slow" in warning for warning in added.warnings)
    assert added.build.included == 0
    assert len(stored(home)) == 1


def test_a_lesson_of_low_confidence_waits_for_review(home: DataHome) -> None:
    document = lesson(confidence=0.6)
    del document["needsReview"]
    added = catalog.add(home.path, document)
    assert added.record["needsReview"] is True
    assert added.build.included == 0
    assert any("needsReview is true" in warning for warning in added.warnings)


def test_an_edit_acts_at_once_and_keeps_the_rest(home: DataHome) -> None:
    before = catalog.add(home.path, lesson(future="kept")).record
    edited = catalog.edit(home.path, "stash", {"priority": 9, "triggers": {"unless": ["-u"]}})
    assert edited.record["priority"] == 9
    triggers = edited.record["triggers"]
    assert isinstance(triggers, dict)
    assert (triggers["commandPatterns"], triggers["unless"]) == (["git stash"], ["-u"])
    assert edited.record["future"] == "kept"
    assert edited.record["contentHash"] != before["contentHash"]
    assert edited.record["createdAt"] == before["createdAt"]
    assert next(iter(home.manifest()["lessons"].values()))["priority"] == 9
    assert edited.record == stored(home)[0]


def test_an_edit_that_changes_nothing_writes_nothing(home: DataHome) -> None:
    record = catalog.add(home.path, lesson()).record
    os.utime(home.folder / "lessons.json", (5, 5))
    assert catalog.edit(home.path, "stash-leaves-files", {"priority": 5}).record == record
    assert (home.folder / "lessons.json").stat().st_mtime == 5


def test_a_lesson_may_be_renamed(home: DataHome) -> None:
    catalog.add(home.path, lesson())
    assert catalog.edit(home.path, "stash-leaves-files", {"slug": "new-name"}).record["slug"] == "new-name"
    assert published(home) == {"new-name"}


def test_a_retired_lesson_acts_no_more_until_it_is_restored(home: DataHome) -> None:
    catalog.add(home.path, blocking())
    retired = catalog.retire(home.path, "no-force-push")
    assert retired.record["stage"] == "retired"
    assert published(home) == set()
    restored = catalog.restore(home.path, "no-force-push")
    assert "stage" not in restored.record
    assert published(home) == {"no-force-push"}
    with pytest.raises(Refused):
        catalog.restore(home.path, "no-force-push")


@pytest.mark.parametrize("changes", [{"summary": "too short"}, {"examples": {"fires": ["ls"]}}])
def test_a_lesson_that_breaks_a_rule_can_still_be_retired(home: DataHome, changes: dict[str, object]) -> None:
    home.write(lesson(**changes))  # type: ignore[arg-type]
    assert catalog.retire(home.path, "stash-leaves-files").record["stage"] == "retired"


def test_what_is_not_there_is_not_found(home: DataHome) -> None:
    catalog.add(home.path, lesson())
    for act in (catalog.retire, catalog.restore, lambda path, name: catalog.edit(path, name, {"priority": 1})):
        with pytest.raises(NotFound):
            act(home.path, "never-heard-of")


@table(
    ("record", "word"),
    [
        (lesson(), "hint"),
        (blocking(), "block"),
        (stopping(), "stop once"),
        (lesson(triggers={"sessionStart": True}), "session start"),
        ({}, "hint"),
        ({"triggers": []}, "hint"),
    ],
)
def test_how_a_lesson_acts_in_a_word(record: dict[str, object], word: str) -> None:
    assert catalog.describe(record) == word


# The same words whatever the pattern.

SPELLINGS = ("git stash", r"git stash\b", r"\bgit stash")


def test_the_same_words_are_stored_once(home: DataHome) -> None:
    catalog.add(home.path, without_name(triggers={"commandPatterns": [SPELLINGS[0]]}))
    for pattern in SPELLINGS[1:]:
        with pytest.raises(Refused, match="problem and solution are the same as those of a-lesson-named"):
            catalog.add(home.path, without_name(triggers={"commandPatterns": [pattern]}))
    assert len(stored(home)) == 1


def test_duplicates_that_are_there_already_can_be_changed(home: DataHome) -> None:
    home.write(*(lesson(f"l{number}", triggers={"commandPatterns": [each]}) for number, each in enumerate(SPELLINGS)))
    assert catalog.edit(home.path, "l1", {"priority": 7}).record["priority"] == 7
    catalog.edit(home.path, "l2", {"problem": "Another problem, that nobody has met before."})
    with pytest.raises(Refused, match="the same as those of l0"):
        catalog.edit(home.path, "l2", {"problem": lesson()["problem"]})


def test_a_record_without_an_id_is_removed_by_its_slug(home: DataHome) -> None:
    home.write({"slug": "half"}, lesson("whole"))
    catalog.remove(home.path, "half", lambda record: True)
    assert [each["slug"] for each in stored(home)] == ["whole"]
