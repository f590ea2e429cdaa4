"""What a person had forgotten: recognised for ever, and readable by nobody."""

import json
from pathlib import Path

from lessons.store import forgotten
from lessons.store.forgotten import Forgotten, digest
from tests.tables import table

GARBAGE = [
    "",
    "forgotten",
    '{"decision": "forgotten"',
    '["forgotten"]',
    '"forgotten"',
    '{"decision": "promoted", "session": "forgotten"}',
    '{"decision": "forgotten"}',
    '{"decision": "forgotten", "session": null, "project": ""}',
    "\udcff forgotten",
]


@table("line", GARBAGE)
def test_garbage_forgets_nothing(tmp_path: Path, line: str) -> None:
    (tmp_path / "decisions.jsonl").write_bytes(line.encode("utf-8", "surrogateescape") + b"\n")
    assert forgotten.read(str(tmp_path)) == Forgotten()
    forgotten.record(str(tmp_path), session="s1")
    assert forgotten.read(str(tmp_path)).covers("s1", "/p", "2026")


@table(
    "line",
    [
        '{"decision": "forgotten", "before": null}',
        '{"decision": "forgotten", "before": "yesterday"}',
        '{"decision": "forgotten", "x": ' + "[" * 100_000,
    ],
)
def test_garbage_in_the_time_forgets_nothing(tmp_path: Path, line: str) -> None:
    (tmp_path / "decisions.jsonl").write_text(line + "\n", encoding="utf-8")
    assert not forgotten.read(str(tmp_path)).covers("s1", "/p", "2026-01-01T00:00:00Z")


def test_there_is_nothing_at_first(tmp_path: Path) -> None:
    assert forgotten.read(str(tmp_path)) == Forgotten()
    assert not Forgotten().covers("", "", "")


def test_wishes_are_digests(tmp_path: Path) -> None:
    forgotten.record(str(tmp_path), session="a-secret-session")
    forgotten.record(str(tmp_path), project="/home/somebody/secret-project")
    text = (tmp_path / "decisions.jsonl").read_text(encoding="utf-8")
    assert "secret" not in text
    assert "somebody" not in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["decision"] for line in lines] == ["forgotten", "forgotten"]
    assert lines[0]["session"] == digest("a-secret-session")


def test_wishes_are_read_back(tmp_path: Path) -> None:
    home = str(tmp_path)
    forgotten.record(home, session="s1")
    forgotten.record(home, session="s2")
    forgotten.record(home, project="/p")
    wishes = forgotten.read(home)
    past, future = "2020-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"
    assert wishes.covers("s1", "/q", future)
    assert wishes.covers("s2", "/q", past)
    assert wishes.covers("s3", "/p", past)
    assert not wishes.covers("s3", "/p", future)
    assert not wishes.covers("s3", "/pq", past)
    assert not wishes.covers("s3", "/q", past)


def test_the_latest_day_counts(tmp_path: Path) -> None:
    for day in ("2026-03-01", "2026-05-01", "2026-04-01"):
        forgotten.record(str(tmp_path), before=day)
    wishes = forgotten.read(str(tmp_path))
    assert wishes.covers("s", "/p", "2026-04-30T23:59:59.999Z")
    assert not wishes.covers("s", "/p", "2026-05-01T00:00:00.000Z")


@table("name", ["ü", "\udcff", "a\nb", "x" * 10_000])
def test_any_name_can_be_forgotten(tmp_path: Path, name: str) -> None:
    forgotten.record(str(tmp_path), session=name)
    assert forgotten.read(str(tmp_path)).covers(name, "", "")
