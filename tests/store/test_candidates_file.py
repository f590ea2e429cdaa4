"""The file of the candidates: written whole, for its owner alone, and only when something changed."""

import json
import stat
from pathlib import Path

from lessons import paths
from lessons.store import candidates_file
from tests.tables import table

RECORD: dict[str, object] = {"index": 1, "problem": "写 \x1b[2J", "confidence": 0.5, "projects": ["shop"]}


def test_what_did_not_change_is_not_written_again(tmp_path: Path) -> None:
    home = str(tmp_path)
    assert candidates_file.write(home, [RECORD], now=0)
    before = Path(paths.candidates_file(home)).read_bytes()
    assert not candidates_file.write(home, [dict(RECORD)], now=99)
    assert Path(paths.candidates_file(home)).read_bytes() == before
    assert candidates_file.write(home, [], now=99)


def test_the_document(tmp_path: Path) -> None:
    candidates_file.write(str(tmp_path), [RECORD], now=0)
    file = tmp_path / "cross-project-candidates.json"
    assert json.loads(file.read_text()) == {"generatedAt": "1970-01-01T00:00:00Z", "candidates": [RECORD]}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@table("damage", [b"", b"{", b"[]", b'{"candidates": 7}', b"\xff\xfe", b'{"candidates": []}'])
def test_whatever_stands_there_is_replaced(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "cross-project-candidates.json"
    file.write_bytes(damage)
    assert candidates_file.write(str(tmp_path), [RECORD])
    assert json.loads(file.read_text())["candidates"] == [RECORD]


def test_removed(tmp_path: Path) -> None:
    candidates_file.remove(str(tmp_path))
    candidates_file.write(str(tmp_path), [RECORD])
    candidates_file.remove(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
