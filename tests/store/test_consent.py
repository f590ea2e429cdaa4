"""What a person had forgotten: recognised for ever, and readable by nobody."""

import json
from pathlib import Path

from lessons.store.consent import (
    Consent,
    Forgotten,
    digest,
    patterns_of,
    read_forgotten,
    record_forgotten,
)
from lessons.store.state_paths import is_excluded
from tests.tables import table

GARBAGE = [
    "", "forgotten", '{"decision": "forgotten"', '["forgotten"]', '"forgotten"',
    '{"decision": "promoted", "session": "forgotten"}', '{"decision": "forgotten"}',
    '{"decision": "forgotten", "session": null, "project": ""}', "\udcff forgotten",
]  # fmt: skip


@table("line", GARBAGE)
def test_garbage_forgets_nothing(tmp_path: Path, line: str) -> None:
    (tmp_path / "decisions.jsonl").write_bytes(line.encode("utf-8", "surrogateescape") + b"\n")
    assert read_forgotten(str(tmp_path)) == Forgotten()
    record_forgotten(str(tmp_path), session="s1")
    assert read_forgotten(str(tmp_path)).covers("s1", "/p", "2026")


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
    assert not read_forgotten(str(tmp_path)).covers("s1", "/p", "2026-01-01T00:00:00Z")


def test_wishes_are_digests(tmp_path: Path) -> None:
    record_forgotten(str(tmp_path), session="a-secret-session")
    record_forgotten(str(tmp_path), project="/home/somebody/secret-project")
    text = (tmp_path / "decisions.jsonl").read_text(encoding="utf-8")
    assert "secret" not in text
    assert "somebody" not in text
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["decision"] for line in lines] == ["forgotten", "forgotten"]
    assert lines[0]["session"] == digest("a-secret-session")


def test_wishes_are_read_back(tmp_path: Path) -> None:
    home = str(tmp_path)
    record_forgotten(home, session="s1")
    record_forgotten(home, session="s2")
    record_forgotten(home, project="/p")
    wishes = read_forgotten(home)
    past, future = "2020-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"
    assert wishes.covers("s1", "/q", future)
    assert wishes.covers("s2", "/q", past)
    assert wishes.covers("s3", "/p", past)
    assert not wishes.covers("s3", "/p", future)
    assert not wishes.covers("s3", "/pq", past)
    assert not wishes.covers("s3", "/q", past)


def refuses(pattern: str, folder: str) -> bool:
    """As a scan asks, and as the hook does."""
    patterns = patterns_of([pattern])
    answer = Consent(tuple(patterns), Forgotten()).refuses("session", folder, folder, "")
    assert is_excluded(patterns, folder) is answer
    return answer


@table(
    ("pattern", "folder"),
    [
        ("/home/me/hush", "/home/me/hushed"),
        ("/home/me/hush", "/home/me"),
        ("hush", "/home/me/hushed"),
        ("C:\\hush", "D:\\hush"),
        ("C:\\hush", "C:\\hushed"),
        ("C:\\hush\\deep", "C:\\hush"),
        ("*\\hush", "C:\\hushed"),
        ("*/hush", "/home/me/hushed"),
    ],
)
def test_what_is_kept(pattern: str, folder: str) -> None:
    assert not refuses(pattern, folder)


@table(
    ("pattern", "folder"),
    [
        ("/home/me/hush", "/home/me/hush"),
        ("/home/me/hush/", "/home/me/hush/deep"),
        ("/", "/home/me"),
        ("odd\\name", "/home/me/odd\\name/deep"),
        ("C:\\Users\\me\\hush", "C:\\Users\\me\\hush\\deep"),
        ("c:\\Users\\me\\hush\\", "C:\\Users\\me\\hush"),
        ("C:/Users/me/hush", "c:\\Users\\me\\hush\\deep"),
        ("*/hu?h", "/home/me/hush/deep"),
        ("hush", "C:\\Users\\me\\hush\\deep"),
        ("*/hush", "C:\\Users\\me\\hush\\deep"),
        ("*\\hush", "C:\\Users\\me\\hush"),
        ("C:\\Users\\*\\hush", "c:\\Users\\me\\hush\\deep"),
    ],
)
def test_what_is_kept_out(pattern: str, folder: str) -> None:
    assert refuses(pattern, folder)
