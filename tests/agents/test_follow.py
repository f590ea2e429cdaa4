"""Following a transcript: every record once, damage with its position, and a replaced file is noticed."""

import os
from pathlib import Path

import pytest

from lessons.agents.follow import Damaged, NotPlainFile, OpenTranscript
from lessons.agents.table import DEFAULT_AGENT, reader_of
from tests.builders.transcript import Session

READER = reader_of(DEFAULT_AGENT)


def found(path: Path, start: int = 0) -> list[tuple[bool, list[str | Damaged]]]:
    """Of each stretch whether it is finished, and the types of its records."""
    with OpenTranscript(READER, str(path)) as file:
        return [
            (stretch.finished, [each if isinstance(each, Damaged) else each.type for each in stretch.records()])
            for stretch in file.stretches(start)
        ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s1.jsonl"


def story() -> bytes:
    session = Session("s1")
    session.prompt("one")
    session.prompt("two")
    return session.data()


# What must not happen.


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(NotPlainFile):
            OpenTranscript(READER, str(tmp_path / name))
    with pytest.raises(FileNotFoundError):
        OpenTranscript(READER, str(tmp_path / "missing"))


@pytest.mark.parametrize("tail", [b'{"type":"user"', b"null", b"{}{}", b"[1]"])
def test_half_a_last_line_has_no_record(path: Path, tail: bytes) -> None:
    path.write_bytes(story() + tail)
    assert found(path) == [(True, ["user", "user"]), (False, [])]


# What it reads.


def test_nothing_in_an_empty_file(path: Path) -> None:
    path.write_bytes(b"")
    assert found(path) == []


def test_a_last_line_that_lacks_only_its_end(path: Path) -> None:
    path.write_bytes(story().rstrip(b"\n"))
    assert found(path) == [(True, ["user"]), (False, ["user"])]


def test_damage_is_named_with_its_place(path: Path) -> None:
    first, second = story().splitlines(keepends=True)
    path.write_bytes(first + b"\xff broken\n\n" + second)
    assert found(path) == [(True, ["user", Damaged(len(first), 8), "user"])]
    assert found(path, len(first)) == [(True, [Damaged(len(first), 8), "user"])]


def test_whose_it_is(path: Path) -> None:
    for data, expected in ((b"", None), (story(), True), (b'{"type":"session_meta","payload":{}}\n', False)):
        path.write_bytes(data)
        with OpenTranscript(READER, str(path)) as file:
            assert file.is_recognised() is expected


def test_another_file_has_other_digests_and_another_identity(path: Path, tmp_path: Path) -> None:
    data = story()
    path.write_bytes(data)
    with OpenTranscript(READER, str(path)) as file:
        before = file.digests(len(data)), file.identity(len(data))
    with path.open("ab") as grown:
        grown.write(data)
    with OpenTranscript(READER, str(path)) as file:
        assert (file.digests(len(data)), file.identity(len(data))) == before
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(data)
    with OpenTranscript(READER, str(copy)) as file:
        assert file.digests(len(data)) == before[0]
        assert file.identity(len(data)) != before[1], "another file, though it says the same"
    copy.write_bytes(data.replace(b"two", b"TWO"))
    with OpenTranscript(READER, str(copy)) as file:
        assert file.digests(len(data))[1] != before[0][1]


def test_where_the_next_line_begins(path: Path) -> None:
    path.write_bytes(b"ab\ncd\n" + b"e" * 200_000)
    with OpenTranscript(READER, str(path)) as file:
        assert [file.line_after(position) for position in (1, 3, 4, 6, 7)] == [3, 3, 6, 6, file.size]
