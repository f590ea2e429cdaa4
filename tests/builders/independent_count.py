"""A folder of transcripts in, its numbers of calls, failures and records out, counted without our own code."""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

# A person or a rule said no, or the client gave up a call because one beside it failed.
NOT_RUN = (
    "The user doesn't want to", "Claude requested permissions", "Permission to use",
    "Permission for this action was denied", "<tool_use_error>Sibling tool call errored", "<tool_use_error>Cancelled",
    "[Request interrupted by user",
)  # fmt: skip


class Count(NamedTuple):
    """Calls, results and failures by distinct tool_use id; `failed`: flagged, and neither refused nor cancelled."""

    calls: int
    results: int
    flagged: int
    refused_or_cancelled: int
    failed: int
    records: int
    duplicates: int
    malformed: int


class _Tally:
    def __init__(self) -> None:
        self.calls: set[str] = set()
        self.results: set[str] = set()
        self.flagged: set[str] = set()
        self.not_run: set[str] = set()
        self.met: set[tuple[str, str]] = set()
        self.records = self.duplicates = self.malformed = 0

    def line(self, raw: bytes) -> None:
        try:
            record = json.loads(raw.decode("utf-8", "replace"))
        except ValueError:
            record = None
        if not isinstance(record, dict):
            self.malformed += 1
            return
        self.records += 1
        uuid, message = record.get("uuid"), record.get("message")
        if isinstance(uuid, str):
            key = (uuid, json.dumps(message))
            self.duplicates += key in self.met
            self.met.add(key)
        if isinstance(message, dict) and isinstance(message.get("content"), list):
            for block in message["content"]:
                self.block(record, block)

    def block(self, record: dict[str, Any], block: Any) -> None:
        if not isinstance(block, dict):
            return
        if record.get("type") == "assistant" and block.get("type") == "tool_use":
            self.calls.add(block["id"])
        if record.get("type") == "user" and block.get("type") == "tool_result":
            identifier = block["tool_use_id"]
            self.results.add(identifier)
            if block.get("is_error") is True:
                self.flagged.add(identifier)
                text = _text(block.get("content"))
                by_hook = text.startswith("PreToolUse:") and record.get("toolDenialKind") in (None, "permission-rule")
                if not by_hook and ("toolDenialKind" in record or text.startswith(NOT_RUN)):
                    self.not_run.add(identifier)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content)


def count(root: Path) -> Count:
    """Every .jsonl below the folder but the dumps of tool results."""
    tally = _Tally()
    for path in sorted(root.rglob("*.jsonl")):
        if "tool-results" in path.relative_to(root).parts:
            continue
        for raw in path.read_bytes().split(b"\n"):
            if raw.strip():
                tally.line(raw)
    return Count(
        calls=len(tally.calls), results=len(tally.results), flagged=len(tally.flagged),
        refused_or_cancelled=len(tally.not_run), failed=len(tally.flagged - tally.not_run), records=tally.records,
        duplicates=tally.duplicates, malformed=tally.malformed,
    )  # fmt: skip


if __name__ == "__main__":
    print(count(Path(sys.argv[1])))
