"""lessons.json in pieces: what did not change stays as it was written, and what cannot be cut is read as a whole."""

import json
from pathlib import Path

import pytest

from lessons.errors import DamagedFile
from lessons.store import compiled_lessons, lesson_file, lesson_text
from tests.store.test_lesson_file import record
from tests.tables import table


def whole(text: str) -> str:
    """A record in the usual layout, as it stands in a file of two."""
    return json.dumps(json.loads(text), indent=2).replace("\n", "\n    ")


def two(middle: str = "") -> str:
    first, last = (whole(json.dumps(record(number))) for number in (1, 2))
    return '{\n  "lessons": [\n    ' + first + ",\n    " + middle + last + "\n  ]\n}\n"


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
    after = json.loads((tmp_path / "lessons.json").read_text())
    assert json.dumps(after) == json.dumps({**expected, "lessons": [*expected.get("lessons", []), record(9)]})


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


def test_a_file_that_was_saved_since_the_build_is_looked_through_again(tmp_path: Path) -> None:
    from lessons.promote.publish.publish import publish

    path = tmp_path / "lessons.json"
    path.write_text(two())
    publish(str(tmp_path))
    assert len(compiled_lessons.lesson_digests(str(tmp_path))) == 2
    path.write_text(two().replace('"slug"', '"slug": "twice", "slug"', 1))
    with pytest.raises(DamagedFile, match="twice"):
        lesson_file.read(str(tmp_path))


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


def test_a_file_with_a_layout_of_its_own_is_laid_out_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "lessons.json"
    path.write_text(json.dumps({"lessons": [record(1)]}))
    with lesson_file.change(str(tmp_path)) as file:
        file.add(record(2))
    assert path.read_text().count("\n") > 10
    assert json.loads(path.read_text()) == {"lessons": [record(1), record(2)]}


def test_nothing_is_cut_where_there_is_no_list() -> None:
    assert lesson_text.split(b'{"lessons": 3}') is None
    assert lesson_text.split(b"[]") is None
