"""The list of settings files that ask the resident server: added, removed, and harmless if damaged."""

from pathlib import Path

from lessons import paths
from lessons.agents.claude_code.server import settings_files
from tests.tables import table


@table("content", [None, "", "{", "[]", '{"files": 3}', '{"files": {"a": 1}}', "\ud800", "[" * 100_000])
def test_what_cannot_be_read_counts_as_empty(tmp_path: Path, content: str | None) -> None:
    file = Path(paths.warm_settings_file(str(tmp_path)))
    if content is not None:
        file.write_bytes(content.encode("utf-8", "surrogatepass"))
    assert settings_files.read(str(tmp_path)) == []
    settings_files.add(str(tmp_path), ["/a"])
    assert settings_files.read(str(tmp_path)) == ["/a"]


def test_nothing_to_note_leaves_no_file(tmp_path: Path) -> None:
    settings_files.add(str(tmp_path), [])
    settings_files.remove(str(tmp_path), [])
    assert list(tmp_path.iterdir()) == []


def test_added_once_and_removed(tmp_path: Path) -> None:
    home = str(tmp_path)
    settings_files.add(home, ["/b", "/a", "/b"])
    settings_files.add(home, ["/a", "/日本"])
    assert settings_files.read(home) == ["/a", "/b", "/日本"]
    settings_files.remove(home, ["/a", "/unknown"])
    assert settings_files.read(home) == ["/b", "/日本"]
