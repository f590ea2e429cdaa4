"""Following a transcript: every record once, damage with its position, and a replaced file is noticed."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.agents import follow
from lessons.agents.base import Damaged
from lessons.agents.follow import FoundLine, OpenTranscript, blocks_of
from lessons.agents.table import DEFAULT_AGENT, reader_of
from tests.builders.transcript import Session
from tests.sizes import examples

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
        with pytest.raises(OSError, match="it is not a regular file"):
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


def test_another_file_has_other_digests(path: Path, tmp_path: Path) -> None:
    data = story()
    path.write_bytes(data)
    with OpenTranscript(READER, str(path)) as file:
        before = file.digests(len(data))
    with path.open("ab") as grown:
        grown.write(data)
    with OpenTranscript(READER, str(path)) as file:
        assert file.digests(len(data)) == before
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(data.replace(b"two", b"TWO"))
    with OpenTranscript(READER, str(copy)) as file:
        assert file.digests(len(data))[1] != before[1]


def test_where_the_next_line_begins(path: Path) -> None:
    path.write_bytes(b"ab\ncd\n" + b"e" * 200_000)
    with OpenTranscript(READER, str(path)) as file:
        assert [file.line_after(position) for position in (1, 3, 4, 6, 7)] == [3, 3, 6, 6, file.size]


Read = Callable[..., list[FoundLine]]

contents = st.lists(
    st.one_of(st.binary(max_size=12), st.sampled_from([b"", b"\r", b"\0" * 7, b"x" * 40, b"\xe2\x80\xa8"])), max_size=8
).map(b"\n".join)


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Read]:
    path = tmp_path / "file"
    path.touch()
    descriptor = os.open(path, os.O_RDONLY)

    def read(
        data: bytes, start: int = 0, size: int | None = None, chunk: int = 1 << 20, longest: int = 1 << 30
    ) -> list[FoundLine]:
        path.write_bytes(data)
        monkeypatch.setattr(follow, "_CHUNK", chunk)
        monkeypatch.setattr(follow, "LONGEST_LINE", longest)
        return list(lines_of(blocks_of(descriptor, start, len(data) if size is None else size)))

    yield read
    os.close(descriptor)


def lines_of(blocks: Iterable[FoundLine]) -> Iterator[FoundLine]:
    """Blocks of whole lines taken apart."""
    for position, data, end, finished in blocks:
        if data is None or not finished:
            yield position, data, end, finished
            continue
        assert data.endswith(b"\n")
        at = position
        for line in data.split(b"\n")[:-1]:
            yield at, line, at + len(line) + 1, True
            at += len(line) + 1
        assert at == end


def same(data: bytes) -> list[FoundLine]:
    """What must come out, found the plain way."""
    found: list[FoundLine] = []
    position = 0
    for line in data.split(b"\n")[:-1]:
        found.append((position, line, position + len(line) + 1, True))
        position += len(line) + 1
    rest = data[position:]
    return [*found, (position, rest, len(data), False)] if rest else found


per_test = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(200))


@per_test
@given(data=contents, chunk=st.integers(1, 30))
def test_all_lines_of_any_content_in_any_chunks(read: Read, data: bytes, chunk: int) -> None:
    assert read(data, chunk=chunk) == same(data)


@per_test
@given(data=contents, chunk=st.integers(1, 6), longest=st.integers(12, 30))
def test_lines_that_are_too_long_are_passed_over(read: Read, data: bytes, chunk: int, longest: int) -> None:
    for found, expected in zip(read(data, chunk=chunk, longest=longest), same(data), strict=True):
        assert found[0] == expected[0] and found[2:] == expected[2:]
        assert expected[1] is not None
        assert found[1] == (expected[1] if len(expected[1]) <= longest else None)


@per_test
@given(data=contents, chunk=st.integers(1, 30), more=st.integers(1, 100))
def test_a_file_that_was_cut_while_it_was_read(read: Read, data: bytes, chunk: int, more: int) -> None:
    found = read(data, size=len(data) + more, chunk=chunk)
    expected = same(data)
    assert [line for line in found if line[3]] == [line for line in expected if line[3]]
    # What is left of an unfinished line may be told or not, but never as finished, and never wrongly.
    assert all(line[1] in (None, expected[-1][1]) for line in found if not line[3])
    assert sum(not line[3] for line in found) <= 1
