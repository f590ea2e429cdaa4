"""`lessons doctor` on the history: what is wrong is named with a remedy, what is merely worth knowing is told."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lessons.agents.base import Check
from lessons.doctor import checks
from lessons.store import logs
from lessons.store.history.schema import VERSION
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session
from tests.tables import table


@pytest.fixture
def scanned(tmp_path: Path) -> ScannedHome:
    home = ScannedHome(tmp_path)
    home.session("s1", calls=40)
    home.scan()
    return home


def _checks(home: ScannedHome) -> dict[str, Check]:
    found = {check.name: check for check in checks.history_checks(home.path)}
    assert all(check.fix for check in found.values() if not check.ok)
    return found


def _wrong(home: ScannedHome) -> dict[str, Check]:
    return {name: check for name, check in _checks(home).items() if not check.ok}


def _change(home: ScannedHome, statement: str) -> None:
    with closing(sqlite3.connect(home.file)) as connection:
        connection.execute(statement)
        connection.commit()


def test_without_a_history_nothing_is_wrong_and_nothing_is_made(tmp_path: Path) -> None:
    home = ScannedHome(tmp_path)
    assert _wrong(home) == {}
    assert _checks(home)["history.db"].detail == "no history yet. `lessons scan` reads your transcripts."
    assert list(home.home.iterdir()) == []


def test_a_failing_hook_of_anyone_is_shown_while_it_fails(tmp_path: Path) -> None:
    home = ScannedHome(tmp_path)
    session = Session("s1")
    session.turn_end()
    session.write(home.transcripts)
    home.scan()
    _change(home, "UPDATE stop_hooks SET time = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-2 hours')")
    assert "hooks of the agent" not in _checks(home)
    session.turn_end("Failed with non-blocking status code: /bin/sh: notify:\x1b[2J\nnot found " + "x" * 900)
    session.write(home.transcripts)
    home.scan()
    _change(home, "UPDATE stop_hooks SET time = strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 hours') WHERE errors <> '[]'")
    check = _checks(home)["hooks of the agent"]
    assert not check.ok and check.detail.startswith("1 of 2 turns in the last 7 days ended with a failed hook")
    assert "notify:" in check.detail and "\n" not in check.detail and len(check.detail) < 400
    session.turn_end()
    session.write(home.transcripts)
    home.scan()
    _change(home, "UPDATE stop_hooks SET time = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = 3")
    assert _checks(home)["hooks of the agent"].ok
    _change(home, "UPDATE stop_hooks SET time = '2026-01-01T00:00:00Z'")
    assert "hooks of the agent" not in _checks(home)


def test_a_sound_one(scanned: ScannedHome) -> None:
    found = _checks(scanned)
    assert _wrong(scanned) == {}
    assert found["history.db"].detail == f"OK, schema version {VERSION}, 0 MB."
    assert found["last scan"].detail.startswith("1 transcript, 40 tool calls; the last scan was at 20")
    assert "days ago" not in found["last scan"].detail
    assert found["backups"].detail.startswith("none yet")
    scanned.scan()
    assert _checks(scanned)["backups"].detail.startswith("1, the newest backup-20")


def test_damage(scanned: ScannedHome) -> None:
    scanned.settle()
    content = scanned.file.read_bytes()
    zeroed = content[: 30 * 4096] + bytes(4096) + content[31 * 4096 :]
    for hurt in (b"nonsense" * 1000, zeroed, content[: len(content) // 2], bytes(100) + content[100:]):
        scanned.file.write_bytes(hurt)
        wrong = _wrong(scanned)
        assert wrong.keys() == {"history.db"}
        assert wrong["history.db"].fix.startswith("Run `lessons scan --full`")
    scanned.scan(full=True)
    assert _wrong(scanned) == {}
    assert "damaged once; the old file is kept as " in _checks(scanned)["rescued history"].detail


def test_what_was_not_understood(scanned: ScannedHome) -> None:
    _change(scanned, "INSERT INTO damaged SELECT id, 5, 70 FROM sources")
    assert _checks(scanned)["transcripts"].detail.startswith("1 stretch of transcripts could not be parsed (70")
    assert _wrong(scanned) == {}
    _change(scanned, "UPDATE progress SET state = 'dead', reason = 'it was too dark'")
    assert "2 segments failed after several attempts" in _wrong(scanned)["transcripts"].detail
    assert "it was too dark" in _wrong(scanned)["transcripts"].detail


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_permissions(scanned: ScannedHome, mode: int) -> None:
    scanned.file.chmod(mode)
    wrong = _wrong(scanned)["history permissions"]
    assert wrong.fix.startswith(f"Run `chmod 600 {scanned.file}")


def test_what_went_wrong_in_the_background(scanned: ScannedHome) -> None:
    logs.record_scan(scanned.path, "Traceback (most recent call last): OSError")
    assert "OSError" in _wrong(scanned)["background scans"].detail
    logs.record_scan(scanned.path, "3 files: 3 read, 0 unchanged.")
    assert "OSError" in _checks(scanned)["background scans"].detail
    assert _wrong(scanned) == {}


@table(
    "value, told",
    [
        (None, "asked for after a recovery; 1 question so far."),
        (True, "asked for after a recovery; 1 question so far."),
        ("always", "asked for at every session start."),
        (False, "never asked for. `lessons config set lessonProtocol recovery` asks for them."),
    ],
)
def test_when_agents_are_asked_for_notes(value: object, told: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = ScannedHome(tmp_path_factory.mktemp("home"))
    home.home.mkdir(exist_ok=True)
    (home.home / "injections.jsonl").write_text('{"time":"x","decision":"asked"}\n{"time":"y","decision":"hint"}\n')
    if value is not None:
        (home.home / "config.json").write_text(json.dumps({"lessonProtocol": value}))
    check = _checks(home)["notes of agents"]
    assert (check.ok, check.detail) == (True, told)


def _memory(home: ScannedHome) -> tuple[bool, str, str]:
    check = _checks(home)["memory"]
    return check.ok, re.sub(r"20[0-9TZ:-]+", "DAY", check.detail), check.fix


def test_memory_is_told_with_its_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = ScannedHome(tmp_path)
    index = home.home / "memory-index"
    assert _memory(home) == (True, "on; nothing is remembered yet. `lessons scan` fills it.", "")
    session = Session("s1")
    wrong = session.call("Bash", {"command": "tool --lux"})
    session.result(wrong, "Exit code 1\nerror: unknown option --lux", error=True)
    session.result(session.call("Bash", {"command": "tool"}), "fine")
    session.write(home.transcripts)
    home.scan()
    assert _memory(home) == (True, "on; 1 failed call remembered; up to date, made at DAY.", "")
    monkeypatch.setenv("LESSONS_MEMORY", "error")
    assert _memory(home)[1].startswith("on, at errors only; 1 failed call remembered")
    monkeypatch.setenv("LESSONS_MEMORY", "false")
    assert _memory(home) == (True, "off. `lessons config set memory true` switches it on.", "")
    monkeypatch.delenv("LESSONS_MEMORY")

    written = index.read_bytes()
    index.write_bytes(written + b"\0")
    stale = "on; 1 failed call remembered; the index of DAY is older than the history."
    assert _memory(home) == (True, stale, "Run `lessons scan`.")
    index.write_bytes(b"?" + written)
    assert _memory(home) == (
        False,
        "memory-index is written by another version: nothing is recalled.",
        "Run `lessons scan --full`.",
    )
    home.scan()
    assert _memory(home) == (True, "on; 1 failed call remembered; up to date, made at DAY.", "")
