"""lessons.json: nothing a person wrote is lost, one bad record hides no other, names stay unique."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.store import lesson_file
from tests.sizes import examples
from tests.tables import table


def record(number: int, **more: object) -> dict[str, object]:
    return {
        "id": f"01JQSEED{number:017d}",
        "slug": f"lesson-number-{number:04d}",
        "summary": "A summary that is long enough",
        "problem": "A problem that is long enough",
        "solution": "A solution that is long enough",
        **more,
    }


def write(home: Path, document: object) -> str:
    (home / "lessons.json").write_text(json.dumps(document, indent=2))
    return str(home)


@table(
    ("text", "place"),
    [
        ('{"lessons": [\n  {"id": 1,}\n]}', "line 2, column"),
        ('{"lessons": [', "line 1, column 14"),
        ("", "line 1, column 1"),
        ("[]", "not an object"),
        ('{"lessons": {}}', "not a list"),
    ],
)
def test_a_damaged_file_is_refused_with_its_place_and_never_overwritten(tmp_path: Path, text: str, place: str) -> None:
    file = tmp_path / "lessons.json"
    file.write_text(text)
    with pytest.raises(DamagedFile) as damaged, lesson_file.change(str(tmp_path)) as opened:
        opened.add(record(1))
    assert place in str(damaged.value)
    assert f"restore a copy with `lessons backup restore` (they are in {tmp_path}/backups)" in str(damaged.value)
    assert file.read_text() == text


def test_bad_records_do_not_hide_the_good_ones(tmp_path: Path) -> None:
    bad = [
        record(2, priority="high"),
        "text",
        {"slug": "half"},
        record(1),
        record(7, slug="lesson-number-0001"),
    ]
    file = lesson_file.read(write(tmp_path, {"lessons": [record(1), *bad, record(9)]}))
    assert [lesson.slug for lesson in file.lessons()] == ["lesson-number-0001", "lesson-number-0009"]
    problems = file.problems()
    assert [(problem.number, problem.name) for problem in problems] == [
        (2, "lesson-number-0002"),
        (3, ""),
        (4, "half"),
        (5, "lesson-number-0001"),
        (6, "lesson-number-0001"),
    ]
    assert problems[0].sentence == 'lesson 2: priority is "high": write a whole number.'
    assert problems[4].sentence.startswith("lesson 6: lesson-number-0001 is also lesson 1: give it an id")


def test_an_error_in_the_body_writes_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotFound), lesson_file.change(str(tmp_path)) as file:
        file.replace(file.add(record(1)).slug + "x", {})
    assert not (tmp_path / "lessons.json").exists()


def test_no_change_leaves_the_file_and_its_layout_alone(tmp_path: Path) -> None:
    home = write(tmp_path, {"lessons": [record(1, priority=3)]})
    path = tmp_path / "lessons.json"
    path.write_text(path.read_text().replace("3", "3   "))
    before = path.stat()
    with lesson_file.change(home) as file:
        file.replace("lesson-number-0001", {"priority": 3, "injection": None})
    assert path.stat() == before
    assert not (tmp_path / "backups").exists()


def test_what_an_editor_saved_meanwhile_is_kept(tmp_path: Path) -> None:
    home = write(tmp_path, {"lessons": []})
    change = lesson_file.change(home)
    change.__enter__().add(record(1))
    write(tmp_path, {"lessons": [record(2)]})
    with pytest.raises(Busy, match="saved by another program"):
        change.__exit__(None, None, None)
    assert [lesson.slug for lesson in lesson_file.read(home).lessons()] == ["lesson-number-0002"]


@table("taken", [{"id": "01JQSEED00000000000000001"}, {"slug": "lesson-number-0001"}])
def test_a_taken_name_is_refused(tmp_path: Path, taken: dict[str, object]) -> None:
    home = write(tmp_path, {"lessons": [record(1), record(2)]})
    with lesson_file.change(home) as file:
        with pytest.raises(Refused, match="which another lesson has"):
            file.add(record(3) | taken)
        with pytest.raises(Refused, match="which another lesson has"):
            file.replace("lesson-number-0002", taken)
        with pytest.raises(Refused, match='slug is ""'):
            file.add(record(3, slug=""))
    assert lesson_file.read(home).lessons() == file.lessons()


def test_a_wrong_type_is_not_stored(tmp_path: Path) -> None:
    home = write(tmp_path, {"lessons": [record(1)]})
    with lesson_file.change(home) as file:
        with pytest.raises(Refused, match="priority"):
            file.add(record(3, priority="x"))
        with pytest.raises(Refused, match="stage"):
            file.replace("lesson-number-0001", {"stage": "on"})
        assert not file.changed


@table("name", ["", "nothing", "esson-number-0001"])
def test_an_unknown_name_is_not_found(tmp_path: Path, name: str) -> None:
    file = lesson_file.read(write(tmp_path, {"lessons": [record(1)]}))
    with pytest.raises(NotFound, match="There is no lesson"):
        file.find(name)


def test_a_prefix_of_several_is_refused_and_names_them(tmp_path: Path) -> None:
    file = lesson_file.read(write(tmp_path, {"lessons": [record(1), record(2)]}))
    with pytest.raises(Refused, match=r"2 lessons \(lesson-number-0001, lesson-number-0002\): write more"):
        file.find("lesson-number")


def test_a_slug_wins_over_a_longer_one_that_starts_with_it(tmp_path: Path) -> None:
    file = lesson_file.read(write(tmp_path, {"lessons": [record(1, slug="a-b"), record(2, slug="a-b-c")]}))
    assert file.find("a-b")["id"] == record(1)["id"]
    assert file.find("A-B-")["id"] == record(2)["id"]
    assert file.find("01jqseed00000000000000002")["slug"] == "a-b-c"


def test_what_find_returns_is_a_copy(tmp_path: Path) -> None:
    file = lesson_file.read(write(tmp_path, {"lessons": [record(1, tags=["a:b"])]}))
    file.find("lesson")["tags"].append("c:d")  # type: ignore[attr-defined]
    assert file.find("lesson")["tags"] == ["a:b"]


def test_a_missing_file_is_an_empty_document_and_is_made_with_its_schema(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    empty = lesson_file.read(home)
    assert empty.document == {"$schema": "./lesson.schema.json", "lessons": []}
    assert not os.path.exists(home)
    with lesson_file.change(home) as file:
        assert file.add(record(1)).slug == "lesson-number-0001"
    written = json.loads((tmp_path / "home" / "lessons.json").read_text())
    assert written == {"$schema": "./lesson.schema.json", "lessons": [record(1)]}
    assert (tmp_path / "home" / "lesson.schema.json").exists()
    assert not (tmp_path / "home" / "backups").exists()


def test_changes_are_merged_into_the_record(tmp_path: Path) -> None:
    triggers = {"later": 1, "toolNames": ["Bash"], "commandPatterns": ["a"]}
    home = write(tmp_path, {"lessons": [record(1, mine=True, triggers=triggers, injection="x", stage="shadow")]})
    with lesson_file.change(home) as file:
        changes: dict[str, object] = {"injection": None, "triggers": {"toolNames": ["Read"]}, "priority": 9}
        assert file.replace("lesson-number", changes).priority == 9
    raw = lesson_file.read(home).find("lesson-number-0001")
    merged = {"later": 1, "toolNames": ["Read"], "commandPatterns": ["a"]}
    assert list(raw.items()) == list(record(1, mine=True, triggers=merged, stage="shadow", priority=9).items())


def test_a_slug_can_be_changed_and_the_old_one_is_free_again(tmp_path: Path) -> None:
    home = write(tmp_path, {"lessons": [record(1)]})
    with lesson_file.change(home) as file:
        file.replace("lesson-number-0001", {"slug": "new-name"})
        file.add(record(2, slug="lesson-number-0001"))
    assert lesson_file.read(home).names() >= {"new-name", "lesson-number-0001"}


def test_the_first_rewrite_of_a_day_makes_a_copy_of_what_was_there(tmp_path: Path) -> None:
    home = write(tmp_path, {"lessons": []})
    before = (tmp_path / "lessons.json").read_text()
    for number in range(3):
        with lesson_file.change(home) as file:
            file.add(record(number))
    copies = list((tmp_path / "backups").iterdir())
    assert [copy.read_text() for copy in copies] == [before]


KEYS = st.text(min_size=1, max_size=8).filter(lambda key: key not in ("id", "slug", "lessons"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
UNKNOWN = st.dictionaries(KEYS.map(lambda key: "x" + key), VALUES, max_size=4)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, object]:
    records = []
    for number in range(draw(st.integers(1, 4))):
        nested = {"toolNames": ["Bash"], **draw(UNKNOWN)}
        members = [*record(number, triggers=nested, tags=[]).items(), *draw(UNKNOWN).items()]
        records.append(dict(draw(st.permutations(members))))
    top = [("lessons", records), *draw(UNKNOWN).items()]
    return dict(draw(st.permutations(top)))


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(document=documents(), extra=UNKNOWN, indent=st.sampled_from(["\t", "  ", "    "]))
def test_unknown_fields_and_key_order_survive_a_change(
    tmp_path: Path, document: dict[str, object], extra: dict[str, object], indent: str
) -> None:
    path = tmp_path / "lessons.json"
    path.write_text(json.dumps(document, indent=indent), encoding="utf-8")
    with lesson_file.change(str(tmp_path)) as file:
        file.replace("lesson-number-0000", {"priority": 9})
        file.add(record(99, **extra))
    after = path.read_text(encoding="utf-8")
    records = document["lessons"]
    assert isinstance(records, list)
    next(item for item in records if item["slug"] == "lesson-number-0000")["priority"] = 9
    records.append(record(99, **extra))
    assert json.dumps(json.loads(after)) == json.dumps(document)
    assert after.startswith("{\n" + indent + '"')
