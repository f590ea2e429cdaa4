"""A folder of another agent's transcripts in, its calls and failures out, counted without our own code."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

_EXIT = re.compile(r"exit code (-?\d+)>\s*$")
_FRAME = re.compile(r"\nExit Code: (-?\d+)\n")
_GEMINI_EXIT = re.compile(r"\nExit Code: (-?[1-9]\d*)(?:\n|$)")
_NOT_RUN = ("denied", "rejected")


class Counted(NamedTuple):
    calls: int
    failed: int
    records: int


def _records(root: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for file in sorted(root.rglob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            yield file, json.loads(line)


def count_copilot(root: Path) -> Counted:
    """A call belongs to its file; the exit code stands in a field or, in older files, in the last line."""
    calls, failed, records = set(), set(), 0
    for file, record in _records(root):
        records += 1
        data = record["data"]
        for request in data.get("toolRequests") or ():
            calls.add((file, request["toolCallId"]))
        if record["type"] != "tool.execution_complete":
            continue
        properties = (data.get("toolTelemetry") or {}).get("properties") or {}
        printed = (data.get("result") or {}).get("detailedContent") or (data.get("result") or {}).get("content") or ""
        found = _EXIT.search(printed)
        code = (data.get("shellExecution") or {}).get("exitCode", int(found[1]) if found else 0)
        error = data.get("error") or {}
        refused = error.get("code") in _NOT_RUN and not error["message"].startswith("Denied by preToolUse hook")
        bad_end = bool(code) and "shell_operation" not in properties
        if bad_end if data["success"] else not refused:
            failed.add((file, data["toolCallId"]))
    return Counted(len(calls), len(failed), records)


def count_qwen(root: Path) -> Counted:
    """A call belongs to its file, which is another one for each subagent."""
    calls, failed, records = set(), set(), 0
    for file, record in _records(root):
        records += 1
        for part in (record.get("message") or {}).get("parts") or ():
            if "functionCall" in part:
                calls.add((file, part["functionCall"]["id"]))
            response = (part.get("functionResponse") or {}).get("response") or {}
            found = _FRAME.search(response.get("output", ""))
            bad = "error" in response or (found is not None and found[1] != "0")
            if bad:
                failed.add((file, part["functionResponse"]["id"]))
    return Counted(len(calls), len(failed), records)


def count_gemini(root: Path) -> Counted:
    """A call belongs to its session, which may be in several files; every message is told as often as it changes."""
    calls: dict[tuple[str, str], bool] = {}
    records = 0
    for file in sorted([*root.rglob("session-*.json"), *root.rglob("session-*.jsonl")]):
        text = file.read_text("utf-8")
        lines = [json.loads(text)] if file.suffix == ".json" else [json.loads(line) for line in text.splitlines()]
        told = [message for line in lines for message in (line.get("$set") or line).get("messages") or ()]
        told += [line for line in lines if "id" in line]
        records += len({message["id"] for message in told}) + 1
        for message in told:
            for call in message.get("toolCalls") or ():
                said = json.dumps(call.get("result")).replace("\\n", "\n")
                bad = call["status"] == "error"
                calls[lines[0]["sessionId"], call["id"]] = bad or bool(_GEMINI_EXIT.search(said))
    return Counted(len(calls), sum(calls.values()), records)


def count_opencode(root: Path) -> Counted:
    """By SQL alone."""
    ended = "json_extract(data, '$.state.status') IN ('completed', 'error')"
    bad = (
        "json_extract(data, '$.state.status') = 'error' AND json_extract(data, '$.state.error') NOT LIKE 'Denied by a%'"
        " OR json_extract(data, '$.tool') = 'invalid' OR json_extract(data, '$.state.metadata.exit') <> 0"
        " OR json_type(data, '$.state.metadata.exit') = 'null'"
    )
    calls = failed = records = 0
    for file in root.rglob("opencode*.db"):
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as connection:
            query = f"SELECT count(*), coalesce(sum({bad}), 0) FROM part WHERE json_extract(data, '$.type') = 'tool'"
            number, wrong = connection.execute(f"{query} AND {ended}").fetchone()
            others = "SELECT count(*) FROM part WHERE json_extract(data, '$.type') <> 'tool'"
            texts = (
                connection.execute(others).fetchone()[0]
                + connection.execute("SELECT count(*) FROM session").fetchone()[0]
            )
            calls, failed, records = calls + number, failed + wrong, records + number + texts
    return Counted(calls, failed, records)


COUNTS: dict[str, Callable[[Path], Counted]] = {
    "copilot-cli": count_copilot,
    "gemini-cli": count_gemini,
    "opencode": count_opencode,
    "qwen-code": count_qwen,
}
