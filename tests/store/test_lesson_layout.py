"""A file that was read before is not cut again: the same records, names and bytes as if it had been."""

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.errors import Busy
from lessons.promote.publish.publish import publish
from lessons.store import compiled_lessons, lesson_file
from tests.sizes import examples
from tests.store.test_lesson_file import record

IN_MEMORY, IN_FILE = 1 << 30, 0
TEXTS = st.sampled_from(["plain", 'a "quoted" word', "größer", "line\nline", "\ud83d\ude00 emoji", "[1, 2]"])


@pytest.fixture(autouse=True, params=[IN_MEMORY, IN_FILE])
def _long_file(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson_file, "LONGEST_IN_MEMORY", request.param)


def written(home: Path, count: int, indent: int = 2) -> str:
    document = {"note": "mine", "lessons": [record(number, tags=["a:b"]) for number in range(count)], "after": [1]}
    (home / "lessons.json").write_text(json.dumps(document, indent=indent) + "\n")
    return str(home)


# When it must not be used.


def test_a_file_that_was_changed_is_cut_again(tmp_path: Path) -> None:
    home = written(tmp_path, 3)
    publish(home)
    path = tmp_path / "lessons.json"
    status = path.stat()
    path.write_text(path.read_text().replace("number-0001", "number-0007"))  # as long as before
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert "lesson-number-0007" in lesson_file.read(home).names()


def test_a_file_with_a_gap_of_its_own_has_no_layout(tmp_path: Path) -> None:
    home = written(tmp_path, 3)
    path = tmp_path / "lessons.json"
    path.write_text(path.read_text().replace("    },\n", "    },\n\n", 1))
    publish(home)
    assert compiled_lessons.layout(home) is None
    assert len(lesson_file.read(home).names()) == 6


def test_what_an_editor_saved_meanwhile_is_left_alone(tmp_path: Path) -> None:
    home = written(tmp_path, 3)
    publish(home)
    path = tmp_path / "lessons.json"
    text = path.read_text().replace("A problem", "X problem")

    def change_while_an_editor_saves() -> None:
        with lesson_file.change(home) as file:
            file.replace("lesson-number-0001", {"priority": 7})
            path.write_text(text)

    with pytest.raises(Busy, match="try again"):
        change_while_an_editor_saves()
    assert path.read_text() == text


def test_parts_of_another_file_are_never_taken_for_records(tmp_path: Path) -> None:
    home = written(tmp_path, 3)
    publish(home)
    file = lesson_file.read(home)
    path = tmp_path / "lessons.json"
    path.write_text(path.read_text().replace("A problem", "X problem"))
    with suppress(Busy):
        assert file.find("lesson-number-0001")["problem"] == "A problem that is long enough"


# When it is used.


@settings(max_examples=examples(60), deadline=None)
@given(
    changes=st.lists(st.tuples(st.sampled_from(["add", "replace", "remove"]), st.integers(0, 99), TEXTS), max_size=5),
    indent=st.sampled_from([2, 4]),
)
def test_any_changes_are_written_as_by_one_who_cuts_the_file_each_time(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, int, str]], indent: int
) -> None:
    noted, other = tmp_path_factory.mktemp("noted"), tmp_path_factory.mktemp("other")
    written(noted, 4, indent)
    written(other, 4, indent)
    for number, (what, which, text) in enumerate(changes):
        publish(str(noted))
        assert not number or compiled_lessons.layout(str(noted)) is not None
        for home in (noted, other):
            with lesson_file.change(str(home)) as file:
                slugs = sorted(name for name in file.names() if name.startswith("lesson"))
                if what == "add" or len(slugs) < 3:
                    file.add(record(100 + number, extra={"text": text}))
                elif what == "replace":
                    file.replace(slugs[which % len(slugs)], {"summary": text, "list": [text] * 30})
                else:
                    file.remove(slugs[which % len(slugs)])
            assert [lesson.slug for lesson in file.lessons()] == [
                lesson.slug for lesson in lesson_file.read(str(home)).lessons()
            ]
        assert (noted / "lessons.json").read_bytes() == (other / "lessons.json").read_bytes()


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "home").mkdir()
    written(tmp_path / "elsewhere", 3)
    (tmp_path / "home" / "lessons.json").symlink_to(tmp_path / "elsewhere" / "lessons.json")
    home = str(tmp_path / "home")
    publish(home)
    with lesson_file.change(home) as file:
        file.replace("lesson-number-0001", {"priority": 7})
    assert (tmp_path / "home" / "lessons.json").is_symlink()
    assert file.record(2) == lesson_file.read(home).record(2)
