"""Findings and places in, the rows that mining would store about them in a history out."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

SHOP, GARDEN = "/home/somebody/shop", "/home/somebody/garden"


class Seen(NamedTuple):
    """One time that it happened."""

    session: str = "s1"
    project: str = SHOP
    failed: str = ""  # tool use ids
    fixed: str = ""
    time: str = "2026-09-01T08:00:00.000Z"
    uuid: str = "u1"


MINED: dict[str, object] = {
    "tool": "Bash", "family": "gh pr diff", "problem": "`gh pr diff` has no `--stat`",
    "solution": "`--name-only` worked in 2 of 2 later calls", "summary": "gh pr diff has no --stat, use --name-only",
    "trigger": "gh pr diff 7 --stat", "error": "unknown flag: --stat",
    "quotes": [
        {"failed": "gh pr diff 7 --stat", "error": "unknown flag: --stat", "worked": "gh pr diff 7 --name-only"},
    ],
    "tags": ["tool:gh"], "callsLost": 4, "minutesLost": 2.04, "fixed": 2, "hang": False, "userCorrection": False,
    "fixes": [],
}  # fmt: skip
TWICE = (Seen(), Seen("s2", uuid="u2", time="2026-09-02T08:00:00.000Z"))


def put(
    connection: sqlite3.Connection,
    fingerprint: str = "mined-a",
    *,
    tier: int = 2,
    kind: str = "wrong-flag",
    confidence: float = 0.5,
    status: str = "candidate",
    seen: Sequence[Seen] = TWICE,
    document: str | None = None,
    **changes: object,
) -> None:
    """One candidate with its evidence; `changes` are keys of its document."""
    text = document if document is not None else json.dumps({**MINED, **changes})
    with connection:
        connection.execute(
            "INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?)", (fingerprint, tier, kind, text, confidence, status)
        )
        connection.executemany(
            "INSERT INTO evidence (fingerprint, session_id, uuid, number, tool_use_id, fix_tool_use_id, message_id,"
            " project, time, file) VALUES (?, ?, ?, ?, ?, ?, '', ?, ?, ?)",
            [
                (fingerprint, each.session, each.uuid, number, each.failed, each.fixed, each.project, each.time, "/a")
                for number, each in enumerate(seen)
            ],
        )


def put_into(home: Path, fingerprint: str, **about: object) -> None:
    """The same, into the history of a data home."""
    with closing(sqlite3.connect(home / "history.db")) as connection:
        put(connection, fingerprint, **about)  # type: ignore[arg-type]
