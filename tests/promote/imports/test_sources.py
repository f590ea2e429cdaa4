"""What is found in a file or a folder, and by which format it is read."""

from pathlib import Path

import pytest

from lessons.errors import NotFound, Refused
from lessons.promote.imports import sources
from tests.builders.learned import manifest
from tests.conftest import SetVariable

RULE = "---\nname: r\nevent: bash\npattern: rm -rf\n---\nRemoving a tree cannot be undone. Look at it before you do.\n"


def found(place: Path, format_: str | None = None) -> list[tuple[str, str, int]]:
    read = sources.read(str(place), format_)
    return [(Path(each.path).name, each.project, len(each.drafts)) for each in read]


def test_nothing_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    for place in ("nowhere", ""):
        with pytest.raises(NotFound):
            sources.read(str(tmp_path / place))
    with pytest.raises(NotFound, match="for the format hookify"):
        sources.read(str(tmp_path), "hookify")
    with pytest.raises(Refused, match="add --format"):
        sources.read(str(tmp_path / "notes.txt"))


def test_the_name_of_a_file_decides(tmp_path: Path) -> None:
    (tmp_path / "hookify.r.local.md").write_text(RULE)
    manifest(tmp_path / "m.json")
    for name, number in (("hookify.r.local.md", 1), ("m.json", 8)):
        assert [entry[2] for entry in found(tmp_path / name)] == [number]
    (tmp_path / "AGENTS.md").write_text("- Use pnpm.")
    with pytest.raises(Refused, match="`lessons rules"):
        sources.read(str(tmp_path / "AGENTS.md"))


def test_all_of_a_folder_and_of_the_same_lessons_the_fullest_form(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "hookify.r.local.md").write_text(RULE)
    (tmp_path / "data").mkdir()
    manifest(tmp_path / "data" / "lesson-manifest.json")
    manifest(tmp_path / "data" / "lessons.json")
    assert found(tmp_path) == [("lessons.json", "", 8), ("hookify.r.local.md", str(tmp_path), 1)]


def test_rules_of_a_person_are_for_every_project(tmp_path: Path, variable: SetVariable) -> None:
    variable("HOME", str(tmp_path))
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "hookify.r.local.md").write_text(RULE)
    assert found(tmp_path / ".claude") == [("hookify.r.local.md", "", 1)]
