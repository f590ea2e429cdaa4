"""What a watcher does after reading: no other scan runs meanwhile."""

from pathlib import Path

from lessons.scan.discover import Root
from lessons.store import logs
from lessons.store.history.history import History
from lessons.watch.loop import Watcher
from lessons.watch.schedule import Limits
from tests.ledger.test_update import ALL, lived, told


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
