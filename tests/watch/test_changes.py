"""How a watcher notices writes: by events, or by polling if there are none."""

import threading
from pathlib import Path

from lessons.scan.discover import Root
from lessons.watch.changes import Events, Polling, is_remote, wants_polling


def test_a_network_file_system_is_polled(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path}/far nfs4 rw 0 0\n", encoding="utf-8")
    for name in ("far/a", "near", "farther"):
        (tmp_path / name).mkdir(parents=True)
    assert is_remote(str(tmp_path / "far" / "a"), str(mounts))
    assert not is_remote(str(tmp_path / "near"), str(mounts))
    assert not is_remote(str(tmp_path / "farther"), str(mounts))
    assert not is_remote(str(tmp_path), str(tmp_path / "missing"))


def test_the_setting_decides() -> None:
    assert wants_polling("polling", [])
    assert not wants_polling("events", ["/"])
    assert not wants_polling("auto", [])


def test_polling_asks_to_look_at_everything_when_its_time_has_come() -> None:
    stop = threading.Event()
    assert Polling(0.01, stop).wait(10) is None
    assert Polling(10, stop).wait(0.01) == set()
    stop.set()
    assert Polling(1000, stop).wait(500) == set()  # at once


def test_events_name_the_transcripts_that_were_written(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    (root / "deep").mkdir()
    events = Events([Root(str(root), ("claude-code",))], threading.Event())
    try:
        for name in ("a.jsonl", "b.txt", "deep/c.jsonl"):
            (root / name).write_text("x", encoding="utf-8")
        found: set[str] = set()
        while len(found) < 2:
            found |= events.wait(20) or set()
        assert found == {str(root / "a.jsonl"), str(root / "deep/c.jsonl")}
    finally:
        events.close()
