"""Which settings ask the resident server: kept, forgotten, and never in anybody's way."""

from pathlib import Path

import pytest

from lessons import paths
from lessons.store import warm_settings


@pytest.mark.parametrize(
    "content", [None, "", "{", "[]", '{"files": 3}', '{"files": {"a": 1}}', "\ud800", "[" * 100_000]
)
def test_what_cannot_be_read_counts_as_empty(tmp_path: Path, content: str | None) -> None:
    file = Path(paths.warm_settings_file(str(tmp_path)))
    if content is not None:
        file.write_bytes(content.encode("utf-8", "surrogatepass"))
    assert warm_settings.read(str(tmp_path)) == []
    warm_settings.add(str(tmp_path), ["/a"])
    assert warm_settings.read(str(tmp_path)) == ["/a"]


def test_nothing_to_note_leaves_no_file(tmp_path: Path) -> None:
    warm_settings.add(str(tmp_path), [])
    warm_settings.remove(str(tmp_path), [])
    assert list(tmp_path.iterdir()) == []


def test_added_once_and_removed(tmp_path: Path) -> None:
    home = str(tmp_path)
    warm_settings.add(home, ["/b", "/a", "/b"])
    warm_settings.add(home, ["/a", "/日本"])
    assert warm_settings.read(home) == ["/a", "/b", "/日本"]
    warm_settings.remove(home, ["/a", "/unknown"])
    assert warm_settings.read(home) == ["/b", "/日本"]
