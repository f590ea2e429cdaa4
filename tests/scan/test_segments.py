"""A compaction starts a new segment: once, however often it is recorded."""

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lessons.scan.discover import Root
from lessons.scan.scan import Request, scan
from lessons.store.consent import Consent
from lessons.store.history.database import opened
from lessons.store.history.history import History
from tests.builders.accidents import ACCIDENTS
from tests.builders.client_lines import CONTINUED
from tests.builders.reading import Reading, rows_of
from tests.builders.transcript import Session


def segments(path: Path, session: Session) -> list[tuple[str, str]]:
    """Key and boundary of each."""
    rows = rows_of(path, session.data())
    return [(key, uuid) for _, (key, uuid, _) in sorted(rows.segments.items())]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s1.jsonl"


# What begins no segment.


def test_a_person_who_quotes_the_sentence(path: Path) -> None:
    session = Session()
    session.prompt(CONTINUED)
    session.prompt("Why do I read '" + CONTINUED + "'?")
    assert segments(path, session) == [("f-s1.0", "")]


def test_a_summary_after_its_boundary_and_notes_between_them(path: Path) -> None:
    session = Session()
    session.prompt("go")
    uuid = session.compact()
    summary = session.lines.pop()
    session.hook_context("SessionStart", "a fact", event="SessionStart")
    session.turn_end().title("x").bookkeeping(50)
    session.lines.append(summary)
    assert segments(path, session) == [("f-s1.0", ""), ("f-s1.1", uuid)]


def test_boundaries_that_are_written_again(path: Path) -> None:
    session = Session()
    session.prompt("go")
    first = session.compact()
    session.prompt("go on")
    second = session.compact()
    session.prompt("and on")
    expected = [("f-s1.0", ""), ("f-s1.1", first), ("f-s1.2", second)]
    assert segments(path, session) == expected
    lines = list(session.lines)
    for again in (lines, lines[1:3], lines[2:3], lines[4:], lines[2:]):
        session.lines = [*lines, *again]
        assert segments(path, session) == expected


# What begins one.


def test_a_boundary_a_flag_alone_and_the_old_sentence(path: Path) -> None:
    session = Session(version="1.0.44")
    session.prompt("go")
    uuids = [session.compact()]
    session.prompt("go on")
    uuids.append(session.compact(boundary=False))
    session.prompt("and on")
    uuids.append(session.compact(old_marker=True))
    assert segments(path, session) == [("f-s1.0", ""), *((f"f-s1.{n + 1}", uuid) for n, uuid in enumerate(uuids))]


def test_a_boundary_without_a_name_is_known_by_its_place(path: Path) -> None:
    session = Session()
    session.prompt("go")
    session.compact()
    place = len(session.data().split(b"\n")[0]) + 1
    del session.lines[1]["uuid"], session.lines[2]["uuid"]
    assert segments(path, session) == [("f-s1.0", ""), ("f-s1.1", f"at-{place}")]


def test_rows_tell_their_segment(path: Path) -> None:
    session = Session()
    calls = [session.call("Bash", {"command": "ls"})]
    session.compact()
    calls.append(session.call("Bash", {"command": "ls"}))
    rows = rows_of(path, session.data())
    assert [rows.calls[call].origin.segment for call in calls] == [0, 1]
    assert rows.segments[1][2] == len(session.data().split(b"\n")[0]) + 1


@pytest.mark.parametrize("cut", [0, 1, 2, 200])
def test_a_boundary_that_came_in_two_parts(path: Path, cut: int) -> None:
    session = Session()
    session.prompt("go")
    session.compact()
    session.prompt("go on")
    data = session.data()
    for end in (place for place, byte in enumerate(data) if byte == 10):
        path.write_bytes(data[: end - cut])
        reading = Reading(path)
        reading()
        assert reading.grow(data[end - cut :]).segments == rows_of(path, data).segments


def test_a_repeated_row_is_a_duplicate_also_where_it_was_read_unfinished(path: Path) -> None:
    session = Session()
    session.prompt("go")
    session.prompt("go on")
    data = session.data()
    again = data + data
    path.write_bytes(data[:-1])
    reading = Reading(path)
    reading()
    assert reading.grow(b"\n" + data).known == rows_of(path, again).known


# In the history.


@pytest.fixture
def history(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with opened(str(tmp_path / "home")) as connection:
        yield connection


def scanned(history: sqlite3.Connection, root: Path) -> list[tuple[object, ...]]:
    scan(History(history, str(root.parent)), Request([Root(str(root), ("claude-code",))], Consent()))
    found = history.execute("SELECT key, start, end, sealed FROM segments ORDER BY source_id, number").fetchall()
    return [tuple(row) for row in found]


def test_a_segment_is_sealed_when_the_next_one_begins(history: sqlite3.Connection, tmp_path: Path) -> None:
    session = Session()
    session.prompt("go")
    path = session.write(tmp_path / "projects")
    stem, first = path.stem, len(session.data())
    assert scanned(history, path.parent) == [(f"f-{stem}.0", 0, first, 0)]
    session.prompt("go on")
    second = len(session.data())
    session.write(tmp_path / "projects")
    assert scanned(history, path.parent) == [(f"f-{stem}.0", 0, second, 0)]
    session.compact()
    session.prompt("and on")
    third = len(session.data())
    session.write(tmp_path / "projects")
    expected = [(f"f-{stem}.0", 0, second, 1), (f"f-{stem}.1", second, third, 0)]
    assert scanned(history, path.parent) == expected
    path.write_bytes(ACCIDENTS["nothing"](session.data()))
    os.utime(path, ns=(0, 0))
    assert scanned(history, path.parent) == expected, "reading all of it again changes nothing"
    path.unlink()
    assert scanned(history, path.parent) == expected, "a file that is gone keeps its segments"
