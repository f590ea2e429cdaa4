"""lessons.json: nothing a person wrote is lost, one bad record hides no other, names stay unique."""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.errors import Busy, DamagedFile, Refused
from lessons.store import lesson_file
from lessons.store.lesson_file import LessonFile
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


def whole(text: str) -> str:
    """A record in the usual layout, as it stands in a file of two."""
    return json.dumps(json.loads(text), indent=2).replace("\n", "\n    ")


def two(middle: str = "") -> str:
    first, last = (whole(json.dumps(record(number))) for number in (1, 2))
    return '{\n  "lessons": [\n    ' + first + ",\n    " + middle + last + "\n  ]\n}\n"


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


def test_what_an_editor_saves_at_the_last_moment_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = write(tmp_path, {"lessons": [record(1)]})

    def rendered(file: LessonFile) -> bytes:
        write(tmp_path, {"lessons": [record(2)]})
        return b"{}"

    monkeypatch.setattr(LessonFile, "rendered", rendered)
    with pytest.raises(Busy, match="saved by another program"), lesson_file.change(home) as file:
        file.remove("lesson-number-0001")
    assert [lesson.slug for lesson in lesson_file.read(home).lessons()] == ["lesson-number-0002"]


def test_a_record_with_the_earlier_names_of_fields_is_read_and_can_be_changed(tmp_path: Path) -> None:
    early = {{"problem": "mistake", "solution": "remediation"}.get(key, key): text for key, text in record(1).items()}
    home = write(tmp_path, {"lessons": [early, record(2)]})
    with lesson_file.change(home) as file:
        assert [lesson.problem for lesson in file.lessons()] == 2 * ["A problem that is long enough"]
        file.replace("lesson-number-0002", {"priority": 9})
    assert '"mistake"' in (tmp_path / "lessons.json").read_text(), "what was not changed stays as it was written"
    with lesson_file.change(home) as file:
        file.replace("lesson-number-0001", {"priority": 9})
    assert lesson_file.read(home).records == [record(1, priority=9), record(2, priority=9)]


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


def test_a_slug_wins_over_a_longer_one_that_starts_with_it(tmp_path: Path) -> None:
    file = lesson_file.read(write(tmp_path, {"lessons": [record(1, slug="a-b"), record(2, slug="a-b-c")]}))
    assert file.find("a-b")["id"] == record(1)["id"]
    assert file.find("A-B-")["id"] == record(2)["id"]
    assert file.find("01jqseed00000000000000002")["slug"] == "a-b-c"


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


@table(
    "text",
    [
        '{"lessons": []}',
        '{"note": "lessons", "lessons": [RECORD]}',
        '{"note": {"lessons": [RECORD]}, "lessons": [RECORD]}',
        '{"note": {"lessons": []}, "lessons": [RECORD]}',
        '{"lessons": [RECORD, 1, "text", null, [RECORD]], "mine": {"deep": [1.5, -0.0]}}',
        '{"lessons"\t:\r\n[ RECORD , RECORD ] , "after": "\\ud800"}',
        '\ufeff{"lessons": [RECORD]}',
        '{"less\\u006fns": [RECORD]}',
        '{"other": 1}',
    ],
)
def test_the_records_are_those_of_the_document(tmp_path: Path, text: str) -> None:
    text = text.replace("RECORD", json.dumps(record(1)))
    (tmp_path / "lessons.json").write_text(text, encoding="utf-8")
    file = lesson_file.read(str(tmp_path))
    expected = json.loads(text.removeprefix("\ufeff"))
    assert json.dumps(file.records) == json.dumps(expected.get("lessons", []))
    with lesson_file.change(str(tmp_path)) as changed:
        changed.add(record(9))
    after = json.loads((tmp_path / "lessons.json").read_text(encoding="utf-8-sig"))
    assert json.dumps(after) == json.dumps({**expected, "lessons": [*expected.get("lessons", []), record(9)]})


def test_the_first_change_of_a_day_makes_a_copy_and_fourteen_are_kept(tmp_path: Path) -> None:
    home, folder = write(tmp_path, {"lessons": []}), tmp_path / "backups"
    before = (tmp_path / "lessons.json").read_text()
    folder.mkdir()
    for name in ("lessons-mine.json", *(f"lessons-2020-01-{day:02}.json" for day in range(1, 21))):
        (folder / name).touch()
    for number in range(3):
        with lesson_file.change(home) as file:
            file.add(record(number))
    *old, newest, other = sorted(folder.iterdir())
    assert newest.read_text() == before
    assert [path.name for path in old] == [f"lessons-2020-01-{day:02}.json" for day in range(8, 21)]
    assert other.name == "lessons-mine.json"


@table(
    ("damage", "told"),
    [
        ('"summary": "A", "summary": "B", ', "twice"),
        ('"x": NaN, ', "NaN"),
        ('"x": 1e999, ', "too large"),
        ('"x": "tab\tin a text", ', "control character"),
        ('"x": [1,], ', "line"),
    ],
)
def test_a_damaged_record_among_good_ones_is_refused_by_every_reader(tmp_path: Path, damage: str, told: str) -> None:
    path = tmp_path / "lessons.json"
    path.write_text('{"lessons": [{' + damage + json.dumps(record(1))[1:] + ", " + json.dumps(record(2)) + "]}")
    before = path.read_bytes()
    with pytest.raises(DamagedFile, match=told):
        lesson_file.read(str(tmp_path))
    with pytest.raises(DamagedFile, match=told), lesson_file.change(str(tmp_path)) as file:
        file.add(record(3))
    assert path.read_bytes() == before


@table("newline", ["\n", "\r\n"])
def test_only_the_changed_record_is_written_anew(tmp_path: Path, newline: str) -> None:
    own_layout = '{ "id":"own" , "slug":"own-layout",\n "note": 1e2 },\n    '
    text = two(own_layout).replace("\n", newline)
    path = tmp_path / "lessons.json"
    path.write_bytes(text.encode())
    with lesson_file.change(str(tmp_path)) as file:
        file.replace("lesson-number-0002", {"summary": "Another summary, long enough"})
    changed = text.rpartition("A summary that is long enough")
    assert path.read_bytes().decode() == changed[0] + "Another summary, long enough" + changed[2]


@table("indent", [None, 1, 4])
def test_what_did_not_change_keeps_its_layout(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "lessons.json"
    path.write_text(json.dumps({"note": 1, "lessons": [record(1), record(2), record(3)], "after": [1]}, indent=indent))
    first, _, rest = path.read_text().partition(json.dumps("lesson-number-0002"))
    with lesson_file.change(str(tmp_path)) as file:
        file.replace("lesson-number-0003", {"priority": 9})
        file.add(record(4))
    text = path.read_text()
    assert text.startswith(first)
    assert text.endswith(rest[rest.index('"after"') :])
    assert json.loads(text)["lessons"] == [record(1), record(2), record(3, priority=9), record(4)]
    with lesson_file.change(str(tmp_path)) as file:
        file.remove("lesson-number-0001")
        file.remove("lesson-number-0003")
    assert json.loads(path.read_text())["lessons"] == [record(2), record(4)]


def test_a_link_stays_a_link_and_a_byte_order_mark_stays(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text(two(), encoding="utf-8-sig")
    (tmp_path / "lessons.json").symlink_to(elsewhere)
    with lesson_file.change(str(tmp_path)) as file:
        file.replace("lesson-number-0001", {"priority": 7})
    assert (tmp_path / "lessons.json").is_symlink()
    assert elsewhere.read_bytes().startswith(b"\xef\xbb\xbf{")
    assert lesson_file.read(str(tmp_path)).find("lesson-number-0001")["priority"] == 7


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


WRITER = """
import sys
from lessons.store import lesson_file

home, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
for number in range(count):
    with lesson_file.change(home) as file:
        file.add({
            "id": f"{name}-{number}", "slug": f"{name}-{number}", "summary": "s" * 30,
            "problem": "p" * 2000, "solution": "s" * 2000, "writer": name,
        })
    print(number, flush=True)
"""


def writer(home: Path, name: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(home), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_killed_writer_leaves_a_whole_file_with_all_it_reported(tmp_path: Path) -> None:
    chance = random.Random(7)
    expected: set[str] = set()
    for round_number in range(4):
        name = f"round{round_number}"
        with writer(tmp_path, name, 1000) as process:
            assert process.stdout is not None
            reported = [process.stdout.readline().strip() for _ in range(chance.randint(1, 6))]
            process.send_signal(signal.SIGKILL)
        expected |= {f"{name}-{number}" for number in reported}
        document = json.loads((tmp_path / "lessons.json").read_text())
        assert expected <= {record["slug"] for record in document["lessons"]}
