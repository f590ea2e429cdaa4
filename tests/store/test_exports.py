"""The file of the candidates: written whole, for its owner alone, and only when something changed."""

import json
import stat
from pathlib import Path

from lessons import paths
from lessons.scan.run import Options, run
from lessons.store import exports
from lessons.store.history import database
from lessons.store.history.history import History
from tests.builders.transcript import Session

RECORD: dict[str, object] = {"index": 1, "problem": "写 \x1b[2J", "confidence": 0.5, "projects": ["shop"]}


def test_what_did_not_change_is_not_written_again(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert exports.write_candidates(home, [RECORD], now=0)
    before = Path(paths.candidates_file(home)).read_bytes()
    assert not exports.write_candidates(home, [dict(RECORD)], now=99)
    assert Path(paths.candidates_file(home)).read_bytes() == before
    assert exports.write_candidates(home, [], now=99)


def test_the_document(tmp_path: Path) -> None:
    exports.write_candidates(str(tmp_path), [RECORD], now=0)
    file = tmp_path / "cross-project-candidates.json"
    assert json.loads(file.read_text()) == {"generatedAt": "1970-01-01T00:00:00Z", "candidates": [RECORD]}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def talk(name: str) -> Session:
    session = Session(name)
    session.prompt("open the shop")
    session.result(session.call("Bash", {"command": "make"}), "done")
    return session


def calls(home: Path) -> int:
    with database.for_reading(str(home)) as connection:
        return int(connection.execute("SELECT count(*) FROM calls").fetchone()[0])


def test_a_hand_written_offset_is_never_trusted(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "projects"
    path = talk("s1").write(root)
    home.mkdir()
    plain = {"files": {str(path): path.stat().st_size}, "lastFullScanAt": "2026-01-01T00:00:00Z"}
    (home / "scan-state.json").write_text(json.dumps(plain), encoding="utf-8")
    coverage = run(str(home), Options([str(root)])).coverage
    assert (coverage.files.read, coverage.bytes, calls(home)) == (1, path.stat().st_size, 1)


def test_it_has_the_shape_that_others_read(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "projects"
    session = talk("s1")
    session.compact()
    session.prompt("go on")
    path = session.write(root)
    run(str(home), Options([str(root)], full=True))
    state = json.loads((home / "scan-state.json").read_text(encoding="utf-8"))
    assert state["files"] == {str(path): path.stat().st_size}
    assert state["segments"] == {str(path): [f"f-{session.id}.0", f"f-{session.id}.1"]}
    assert state["lastFullScanAt"] == state["lastScanAt"] >= "2026-01-01T00:00:00Z"
    assert (home / "scan-state.json").stat().st_mode & 0o777 == 0o600


def test_the_first_scan_reads_everything_and_says_so(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "projects"

    def last_full_scan() -> str:
        run(str(home), Options([str(root)]))
        return str(json.loads((home / "scan-state.json").read_text(encoding="utf-8"))["lastFullScanAt"])

    root.mkdir()
    assert last_full_scan() == ""  # there was nothing to read
    talk("s1").write(root)
    first = last_full_scan()
    assert first >= "2026-01-01T00:00:00Z"
    with History.opened(str(home)) as history:
        history.put_fact("lastFullScanAt", "2026-01-02T00:00:00Z")
    talk("s2").write(root)
    assert last_full_scan() == "2026-01-02T00:00:00Z"


def test_an_offset_stands_before_a_line_that_is_not_finished(tmp_path: Path) -> None:
    home, root = tmp_path / "home", tmp_path / "projects"
    path = talk("s1").write(root)
    whole = path.stat().st_size
    with path.open("ab") as file:
        file.write(b'{"type":"user","uuid":"half')
    run(str(home), Options([str(root)]))
    state = json.loads((home / "scan-state.json").read_text(encoding="utf-8"))
    assert state["files"] == {str(path): whole}
