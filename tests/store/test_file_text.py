"""Parts of a long file are those of its whole content, and another content is never mixed in."""

import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.errors import Busy
from lessons.store import file_text
from lessons.store.file_text import Counted, FileText, check_of, copying
from tests.sizes import examples

CONTENT = bytes(range(256)) * 8


@pytest.fixture
def text(tmp_path: Path) -> FileText:
    path = tmp_path / "text"
    path.write_bytes(CONTENT)
    return FileText(str(path), len(CONTENT), zlib.crc32(CONTENT))


def copied(text: FileText) -> bytes:
    with copying(text) as copy:
        return b"".join([*copy(0, 10), *copy(900, 2000)])


def test_another_content_of_the_same_length_is_not_copied(text: FileText) -> None:
    Path(text.path).write_bytes(CONTENT[::-1])
    with pytest.raises(Busy, match="try again"):
        copied(text)


def test_another_content_is_not_held(text: FileText) -> None:
    Path(text.path).write_bytes(CONTENT[::-1])
    with pytest.raises(Busy, match="try again"), text.held():
        pass
    Path(text.path).unlink()
    with pytest.raises(Busy, match="try again"), text.held():
        pass


def test_a_file_that_is_replaced_is_held(text: FileText, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_text, "_CHUNK", 16)  # or all of it were in memory
    other = Path(text.path + ".new")
    other.write_bytes(CONTENT[::-1])
    with text.held():
        other.replace(text.path)
        assert [text[at : at + 4] for at in (0, 100, 2000, 50)] == [CONTENT[at : at + 4] for at in (0, 100, 2000, 50)]
    assert text[500:504] != CONTENT[500:504]


def test_a_file_that_is_written_while_it_is_copied_is_noticed(text: FileText) -> None:
    def copy_and_write() -> None:
        with copying(text) as copy:
            list(copy(0, 10))
            Path(text.path).write_bytes(CONTENT * 2)

    with pytest.raises(Busy, match="try again"):
        copy_and_write()


def test_a_file_that_is_gone_is_noticed(text: FileText) -> None:
    Path(text.path).unlink()
    with pytest.raises(Busy, match="try again"):
        text[:10]


def test_a_held_file_that_is_changed_in_place_is_noticed(text: FileText) -> None:
    with pytest.raises(Busy), text.held():
        Path(text.path).write_bytes(CONTENT[::-1])


def test_what_is_copied_is_counted(text: FileText) -> None:
    counted = Counted([copied(text), b"", b"more"])
    joined = b"".join(counted)
    assert joined == CONTENT[:10] + CONTENT[900:2000] + b"more"
    assert (counted.length, counted.check) == (len(joined), zlib.crc32(joined))
    with open(text.path, "rb") as file:
        assert check_of(file) == text.check


@settings(max_examples=examples(200), deadline=None)
@given(parts=st.lists(st.tuples(st.integers(-10, 2100), st.integers(-10, 2100)), max_size=8), chunk=st.integers(4, 400))
def test_any_parts_are_those_of_the_content(
    tmp_path_factory: pytest.TempPathFactory, parts: list[tuple[int, int]], chunk: int
) -> None:
    path = tmp_path_factory.mktemp("parts") / "text"
    path.write_bytes(CONTENT)
    text = FileText(str(path), len(CONTENT), zlib.crc32(CONTENT))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_text, "_CHUNK", chunk)
        for start, stop in parts:
            assert text[start:stop] == CONTENT[start:stop]
        assert text[:] == CONTENT
