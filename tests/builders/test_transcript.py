"""The builders write what the client writes: the same keys, files and bytes each time."""

import json
from pathlib import Path
from typing import Any

from tests.builders.accidents import ACCIDENTS, lines_of, long_line
from tests.builders.big_session import big_transcript, many_transcripts
from tests.builders.client_lines import REJECTED
from tests.builders.independent_count import Count, count
from tests.builders.transcript import Session
from tests.tables import table

ENDS = "userType entrypoint cwd sessionId version gitBranch"
USER = "parentUuid isSidechain promptId type message uuid timestamp"
RESULT = f"{USER} toolUseResult sandboxed sourceToolAssistantUUID permissionDecision {ENDS}"
ASSISTANT = (
    "parentUuid isSidechain message apiBlockIndex requestId requestRef requestedModel promptCacheRequested"
    f" type uuid timestamp effort perTurnEffort madeBy {ENDS}"
)
CALLING = ASSISTANT.replace("message", "message toolInputStreamMs")
PROMPT = f"{USER} permissionMode origin promptSource turnOrigin turnPosition {ENDS}"
SHOWN = f"parentUuid isSidechain attachment type uuid timestamp rendered renderedRole {ENDS}"
BOUNDARY = f"parentUuid logicalParentUuid isSidechain type subtype content level compactMetadata uuid timestamp {ENDS}"
OLD = "parentUuid isSidechain userType cwd sessionId version gitBranch"


def example(name: str = "s1", old: bool = False) -> Session:
    """A session with one of everything."""
    session = Session(name, old=old)
    session.prompt("fix the till")
    session.think("Look first.")
    session.say("I look.", same_message=True)
    failing = session.call("Bash", {"command": "make test"})
    session.hook_context(failing, "a fact")
    session.progress(failing, "half way")
    session.progress(failing, "make", kind="agent_progress")
    session.result(failing, "Exit code 2\nboom", error=True)
    session.result(session.call("Bash", {"command": "make test CC=cc"}), "ok")
    edit = {"file_path": "/a.py", "old_string": "a", "new_string": "b"}
    session.result(session.call("Edit", edit), REJECTED, denial="user-rejected", permission=None)
    session.interrupt(for_tool=True, message_id=session.message_id)
    session.compact()
    session.bookkeeping().title("Till").snapshot().queue("also lint").turn_end()
    slow = session.call("Bash", {"command": "make all", "run_in_background": True})
    session.result(slow, "Running.", background="b1")
    session.notify("b1", "failed", 2, slow)
    agent = session.subagent("ab12")
    agent.prompt("do a part")
    agent.result(agent.call("Bash", {"command": "ls"}), "a.py")
    return session


def line_of(session: Session, **fields: object) -> dict[str, Any]:
    return next(line for line in session.lines if fields.items() <= line.items())


def keys(line: dict[str, Any]) -> str:
    return " ".join(line)


def test_the_keys_of_each_kind_of_line_are_the_clients() -> None:
    session = example()
    users = [line for line in session.lines if line["type"] == "user"]
    agent = session.subagents[0].lines
    assert keys(users[0]) == PROMPT
    assert keys(users[1]) == keys(users[2]) == RESULT
    assert keys(users[3]) == f"{USER} toolUseResult toolDenialKind sourceToolAssistantUUID {ENDS}"
    assert keys(users[4]) == f"{USER} interruptedMessageId {ENDS}"
    assert {keys(line) for line in session.lines if line["type"] == "assistant"} == {ASSISTANT, CALLING}
    assert keys(line_of(session, subtype="compact_boundary")) == BOUNDARY
    assert keys(line_of(session, type="attachment")) == SHOWN
    assert keys(agent[0]) == f"{USER} {ENDS}".replace("promptId", "promptId agentId")
    assert keys(agent[1]) == CALLING.replace("isSidechain", "isSidechain agentId")
    assert "toolUseResult" not in agent[2] and agent[2]["isSidechain"] is True


def test_the_keys_of_older_clients() -> None:
    session = example(old=True)
    users = [line for line in session.lines if line["type"] == "user"]
    assert keys(users[0]) == f"{OLD} type message uuid timestamp permissionMode"
    assert keys(users[1]) == f"{OLD} type message uuid timestamp toolUseResult sourceToolAssistantUUID"
    assert keys(line_of(session, type="assistant")) == f"{OLD} message requestId type uuid timestamp"
    assert keys(line_of(session, type="progress")) == f"{OLD} type data toolUseID parentToolUseID uuid timestamp"


def test_results_say_what_happened_as_the_client_does() -> None:
    session = example()
    failed, fine, refused = [line for line in session.lines if "toolUseResult" in line][:3]
    shell = {"stdout": "ok", "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    assert failed["toolUseResult"] == "Error: Exit code 2\nboom"
    assert fine["toolUseResult"] == shell
    assert refused["toolUseResult"] == "User rejected tool use"


def test_every_line_is_compact_json_with_an_id_of_its_own_and_the_same_each_time() -> None:
    data = example().data()
    assert data == example().data()
    records = [json.loads(line) for line in lines_of(data)]
    assert lines_of(data)[0].startswith(b'{"parentUuid":null,"isSidechain":false,')
    uuids = [record["uuid"] for record in records if "uuid" in record]
    assert len(uuids) == len(set(uuids))
    assert not set(uuids) & {line.get("uuid") for line in example("s2").lines}


def test_a_fork_copies_lines_under_its_own_session() -> None:
    session = example()
    whole, part = session.fork("s2"), session.fork("s3", from_boundary=True)
    assert [line.get("uuid") for line in whole.lines] == [line.get("uuid") for line in session.lines]
    assert part.lines[0]["subtype"] == "compact_boundary"
    assert {line["sessionId"] for line in whole.lines if "sessionId" in line} == {whole.id}
    assert whole.prompt("go on") not in {line.get("uuid") for line in session.lines}


def test_an_old_marker_is_nothing_but_its_sentence() -> None:
    session = Session()
    session.compact(old_marker=True)
    session.compact(boundary=False)
    assert ["isCompactSummary" in line for line in session.lines] == [False, True]


def test_the_files_and_the_count_of_them(tmp_path: Path) -> None:
    session = example()
    path = session.write(tmp_path)
    session.fork("s2").write(tmp_path)
    assert path == tmp_path / "-home-somebody-shop" / f"{session.id}.jsonl"
    assert (path.with_suffix("") / "subagents" / "agent-ab12.meta.json").exists()
    copied = sum("uuid" in line for line in session.lines)
    records = 2 * len(session.lines) + 3
    expected = Count(
        calls=5, results=5, flagged=2, refused_or_cancelled=1, failed=1, records=records, duplicates=copied, malformed=0
    )
    assert count(tmp_path) == expected


@table("name", ACCIDENTS)
def test_an_accident_leaves_the_survivors_in_the_bytes(name: str) -> None:
    data = example().data()
    damaged = ACCIDENTS[name](data)
    lines, survivors = lines_of(data), ACCIDENTS[name].survivors(data)
    assert (damaged == data) == (name == "nothing")
    assert len(survivors) >= len(lines) - 1
    assert all(str(record["uuid"]).encode() in damaged for record in survivors if "uuid" in record)


def test_a_long_line_has_its_length() -> None:
    lengths = sorted(map(len, lines_of(long_line(example().data(), 300_000))))
    assert 300_000 <= lengths[-1] < 302_000


def test_a_big_transcript_has_its_size_and_no_id_twice(tmp_path: Path) -> None:
    big_transcript(tmp_path / "a.jsonl", 13_000_000, seed=1)
    records = [json.loads(line) for line in (tmp_path / "a.jsonl").read_bytes().split(b"\n")[:-1]]
    uuids = [record["uuid"] for record in records if "uuid" in record]
    counted = count(tmp_path)
    assert 12_900_000 < (tmp_path / "a.jsonl").stat().st_size <= 13_000_000
    assert len(uuids) == len(set(uuids))
    assert sum(record.get("subtype") == "compact_boundary" for record in records) == 1
    assert {record["sessionId"] for record in records if "sessionId" in record} == {"a"}
    assert 0.05 < counted.flagged / counted.calls < 0.08 and counted.malformed == 0


def test_seeds_give_other_files_and_the_same_seed_the_same(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        many_transcripts(tmp_path / name, 3, 40_000, seed)
    first, again, other = (
        [path.read_bytes() for path in sorted((tmp_path / name).rglob("*.jsonl"))] for name in ("a", "b", "c")
    )
    assert first == again and len(set(first)) == 3
    assert not set(first) & set(other)
    assert count(tmp_path / "a").duplicates == 0
