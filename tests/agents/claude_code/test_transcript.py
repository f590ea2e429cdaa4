"""Lines of Claude Code in, exactly their events out, whatever happened to the file."""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.agents.base import Record
from lessons.agents.claude_code.transcript import Transcripts
from lessons.agents.events import Called, Event, Prompted, Returned, TaskEnded, Verdict, Wrote
from tests.builders.accidents import ACCIDENTS, lines_of
from tests.builders.client_lines import encode
from tests.builders.transcript import Session
from tests.sizes import examples
from tests.tables import table

READER = Transcripts()


def records(data: bytes) -> list[Record | None]:
    return [record for line in data.split(b"\n") if line.strip() for record in READER.records(line, 0)]


def story(middle: Callable[[Session, str], object]) -> bytes:
    """A session with one of everything; what `middle` adds stands in the middle of it."""
    session = Session("story")
    session.prompt("fix the till")
    session.think("Look first.")
    failing = session.call("Bash", {"command": "make test"})
    session.hook_context(failing, "a fact")
    session.result(failing, "Exit code 2\nboom", error=True)
    session.compact()
    session.title("Till").snapshot()
    half = len(session.lines)
    middle(session, failing)
    added = len(session.lines) - half
    slow = session.call("Bash", {"command": "make all", "run_in_background": True})
    session.result(slow, "Running.", background="b1").encode()
    session.notify("b1", "failed", 2, slow)
    session.say("#lesson\nproblem: a\nsolution: b\n#/lesson")
    session.turn_end().queue("also lint")
    while len(session.lines) // 2 < half + added // 2:
        session.prompt(f"go on {len(session.lines)}")
    return session.data()


STORIES = {
    "a call in the middle": story(lambda session, call: session.call("Read", {"file_path": "/a.py"})),
    "a subagent's words in the middle": story(
        lambda session, call: session.progress(call, "ls", kind="agent_progress")
    ),
    "notes of the client in the middle": story(lambda session, call: session.bookkeeping(300)),
}


def name_of(record: Record) -> tuple[str, int]:
    """The type and, of records that have one, the uuid, as the key holds it."""
    return record.type, ((record.key + (1 << 63)) >> 32) if record.key else 0


def test_no_accident_loses_or_repeats_a_record() -> None:
    for told, healthy in STORIES.items():
        for name, accident in ACCIDENTS.items():
            found = [record for record in records(accident(healthy)) if record is not None]
            wanted = [record for line in accident.survivors(healthy) for record in READER.records(encode(line), 0)]
            counts = Counter(name_of(record) for record in found)
            for record in wanted:
                assert record is not None
                assert counts[name_of(record)] >= 1, (told, name, record)
            assert max(counts[name_of(one)] for one in wanted if one and one.key) <= 1 + bool(
                accident.repeated(healthy)
            )
            events = [event for record in found for event in record.events]
            texts_changed = "in texts" in name
            for event in (event for one in wanted if one for event in one.events):
                if not texts_changed:
                    assert event in events, (told, name, event)
                elif isinstance(event, Called | Returned):
                    assert event.tool_use_id in [getattr(other, "tool_use_id", "") for other in events], (told, name)


@table("told", STORIES)
def test_what_cannot_be_read_is_counted(told: str) -> None:
    healthy = STORIES[told]
    assert None not in records(healthy)
    for name in ("truncated record before the next", "half a last line", "nesting never closed"):
        assert records(ACCIDENTS[name](healthy)).count(None) == 1, name


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("type id content text".split()), inner),
    max_leaves=4,
)


@settings(max_examples=examples(300))
@given(st.sampled_from(sorted(STORIES)), st.data())
def test_no_surprising_type_raises_or_loses_more_than_the_record(told: str, data: st.DataObject) -> None:
    line = json.loads(data.draw(st.sampled_from([line for line in lines_of(STORIES[told]) if b'"uuid"' in line])))
    expected = line["type"]
    place = line
    while True:
        field = data.draw(st.sampled_from(sorted(place)))
        inner = place[field][0] if isinstance(place[field], list) and place[field] else place[field]
        if not isinstance(inner, dict) or not inner or data.draw(st.booleans()):
            break
        place = inner
    place[field] = data.draw(odd)
    found = READER.records(json.dumps(line).encode(), 0)
    if not (place is line and field == "type"):
        assert [record.type for record in found if record] == [expected]


def hostile(value: bytes) -> bytes:
    return b'{"parentUuid":null,"type":"user","uuid":"u","sessionId":"s","message":{"content":[' + value + b"]}}"


HOSTILE = {
    "lone surrogates": hostile(b'{"type":"text","text":"' + b"\\ud800" * 160_000 + b'"}'),
    "a hundred thousand strange blocks": hostile(b",".join([b'{"type":7}'] * 90_000)),
    "a hundred thousand numbers": hostile(b",".join([b"1e999"] * 160_000)),
    "deep blocks": hostile(b'{"type":"tool_result","tool_use_id":"t","content":' + b"[" * 500_000),
    "many half records": b'{"parentUuid":null,"type":"user","message":{"content":"' * 18_000,
    "a million NULs": b"\0" * 1_000_000,
    "many notifications": hostile(b'{"type":"text","text":"' + b"<task-notification>" * 50_000 + b'"}'),
    "reminders that never end": hostile(b'{"type":"text","text":"' + b"<system-reminder>\\n" * 50_000 + b'"}'),
}


@table("name", HOSTILE)
def test_a_hostile_line_takes_no_time(name: str) -> None:
    began = time.process_time()
    READER.records(HOSTILE[name], 0)
    assert time.process_time() - began < 0.5


MEASURED = """
import sys
from lessons.agents.claude_code.transcript import Transcripts
from lessons.store.consent import Consent
from lessons.scan.project import Projects
from lessons.scan.workers import Known
from lessons.scan.read import batches
for batch in batches(Transcripts(), sys.argv[1], Known(), Projects(), Consent()):
    for row in (*batch.calls, *batch.results):
        print([row.tool_use_id])
print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="how much memory was used at most is read from /proc")
@pytest.mark.parametrize("end", [b"\r\n", b""])
def test_a_line_of_15_megabytes_is_read_in_bounded_memory(tmp_path: Path, end: bytes) -> None:
    session, path = Session("long"), tmp_path / "long.jsonl"
    call = session.call("Write", {"file_path": "/a", "content": "é" * (15 << 19)})
    path.write_bytes(encode(session.lines[-1]) + end)
    done = subprocess.run([sys.executable, "-c", MEASURED, str(path)], capture_output=True, text=True, check=True)
    found, peak = done.stdout.splitlines()
    assert found == f"['{call}']"
    assert int(peak) < 150 * 1024


def test_no_id_has_control_characters_or_is_endless() -> None:
    odd, plain = "a\0b\x1f\x7fc\n" + "d" * 400, "abc" + "d" * 297
    use = {"type": "tool_use", "id": odd, "name": "Bash", "input": {}}
    names = {"uuid": odd, "sessionId": odd, "agentId": odd}
    said: dict[str, object] = {
        "type": "assistant",
        "message": {"id": odd, "content": [use, {"type": "text", "text": "#lesson"}]},
    }
    back = {"type": "tool_result", "tool_use_id": odd, "content": "Running."}
    started = {"message": {"content": [back]}, "toolUseResult": {"interrupted": False, "backgroundTaskId": odd}}
    killed = {"message": {"content": [back]}, "toolUseResult": {"shellId": odd, "status": "killed"}}
    note = f"<task-notification><task-id>{odd}</task-id><status>failed</status></task-notification>"
    shown = {"type": "hook_additional_context", "toolUseID": odd, "content": "x"}
    stop = {"interruptedMessageId": odd, "message": {"content": "[Request interrupted by user]"}}
    lines: list[dict[str, object]] = [
        said,
        {"type": "user", **started},
        {"type": "user", **killed},
        {"type": "user", "message": {"content": note}},
        {"type": "attachment", "attachment": shown},
        {"type": "user", **stop},
    ]
    found = [record for line in lines for record in Transcripts().records(encode({**line, **names}), 0)]
    for record in found:
        assert record is not None and record.events
        assert (record.line.uuid, record.line.session_id, record.line.agent_id) == (plain, plain, plain)
        for event in record.events:
            ids = [getattr(event, name, "") for name in ("tool_use_id", "message_id", "task_id")]
            assert {one for one in ids if one} == {plain}, event
    [silent] = Transcripts().records(encode({"type": "system", "sessionId": odd}), 0)
    assert silent is not None and silent.line.session_id == plain
    [empty] = Transcripts().records(encode({"type": "assistant", "message": {"content": [{**use, "id": "\0"}]}}), 0)
    assert empty is not None and not empty.events


@table(
    ("told", "end"),
    [
        ({"shellId": "b5", "status": "running", "exitCode": None}, None),
        ({"shellId": 5, "status": "failed", "exitCode": 1}, None),
        ({"shellId": "b5", "status": ["failed"], "exitCode": 1}, None),
        ({"retrieval_status": "timeout", "task": {"task_id": "b5", "status": "running", "exitCode": None}}, None),
        ({"retrieval_status": "not_ready", "task": None}, None),
        ({"retrieval_status": "success", "task": {"task_id": ["b5"], "status": "failed"}}, None),
        ({"task": {"task_id": "b5", "status": "completed"}}, None),
        ({"task": {"id": "5", "status": "completed"}}, None),
        ({"status": "completed", "agentId": "b5"}, None),
        ({"shellId": "b5", "status": "failed", "exitCode": 1}, Verdict("failed", 1)),
        ({"shellId": "b5", "status": "completed", "exitCode": 0}, Verdict("ok", 0)),
        ({"shellId": "b5", "status": "killed", "exitCode": None}, Verdict("interrupted", None)),
        ({"shellId": "b5", "status": "failed", "exitCode": 143}, Verdict("interrupted", 143)),
        (
            {"retrieval_status": "success", "task": {"task_id": "b5", "status": "failed", "exitCode": 1}},
            Verdict("failed", 1),
        ),
        (
            {"retrieval_status": "success", "task": {"task_id": "b5", "status": "completed", "exitCode": 0}},
            Verdict("ok", 0),
        ),
        ({"retrieval_status": "success", "task": {"task_id": "b5", "status": "completed"}}, Verdict("ok", None)),
    ],
)
def test_a_call_that_asks_after_a_task_tells_its_end(told: dict[str, object], end: Verdict | None) -> None:
    block = {"type": "tool_result", "tool_use_id": "t", "content": "x"}
    line = {"type": "user", "message": {"content": [block]}, "toolUseResult": told}
    [record] = Transcripts().records(encode(line), 0)
    assert record is not None and isinstance(record.events[0], Returned)
    assert record.events[1:] == ([TaskEnded("b5", "", end, "")] if end else [])


@table(
    ("given", "expected"),
    [
        ("", ""),
        ("yesterday", ""),
        ("2026-13-41T99:30:00-05:00", ""),
        ("0001-01-01T00:30:00+05:00", ""),
        ("2026-09-01T23:30:00.123Z", "2026-09-01T23:30:00.123Z"),
        ("2026-09-01T23:30:00-05:00", "2026-09-02T04:30:00.000Z"),
        ("2026-09-01T01:30:00.5+0200", "2026-08-31T23:30:00.500Z"),
        ("2026-09-01T01:30:00.123456789+00:00", "2026-09-01T01:30:00.123Z"),
    ],
)
def test_times_are_told_in_utc(given: str, expected: str) -> None:
    line = {"type": "custom-title", "customTitle": "x", "timestamp": given}
    [record] = Transcripts().records(encode(line), 0)
    assert record is not None and record.line.time == expected


def events(session: Session, all_texts: bool) -> list[Event]:
    records = Transcripts(all_texts).sound_records(session.data(), 0)
    assert records is not None
    return [event for record in records for event in record.events if not hasattr(event, "arguments")]


def test_what_was_said_and_what_a_call_that_went_well_printed() -> None:
    session = Session()
    session.say("Nothing to learn here.")
    session.result(session.call("TaskCreate", {"subject": "s"}), "Task #1 created", details={"task": {"id": "1"}})
    assert [event.text for event in events(session, False) if isinstance(event, Returned)] == [""]
    said, returned = events(session, True)
    assert isinstance(said, Wrote)
    assert said.text == "Nothing to learn here."
    assert isinstance(returned, Returned)
    assert (returned.text, returned.verdict.outcome) == ("Task #1 created", "ok")


def test_what_a_script_or_an_accepted_plan_asked_for() -> None:
    session = Session()
    session.prompt("Implement the following plan:\n\n# Coins")
    session.prompt("Count.", source="sdk")
    session.prompt("a machine's words", meta=True)
    session.notify("b1")
    assert not [event for event in events(session, False) if isinstance(event, Prompted)]
    assert [event.text for event in events(session, True) if isinstance(event, Prompted)] == [
        "Implement the following plan:\n\n# Coins",
        "Count.",
    ]


def test_a_command_has_its_name_unless_it_is_for_the_client() -> None:
    session = Session()
    for name, arguments in (("/fix", "12"), ("/compact", "keep all"), ("/clear", "")):
        session.prompt(f"<command-name>{name}</command-name>\n<command-args>{arguments}</command-args>")
    assert [event.text for event in events(session, True) if isinstance(event, Prompted)] == ["/fix 12"]
    assert [event.text for event in events(session, False) if isinstance(event, Prompted)] == ["12", "keep all"]
