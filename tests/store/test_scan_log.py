"""The log of background scans: one line each, never too long, never in the way."""

from pathlib import Path

from lessons.store import scan_log
from tests.tables import table


def test_it_never_raises_and_reads_nothing_from_nothing(tmp_path: Path) -> None:
    assert scan_log.read(str(tmp_path / "nowhere")) == []
    (tmp_path / "file").touch()
    scan_log.record(str(tmp_path / "file"), "there is no folder")
    (tmp_path / "scan.log").mkdir()
    scan_log.record(str(tmp_path), "there is a folder")
    assert scan_log.read(str(tmp_path)) == []


@table("what", ["two\nlines", "  spaced \t out ", "a lone \udcff surrogate", "x" * 100_000, ""])
def test_each_is_one_line(tmp_path: Path, what: str) -> None:
    home = str(tmp_path / "home")
    scan_log.record(home, what)
    scan_log.record(home, "last")
    lines = scan_log.read(home)
    assert len(lines) == 2
    assert len(lines[0]) < 2100
    assert lines[1][20:] == " last"
    assert lines[1][:20] >= "2026-01-01T00:00:00Z"


def test_it_does_not_grow_for_ever(tmp_path: Path) -> None:
    for number in range(800):
        scan_log.record(str(tmp_path), f"{number} " + "x" * 1000)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sizes.keys() == {"scan.log", "scan.log.1"}
    assert max(sizes.values()) < 260 * 1024
    assert scan_log.read(str(tmp_path))[-1].split()[1] == "799"
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
