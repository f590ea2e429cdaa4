"""Gemini CLI's sessions: what must not be reported, and that every way of reading gives the same result."""

import json
import os
import sqlite3
import tracemalloc
from pathlib import Path

import pytest

from lessons.agents.gemini_cli.transcript import STORE, _read, _without_hooks
from lessons.scan.run import Options, run
from tests.builders.gemini_sessions import Chat, eventful, running, shell
from tests.flows.scanning import scan
from tests.flows.tables import assert_same, tables
from tests.tables import table

AGENT = "gemini-cli"
OUTCOMES = {"total": 5, "ok": 1, "failed": 3, "refused": 0, "cancelled": 0, "interrupted": 1, "unknown": 0}


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    folder = (tmp_path / "tmp" / "shop" / "chats").resolve()
    folder.mkdir(parents=True)
    return folder


def calls(home: Path) -> dict[str, str]:
    with sqlite3.connect(f"file:{home}/history.db?mode=ro", uri=True) as connection:
        return dict(connection.execute("SELECT tool_use_id, outcome FROM calls ORDER BY 1").fetchall())


@table("name", ["logs.json", "tmp/shop/logs.json", "checkpoint-a.json", "session-1.json.tmp", "session-1.txt"])
def test_other_files_are_no_sessions(name: str) -> None:
    assert STORE.store_of(f"/home/.gemini/tmp/shop/chats/{name}"[:100]) is None


@table("text", ["{}", "[]", '{"type": "user", "message": {}}\n', '["x"]\n'])
def test_files_of_others_with_such_a_name_are_foreign(text: str, tmp_path: Path) -> None:
    for number, name in enumerate(("session-1.json", "session-2.jsonl")):
        home, folder = tmp_path / f"{abs(hash(text))}-{number}", tmp_path / f"f{abs(hash(text))}-{number}"
        folder.mkdir()
        (folder / name).write_text(text)
        coverage = scan(home, folder, agent=AGENT)
        assert coverage.calls["total"] == 0 and coverage.files.foreign + coverage.malformed >= 1


def test_a_pipe_beside_the_chats_is_not_read(chats: Path, tmp_path: Path) -> None:
    os.mkfifo(chats.parent / ".project_root")
    (chats / "session-1.jsonl").write_text(eventful().text())
    assert scan(tmp_path / "home", chats.parent.parent, agent=AGENT).calls == OUTCOMES
    os.mkfifo(chats / "session-2.json")
    assert "not a regular file" in run(str(tmp_path / "home"), Options([str(chats)])).coverage.problems[0]


def test_lines_and_document_tell_of_every_call(chats: Path, tmp_path: Path) -> None:
    (chats / "session-1.jsonl").write_text(eventful().text())
    coverage = scan(tmp_path / "home", chats.parent.parent, agent=AGENT)
    assert (coverage.calls, coverage.malformed, coverage.unknown_types) == (OUTCOMES, 0, {})
    with sqlite3.connect(tmp_path / "home" / "history.db") as connection:
        [first] = connection.execute(
            "SELECT tool, command, cwd, exit_code, error FROM calls WHERE exit_code"
        ).fetchall()
        prompts = connection.execute("SELECT text FROM prompts WHERE sureness = 'likely'").fetchall()
        [(title,)] = connection.execute("SELECT title FROM sessions").fetchall()
    assert first == ("Bash", "make tset", "/shop", 2, "No rule")
    assert (prompts, title) == ([("Make the tests pass.",)], "Tests")
    (chats / ".." / ".project_root").write_text("/other")
    (chats / "session-2.json").write_text(eventful().document())
    assert scan(tmp_path / "home", chats.parent.parent, agent=AGENT).calls["total"] == 5, "calls of the same session"


def test_a_call_that_still_runs_is_completed_later(chats: Path, tmp_path: Path) -> None:
    chat = Chat()
    message = chat.add("gemini", "", toolCalls=[running("ls", "call_1_0")])
    file = chats / "session-1.json"
    for number, expected in enumerate(("unknown", "ok")):
        file.write_text(chat.document())
        scan(tmp_path / "home", chats, agent=AGENT)
        assert calls(tmp_path / "home") == {"call_1_0@s1": expected}, number
        chat.again(message, toolCalls=[shell("ls", "call_1_0", "a")])
    chat.messages = []
    file.write_text(chat.document())
    scan(tmp_path / "home", chats, agent=AGENT)
    assert calls(tmp_path / "home") == {"call_1_0@s1": "ok"}, "what was read stays"


@pytest.mark.parametrize("step", [1, 7])
def test_growing_in_small_steps_it_gives_the_same_tables(chats: Path, tmp_path: Path, step: int) -> None:
    """Every line, and halves of lines."""
    data = eventful().text().encode()
    file = chats / "session-1.jsonl"
    cuts = [place + 1 for place, byte in enumerate(data) if byte == 10] + list(range(0, len(data), 50 * step))
    for end in sorted(set(cuts)):
        file.write_bytes(data[:end])
        scan(tmp_path / "steps", chats, agent=AGENT)
    file.write_bytes(data)
    scan(tmp_path / "steps", chats, agent=AGENT)
    scan(tmp_path / "once", chats, agent=AGENT)
    assert_same(tables(tmp_path / "steps", chats), tables(tmp_path / "once", chats))


def test_what_hooks_added_is_no_part_of_a_prompt() -> None:
    assert _without_hooks("a <hook_context>b</hook_context>\n c<hook_context>d</hook_context>e") == "a ce"
    assert _without_hooks("a</hook_context><hook_context>b") == "a</hook_context><hook_context>b"
    many = "</hook_context>" + "<hook_context>" * 200_000
    assert _without_hooks(many) == many


def test_a_message_that_comes_again_and_again_has_all_its_calls(tmp_path: Path) -> None:
    lines: list[object] = [{"sessionId": "s", "projectHash": "p"}]
    calls = 20_000
    lines += [{"id": "m", "type": "gemini", "toolCalls": [{"id": f"c{number}"}]} for number in range(calls)]
    file = tmp_path / "session-1.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    content = _read(str(file))
    [message] = content.messages(0, 9)
    assert message["toolCalls"] == [{"id": f"c{number}"} for number in range(calls)]


@pytest.mark.parametrize("name", ["session-1.json", "session-1.jsonl"])
def test_a_session_takes_little_more_memory_than_its_file(name: str, tmp_path: Path) -> None:
    messages = [{"id": f"m{number}", "type": "user", "content": [[], {}, []] * 100} for number in range(5_000)]
    document = {"sessionId": "s", "projectHash": "p"}
    lines = [{**document, "messages": messages}] if name.endswith(".json") else [document, *messages]
    file = tmp_path / "chats" / name
    file.parent.mkdir()
    file.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    del messages, lines
    tracemalloc.start()
    try:
        with STORE.snapshot(str(file)) as found:
            assert sum(len(piece.records) for piece in found.pieces) == 5_001
        assert tracemalloc.get_traced_memory()[1] < 4 * file.stat().st_size
    finally:
        tracemalloc.stop()
