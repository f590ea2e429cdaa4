"""One turn of the watcher at a time, with a settable clock."""

import os
import time
from pathlib import Path

import pytest

from lessons.errors import Refused
from lessons.hook import background
from lessons.scan.discover import Root, agents_of
from lessons.store import fired, logs, running
from lessons.store.history.history import History
from lessons.store.logs import analysed
from lessons.store.running import scanning
from lessons.watch.changes import Polling
from lessons.watch.loop import Watcher
from lessons.watch.tick import Limits, Stopped
from tests.builders.history import ScannedHome
from tests.prove.test_update import ALL, lived, told
from tests.tables import table


@pytest.fixture
def scanned(tmp_path: Path) -> ScannedHome:
    home = ScannedHome(tmp_path)
    home.session("s1")
    return home


def watcher(home: ScannedHome, clock: float = 0.0, limits: Limits | None = None) -> Watcher:
    roots = [Root(str(home.transcripts), ("claude-code",))]
    shift = clock and clock - time.time()
    return Watcher(home.path, lambda: roots, limits or Limits(), clock=lambda: time.time() + shift)


def problems(watching: Watcher) -> list[object]:
    events = logs.read_watch_log(watching.home)
    return [event["problem"] for event in events if event["event"] == "problem"]


def pending(home: ScannedHome) -> int:
    return len(home.rows("SELECT * FROM unmined"))


def test_a_session_is_mined_when_it_is_quiet_and_not_before(scanned: ScannedHome) -> None:
    watcher(scanned).once()
    assert scanned.commands() and pending(scanned) == 1
    watcher(scanned, time.time() + 121).once()
    assert pending(scanned) == 0
    assert scanned.rows("SELECT * FROM evidence")


def test_while_a_scan_is_at_work_the_watcher_waits_and_loses_nothing(scanned: ScannedHome) -> None:
    watching = watcher(scanned)
    watching.next_sweep = time.monotonic() + 1000
    paths = [str(path) for path in scanned.transcripts.rglob("*.jsonl")]
    watching._put(paths)
    with scanning(scanned.path):
        watching._turn()
    assert len(watching.queue) == len(paths)
    watching.not_before = 0
    watching._turn()
    assert len(watching.queue) == 0 and scanned.commands()


def test_a_session_that_has_just_become_quiet_is_not_slept_over(scanned: ScannedHome) -> None:
    watching = watcher(scanned)
    watching._turn()
    watching.next_beat = time.monotonic() + 60
    [name] = watching.result.last_writes
    watching.result.last_writes[name] = time.time() - watching.limits.quiet  # since the last turn
    assert watching._sleep() <= watching.limits.between_ticks


def test_a_failed_segment_is_read_again_when_it_is_due(scanned: ScannedHome) -> None:
    watching = watcher(scanned)
    watching._turn()
    with History.opened(scanned.path) as history:
        history._connection.execute("UPDATE progress SET state = 'failed', attempts = 1, retry_after = 1")
    watching.result.next_retry, watching.no_retry_before, watching.not_before = 1.0, 0.0, 0.0
    watching._turn()
    assert scanned.rows("SELECT * FROM progress WHERE state <> 'done'") == []


def test_a_look_at_all_files_reads_no_more_than_a_tick_may_the_newest_first(scanned: ScannedHome) -> None:
    newest = scanned.session("s2")
    for path in scanned.transcripts.rglob("*.jsonl"):
        moment = time.time() - (1 if path == newest else 60)
        os.utime(path, (moment, moment))
    watching = watcher(scanned, limits=Limits(files=1))
    watching._turn()
    assert [row[0] for row in scanned.rows("SELECT session_id FROM sessions")] == [newest.stem]
    while len(watching.queue):
        watching.not_before = 0.0
        watching._turn()
    assert len(scanned.rows("SELECT session_id FROM sessions")) == 2


def test_no_more_sessions_are_mined_in_a_tick_than_may_be(scanned: ScannedHome) -> None:
    scanned.session("s2")
    watching = watcher(scanned, time.time() + 121, Limits(sessions=1))
    watching._turn()
    assert pending(scanned) == 1
    watching.not_before = 0.0
    watching._turn()
    assert pending(scanned) == 0


def test_a_failed_segment_of_another_session_keeps_nobody_waiting(scanned: ScannedHome) -> None:
    quiet_one = scanned.session("s2")
    watching = watcher(scanned)
    watching._turn()
    with History.opened(scanned.path) as history:
        history._connection.execute(
            "UPDATE progress SET state = 'failed', attempts = 1, retry_after = ? WHERE segment_id NOT IN"
            " (SELECT g.id FROM segments g JOIN sources s ON s.id = g.source_id WHERE instr(s.path, ?))",
            (time.time() + 300, quiet_one.stem),
        )
    watching.clock = lambda: time.time() + 121
    watching.not_before = 0.0
    watching._turn()
    assert pending(scanned) == 1
    assert not watching._is_mining_due()  # the other one waits for its segment


def test_a_folder_that_is_gone_is_told_and_survived(scanned: ScannedHome) -> None:
    def gone() -> list[Root]:
        raise Refused("/gone is not a folder.")

    watching = watcher(scanned)
    changes = Polling(1, watching.stop)
    watching.find_roots = gone
    assert watching._take(changes, None) is changes
    assert watching._take(changes, None) is changes
    assert problems(watching) == ["/gone is not a folder."]  # once


def test_the_newest_file_is_read_first_and_each_once(scanned: ScannedHome) -> None:
    watching = watcher(scanned)
    watching._put(["a", "b", "c"])
    watching._put(["a"])
    assert [*watching.queue] == ["b", "c", "a"]


def test_sleep_is_bounded_on_both_sides(scanned: ScannedHome) -> None:
    watching, now = watcher(scanned), time.monotonic()
    assert watching._sleep() == 0.05  # a check of all files is due
    watching.next_sweep = watching.next_beat = now + 1e6
    assert watching._sleep() == watching.limits.sweep
    watching.result.last_writes["s"] = time.time() - 100
    assert 15 < watching._sleep() <= 20


def test_the_ledger_follows_a_watcher_too(tmp_path: Path) -> None:
    worked = lived(tmp_path)
    worked.write()
    worked.log()
    home, roots = str(worked.home), [Root(str(worked.projects), ("claude-code",))]

    Watcher(home, lambda: roots, Limits()).once()

    with History.for_reading(home) as history:
        assert sorted(told(history.ledger.opportunities())) == sorted(ALL)
    assert not (worked.home / "injections.jsonl").exists(), "the log of the hook is rotated"
    assert (worked.home / "scan-state.json").exists() and logs.read_faults(home) == []


def test_an_export_waits_and_is_made_once(scanned: ScannedHome) -> None:
    watching = watcher(scanned, time.time() + 121)
    watching._turn()
    watching._export_if_due()
    assert not (scanned.home / "scan-state.json").exists()
    watching.next_export = 0.0
    watching._export_if_due()
    assert (scanned.home / "scan-state.json").exists() and (scanned.home / "cross-project-candidates.json").exists()
    watching._export()
    assert [event["event"] for event in logs.read_watch_log(scanned.path)].count("exported") == 1


def test_an_export_that_meets_a_scan_waits(scanned: ScannedHome) -> None:
    watching = watcher(scanned)
    watching._turn()
    with scanning(scanned.path):
        watching._export()
    assert watching.next_export is not None
    assert problems(watching) == []
    watching._export()
    assert watching.next_export is None


def test_no_boundary_for_faults_holds_up_a_stop(scanned: ScannedHome) -> None:
    def work() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        analysed(scanned.path, "a call", work, lambda fault: None)


def test_a_bug_is_told_and_the_files_are_tried_again(scanned: ScannedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RuntimeError("quoted text")

    watching = watcher(scanned)
    with monkeypatch.context() as patched:
        patched.setattr("lessons.watch.loop.tick", broken)
        watching._turn()
    [sentence] = problems(watching)
    assert str(sentence).startswith("RuntimeError at test_loop.py")
    assert watching.status.problem == sentence and [*watching.queue]


@table(
    ("path", "agents"),
    [
        ("/r/a/s.jsonl", ("claude-code",)),
        ("/r/a/s.jsonl.tmp", ()),
        ("/r/a/tool-results/x.jsonl", ()),
        ("/elsewhere/s.jsonl", ()),
        ("/rr/s.jsonl", ()),
    ],
)
def test_whose_transcript_it_may_be(path: str, agents: tuple[str, ...]) -> None:
    assert agents_of(path, [Root("/r", ("claude-code",))]) == agents


def test_the_scan_of_a_session_start_stands_back_while_a_watcher_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[object] = []
    monkeypatch.setattr(background, "start", lambda *arguments, **named: started.append(arguments))
    home = str(tmp_path)
    running.write_status(home, running.WatchStatus(1, "2026-01-01T00:00:00Z"))
    background.scan_if_due(home, "python", {})
    assert started == [] and fired.last(home, "scan") is None
    beat = tmp_path / "fired" / "watch"
    os.utime(beat, (time.time() - 1000, time.time() - 1000))  # it was killed
    background.scan_if_due(home, "python", {})
    assert len(started) == 1
