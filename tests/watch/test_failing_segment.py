"""A failing segment backs off across restarts, is given up in the end, and does not affect others."""

from pathlib import Path
from typing import Any

import pytest

from lessons.doctor import checks
from lessons.mistakes import episodes
from lessons.scan import extract, mine, rows
from lessons.scan.discover import Root
from lessons.store.history import write
from lessons.store.history.sources import ATTEMPTS
from lessons.watch.loop import Watcher, status_of
from lessons.watch.tick import Limits, TickResult
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session

BAD = "boom-boom"
FLAG = "Exit code 1\nunknown flag: --stat"


@pytest.fixture
def scanned(tmp_path: Path) -> ScannedHome:
    """A file of three segments; the middle one has a call that is made to fail."""
    home = ScannedHome(tmp_path)
    session = Session("s1")
    for number, wrong in enumerate(("gh pr diff 1 --stat", f"{BAD} --stat", "gh pr diff 3 --stat")):
        if number:
            session.compact()
        failed = session.call("Bash", {"command": wrong})
        session.result(failed, FLAG, error=True)
        session.result(session.call("Bash", {"command": wrong.replace(" --stat", " --name-only")}), "a.py")
    session.write(home.transcripts)
    return home


class Clock:
    def __init__(self) -> None:
        self.now = 2_000_000_000.0

    def __call__(self) -> float:
        return self.now


def restarted(home: ScannedHome, clock: Clock) -> TickResult:
    """A new process each time."""
    roots = [Root(str(home.transcripts), ("claude-code",))]
    return Watcher(home.path, lambda: roots, Limits(), clock=clock).once()


def failing_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    original = rows.call_row

    def call_row(line: Any, event: Any, *rest: Any) -> Any:
        if BAD in str(event.arguments):
            raise RuntimeError(BAD)
        return original(line, event, *rest)

    monkeypatch.setattr(extract, "call_row", call_row)


def failing_store(monkeypatch: pytest.MonkeyPatch) -> None:
    original = write.write_calls

    def write_calls(connection: Any, source: Any, batch: Any) -> Any:
        if any(BAD in call.command for call in batch.calls):
            raise ValueError(BAD)
        return original(connection, source, batch)

    monkeypatch.setattr(write, "write_calls", write_calls)


def failing_mining(monkeypatch: pytest.MonkeyPatch) -> None:
    original = episodes.episode_at

    def episode(session_id: str, thread: Any, place: int, window: int) -> Any:
        if BAD in thread[place].command:
            raise RuntimeError(BAD)
        return original(session_id, thread, place, window)

    monkeypatch.setattr(mine, "episode_at", episode)


FAULTS = {"capture": failing_reader, "stored": failing_store, "mining": failing_mining}


def mistakes(home: ScannedHome) -> set[object]:
    rows = home.rows("SELECT c.command FROM evidence e JOIN calls c USING (tool_use_id)")
    return {row[0] for row in rows}


@pytest.mark.parametrize("name", FAULTS)
def test_it_backs_off_and_is_given_up_while_the_rest_of_its_file_is_mined(
    name: str, scanned: ScannedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        FAULTS[name](patched)
        clock = Clock()
        waits = []
        for attempt in range(1, ATTEMPTS + 1):
            restarted(scanned, clock)
            [row] = scanned.rows("SELECT state, attempts, retry_after FROM progress WHERE state <> 'done'")
            assert row[:2] == ("dead" if attempt == ATTEMPTS else "failed", attempt)
            assert {"gh pr diff 1 --stat", "gh pr diff 3 --stat"} <= scanned.commands()
            waits.append(float(str(row[2])) - clock.now)
            clock.now += waits[-1] / 2
            restarted(scanned, clock)  # before it is due: no attempt
            assert scanned.rows("SELECT attempts FROM progress WHERE state <> 'done'") == [(attempt,)]
            assert bool(mistakes(scanned)) is (name == "mining" or attempt == ATTEMPTS)
            clock.now += waits[-1] / 2
        assert all(0.9 * full <= wait <= full for wait, full in zip(waits, (300, 600, 1200, 1800, 1800), strict=True))
        clock.now += 1e6
        restarted(scanned, clock)
        assert mistakes(scanned) == {"gh pr diff 1 --stat", "gh pr diff 3 --stat"}
    assert [each["segment"] for each in status_of(scanned.path)["deadLetters"]] == [f"f-{Session('s1').id}.1"]  # type: ignore[attr-defined]
    [check] = [check for check in checks.history_checks(scanned.path) if check.name == "transcripts"]
    assert not check.ok and "1 segment failed after several attempts" in check.detail and "watch retry" in check.fix


@pytest.mark.parametrize("name", FAULTS)
def test_when_the_fault_is_gone_a_retry_leaves_what_a_scan_without_it_would(
    name: str, scanned: ScannedHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    with monkeypatch.context() as patched:
        FAULTS[name](patched)
        for _ in range(ATTEMPTS):
            restarted(scanned, clock)
            clock.now += 2000
    from lessons.store.history.history import History

    with History.opened(scanned.path) as history:
        assert history.progress.retry_all() == 1
    restarted(scanned, clock)
    assert f"{BAD} --stat" in mistakes(scanned)
    assert scanned.rows("SELECT * FROM progress WHERE state <> 'done' OR attempts > 0") == []
    assert status_of(scanned.path)["deadLetters"] == []
