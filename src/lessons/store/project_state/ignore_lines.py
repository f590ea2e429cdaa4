"""Adds state files that must not be committed to the `.gitignore` of a repository."""

import os

from lessons.errors import Refused
from lessons.store import atomic

LINES = (
    ".claude/hooks/.*",
    ".claude/state/.*",
    ".claude/state/handoff.json",
    ".claude/state/commit-log.jsonl",
    ".claude/state/agent-invocations.jsonl",
    ".claude/state/consolidation.json",
    ".claude/state/warned-files.json",
    ".claude/state/alerts-baseline.json",
    ".claude/state/pending-reviews.json",
    ".claude/state/sessions/",
    ".claude/state/*.damaged-*",
)
_HEADING = "# What coding sessions leave behind, written by `lessons`"


def file_of(root: str) -> str:
    return root.rstrip("/") + "/.gitignore"


def check(root: str) -> None:
    """Raises Refused if the file cannot be extended."""
    path = file_of(root)
    if os.path.lexists(path) and (os.path.islink(path) or not os.path.isfile(path)):
        raise Refused(f"{path} is not a regular file, and git reads no other: put one there.")


def add(root: str) -> list[str]:
    """Returns the lines that were missing; the rest of the file stays unchanged."""
    path = file_of(root)
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        content = b""
    there = {line.strip() for line in content.splitlines()}
    missing = [line for line in LINES if line.encode() not in there]
    if missing:
        end = b"\r\n" if b"\r\n" in content else b"\n"
        heading = [] if _HEADING.encode() in there else [_HEADING]
        gap = b"" if not content else end if content.endswith(b"\n") else end * 2
        if not heading:
            gap = gap[len(end) :]
        atomic.write_bytes(path, content + gap + b"".join(line.encode() + end for line in [*heading, *missing]), 0o644)
    return missing
