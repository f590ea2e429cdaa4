"""A folder of Codex rollouts in, its calls by outcome out, counted without any of our own code."""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

Key = tuple[str, ...]
_CALLS = ("function_call", "custom_tool_call", "tool_search_call", "local_shell_call")
_DONE = ("CommandExecution", "FileChange", "McpToolCall")
_EXITED = re.compile(r"Process exited with code (-?\d+)")
_RUNNING = re.compile(r"Process running with session ID (\d+)")
_PLAIN = re.compile(r"Exit code: (-?\d+)")
_BY_WORDS = {
    "Command blocked by PreToolUse hook": "failed",
    "aborted by user": "interrupted",
    "apply_patch verification failed": "failed",
}


class Tally:
    """The first end that a call is told to have counts; a process has the end that a later question tells."""

    def __init__(self) -> None:
        self.calls: set[Key] = set()
        self.ends: dict[Key, str] = {}
        self.processes: dict[Key, Key] = {}
        self.questions: dict[Key, Key] = {}

    def counted(self) -> dict[str, int]:
        found = Counter(
            self.ends.get(key) or self.ends.get(self.processes.get(key, ()), "unknown") for key in self.calls
        )
        return {"total": len(self.calls), **found}

    def line(self, file: str, record: dict[str, Any]) -> None:
        payload = record.get("payload") or {}
        hidden = payload.get("internal_chat_message_metadata_passthrough") or {}
        turn = payload.get("turn_id") or hidden.get("turn_id") or ""
        if record["type"] == "response_item":
            self.item(file, payload, turn)
        elif record["type"] == "event_msg":
            self.event(payload, turn)

    def item(self, file: str, payload: dict[str, Any], turn: str) -> None:
        kind = payload.get("type", "")
        if kind in _CALLS:
            key = _key(payload["call_id"], turn)
            self.calls.add(key)
            if payload.get("name") == "write_stdin":
                self.questions[key] = ("process", file, str(json.loads(payload["arguments"])["session_id"]))
        elif kind == "web_search_call" and payload.get("id"):
            self.calls.add((payload["id"],))
            self.ends.setdefault((payload["id"],), "ok")
        elif kind.endswith("_output") and payload.get("call_id"):
            given = payload.get("output", "")
            text = given if isinstance(given, str) else "\n".join(block.get("text", "") for block in given)
            self.output(file, _key(payload["call_id"], turn), text)

    def output(self, file: str, key: Key, text: str) -> None:
        head = text.partition("Output:")[0]
        running, exited = _RUNNING.search(head), _EXITED.search(head) or _PLAIN.match(text)
        end = next((outcome for words, outcome in _BY_WORDS.items() if text.startswith(words)), "ok")
        if exited:
            end = "failed" if int(exited[1]) else "ok"
        if key in self.questions:
            if exited:
                self.ends.setdefault(self.questions[key], end)
            self.ends.setdefault(key, "ok" if exited or running else end)
        elif running:
            self.processes[key] = ("process", file, running[1])
        else:
            self.ends.setdefault(key, end)

    def event(self, payload: dict[str, Any], turn: str) -> None:
        item = payload.get("item") or {}
        if item.get("type") in _DONE:
            key = _key(item["id"], turn)
            if item["id"].startswith("exec-"):
                self.calls.add(key)
            failed = bool(item.get("exit_code")) if item["type"] == "CommandExecution" else item["status"] == "failed"
            if item.get("exit_code") != -1:
                self.ends.setdefault(key, "failed" if failed else "ok")
        elif payload.get("type") == "mcp_tool_call_end":
            result = payload["result"]
            failed = "Ok" not in result or result["Ok"].get("isError") is True
            self.ends.setdefault(_key(payload["call_id"], turn), "failed" if failed else "ok")
        elif payload.get("type") == "patch_apply_end":
            self.ends.setdefault(_key(payload["call_id"], turn), "ok" if payload["success"] else "failed")


def _key(name: str, turn: str) -> Key:
    """Local models number their calls: such a number means something in its turn alone."""
    return (name,) if len(name) >= 20 or not turn else (name, turn)


def count(root: Path) -> dict[str, int]:
    tally = Tally()
    for path in sorted(root.rglob("*.jsonl")):
        for line in path.read_text("utf-8", "replace").splitlines():
            tally.line(str(path), json.loads(line))
    return tally.counted()


if __name__ == "__main__":
    for folder in sys.argv[1:]:
        print(folder, count(Path(folder)))
