"""A transcript that grows, shrinks or is replaced: every record is read, and reading it again changes nothing."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.agents.claude_code.transcript import Transcripts
from lessons.scan import read as module
from lessons.scan.project import Projects
from lessons.scan.read import NotRead, batches
from lessons.scan.workers import Known
from lessons.store.consent import Consent
from tests.builders.accidents import ACCIDENTS
from tests.builders.reading import Reading, Rows, rows_of
from tests.builders.transcript import Session
from tests.sizes import examples
from tests.tables import table


def story(name: str = "s1", compactions: int = 2) -> Session:
    session = Session(name)
    for number in range(compactions + 1):
        session.prompt(f"fix the till {number}")
        failing = session.call("Bash", {"command": f"make test | tail -{number + 1}"})
        session.hook_context(failing, f"a fact {number}")
        session.result(failing, "Exit code 2\nboom", error=True)
        session.result(session.call("Bash", {"command": "make | tail"}), "error: no rule to make target")
        session.say(f"#lesson\nproblem: p{number}\nsolution: s\n#/lesson")
        slow = session.call("Bash", {"command": "make all"})
        session.result(slow, "Running.", background=f"b{number}")
        session.notify(f"b{number}", "failed", 2, slow)
        session.title(f"Till {number}").turn_end().bookkeeping(60)
        if number < compactions:
            session.compact()
    return session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s1.jsonl"


# What must not happen.


def test_a_foreign_file_is_refused(path: Path) -> None:
    path.write_bytes(b'{"timestamp":"T","type":"session_meta","payload":{}}\n')
    with pytest.raises(NotRead, match="FOREIGN"):
        Reading(path)()


def test_half_a_last_line_waits(path: Path) -> None:
    session = story()
    *_, last = session.data().splitlines(keepends=True)
    reading = Reading(path)
    path.write_bytes(session.data()[: -len(last)] + last[:-20])
    before = reading()
    assert before.malformed == 0 and before.records == len(session.lines) - 1
    assert reading.known.offset == len(session.data()) - len(last)
    assert reading.grow(last[-20:]) == rows_of(path, session.data())


@pytest.mark.parametrize("lines", [1, 20])
def test_a_last_line_without_its_end_is_read_at_once_and_counted_once(path: Path, lines: int) -> None:
    session = story()
    session.lines = session.lines[: lines - 1]
    session.prompt("the last words")
    data = session.data()
    reading = Reading(path)
    path.write_bytes(data.removesuffix(b"\n"))
    early = reading()
    assert any("the last words" in str(row) for row in early.named.values())
    assert early.records == lines - 1, "it is counted when it is finished"
    reading()
    assert reading.grow(b"\n") == rows_of(path, data)


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n \n\t\n", b"\0\0\0\n", b"\0" * 200_000, b'{"type":"user"', b"x\n"])
def test_a_file_of_which_nothing_can_be_told_waits(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(NotRead, match="UNCLEAR"):
        list(batches(Transcripts(), str(path), Known(), Projects(), Consent()))


LONG_PROMPT = (
    b'{"parentUuid":null,"sessionId":"s","type":"user","uuid":"u","message":{"content":"' + b"x" * 300_000 + b'"}}\n'
)


NEW_TYPE = b'{"type":"brand-new","note":"' + b"x" * 500 + b'"}\n'
VERY_LONG_PROMPT = (
    b'{"message":{"content":"' + b"x" * 5_000_000 + b'"},"sessionId":"s","parentUuid":null,"uuid":"u","type":"user"}\n'
)
BEGINNINGS = {
    "a byte order mark": b"\xef\xbb\xbf" + LONG_PROMPT,
    "a list": b"[]\n" + LONG_PROMPT,
    "the keys that tell behind 5 MB": VERY_LONG_PROMPT,
    "1.2 MB of NULs": b"\0" * 1_200_000,
    "1.3 MB of damaged lines": (b'{"type":"us' + b"x" * 600 + b"\n") * 2_100,
    "1 MB of a new type": NEW_TYPE * 2_000,
}


@pytest.mark.parametrize("before", BEGINNINGS.values(), ids=BEGINNINGS)
def test_a_long_beginning_hides_nothing(path: Path, before: bytes) -> None:
    assert len(rows_of(path, before + story().data()).calls) == 9


@pytest.mark.parametrize(
    "after",
    [
        b"",
        b'{"type":"message","sessionId":"s","message":{"content":"hi"}}\n',
        b'{"type":"summary","summary":"x"}\n',
        b'{"type":"user","message":{"content":"hi"}}\n',
        b'{"type":"user","sessionId":"s","message":{"parts":[]}}\n{"type":"system","sessionId":"s"}\n',
    ],
)
def test_a_file_of_others_stays_theirs(path: Path, after: bytes) -> None:
    path.write_bytes(b'{"timestamp":"T","type":"session_meta","payload":{}}\n' * 2_000 + after)
    with pytest.raises(NotRead, match="FOREIGN"):
        list(batches(Transcripts(), str(path), Known(), Projects(), Consent()))


def test_a_line_that_is_too_long_is_counted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = story().data()
    monkeypatch.setattr("lessons.agents.follow._CHUNK", 256)
    monkeypatch.setattr("lessons.agents.follow.LONGEST_LINE", 6_000)
    rows = rows_of(path, data + b"x" * 10_000 + b"\n" + story("s2").data())
    assert rows.damaged == {(len(data), 10_001)}
    assert rows.malformed == 1
    assert len(rows.calls) == 18


# Growth.


per_test = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
FORMS: dict[str, Callable[[bytes], bytes]] = {
    name: ACCIDENTS[name]
    for name in (
        "CRLF",
        "byte order mark",
        "NULs over the end of a record",
        "two objects on one line",
        "truncated record before the next",
        "appended again",
        "lines that are no objects",
    )
}
HEALTHY = story(compactions=1).data()


@table("form", FORMS)
def test_growing_in_steps_gives_the_same_rows(tmp_path: Path, form: str) -> None:
    data = FORMS[form](HEALTHY)
    whole = rows_of(tmp_path / "s1.jsonl", data)

    @settings(per_test, max_examples=examples(15))
    @given(st.lists(st.integers(0, len(data)), max_size=10))
    def check(places: list[int]) -> None:
        assert grown(tmp_path, data, sorted(places)) == whole

    check()


def grown(tmp_path: Path, data: bytes, places: list[int]) -> Rows:
    path = tmp_path / "grown" / "s1.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"")
    reading = Reading(path)
    for start, end in zip([0, *places], [*places, len(data)], strict=True):
        reading.grow(data[start:end])
    assert reading.replaced == 0
    return reading.rows


def test_batches_are_cut_at_lines_and_add_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = story().data()
    whole = rows_of(path, data)
    for size in (1, 3_000, 20_000):
        monkeypatch.setattr(module, "_BATCH_BYTES", size)
        parts = list(batches(Transcripts(), str(path), Known(), Projects(), Consent()))
        assert [part.start for part in parts] == [0, *(part.end for part in parts[:-1])]
        assert all(data[: part.end].endswith(b"\n") for part in parts)
        assert [part.state is None for part in parts] == [True] * (len(parts) - 1) + [False]
        rows = Rows()
        for part in parts:
            rows.add(part)
        assert rows == whole


# Truncation and replacement.


def other(size: int) -> bytes:
    """Another transcript, of exactly so many bytes."""
    data = story("other", compactions=0).data()
    return data[: size - 1] + b"\n" if size <= len(data) else data + b" " * (size - len(data) - 1) + b"\n"


@pytest.mark.parametrize("more", [-3_000, 0, 3_000])
def test_a_file_that_was_replaced_is_read_from_its_beginning(path: Path, more: int) -> None:
    data = story().data()
    reading = Reading(path)
    path.write_bytes(data)
    before = set(reading().calls)
    path.write_bytes(other(len(data) + more))
    rows = reading()
    assert reading.replaced == 1
    assert before < set(rows.calls), "what was found stays, and the new is found"


@pytest.mark.parametrize("kept", [0, 500])
def test_a_file_that_was_cut_is_read_from_its_beginning(path: Path, kept: int) -> None:
    data = story().data()
    reading = Reading(path)
    path.write_bytes(data)
    reading()
    path.write_bytes(data[:kept])
    rows = reading()
    assert reading.replaced == 1
    assert reading.known.offset == data[:kept].rfind(b"\n") + 1
    assert rows.calls == rows_of(path, data).calls


def test_a_copy_with_another_inode_is_the_same_file(path: Path, tmp_path: Path) -> None:
    data = story().data()
    reading = Reading(path)
    path.write_bytes(data[:9_000])
    reading()
    (tmp_path / "copy").write_bytes(data)
    os.replace(tmp_path / "copy", path)
    assert reading() == rows_of(path, data)
    assert reading.replaced == 0


def test_a_memory_of_another_version_is_not_trusted(path: Path) -> None:
    data = story().data()
    path.write_bytes(data)
    reading = Reading(path)
    reading()
    for memory in ("", "{}x", '{"version":-1}', "null"):
        reading.known.memory = memory
        [batch] = batches(Transcripts(), str(path), reading.known, Projects(), Consent())
        assert batch.start == 0 and len(batch.calls) == 9
