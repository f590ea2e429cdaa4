"""The folder `.lessons` of a project that nobody can be sure of: what is read of it, and what is not."""

import hashlib
import os
from pathlib import Path

import pytest

from lessons.errors import NotFound, Refused
from lessons.store.project_folder import LARGEST_FILE, MOST_FILES, read, root_above


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".lessons").mkdir()
    return tmp_path / ".lessons"


def problem_of(folder: Path) -> str:
    [file] = read(str(folder.parent))
    assert (file.digest, file.content) == ("", b"")
    return file.problem


def test_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("{}")
    (folder / "a.json").symlink_to(tmp_path / "secret")
    assert problem_of(folder) == "it is a link, and only plain files are read: put a plain file there."


def test_a_folder_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.json").write_text("{}")
    (tmp_path / ".lessons").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="is not a plain folder"):
        read(str(tmp_path))


def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    os.mkfifo(folder / "a.json")
    assert problem_of(folder) == "it is not a regular file: put a plain file there."


def test_a_huge_file_is_not_read(folder: Path) -> None:
    (folder / "a.json").write_bytes(b" " * (LARGEST_FILE + 1))
    assert problem_of(folder) == "it is larger than 32 KB: one file is one lesson."


@pytest.mark.parametrize(
    "name", ["\x1b[31m.json", "a b.json", "-rf.json", ".hidden.json", "é.json", "a" * 200 + ".json"]
)
def test_an_odd_name_is_not_read(name: str, folder: Path) -> None:
    (folder / name).write_text("{}")
    assert "cannot be used: write it as SLUG.json." in problem_of(folder)
    assert "\x1b" not in problem_of(folder)


def test_of_thousands_of_files_none_is_read(folder: Path) -> None:
    for number in range(MOST_FILES + 1):
        (folder / f"l{number}.json").write_text("{}")
    with pytest.raises(Refused, match=f"holds {MOST_FILES + 1} files, and at most {MOST_FILES} are read"):
        read(str(folder.parent))


def test_plain_files_are_read_by_name(folder: Path) -> None:
    (folder / "b.json").write_bytes(b"{}\n")
    (folder / "a.json").write_bytes(b"\xff")
    (folder / "README.md").write_text("no lesson")
    files = read(str(folder.parent))
    assert [(file.name, file.content) for file in files] == [("a.json", b"\xff"), ("b.json", b"{}\n")]
    assert files[1].digest == "sha256:" + hashlib.sha256(b"{}\n").hexdigest()


def test_the_project_of_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="is not a folder"):
        root_above(str(tmp_path / "nowhere"))
    deep = tmp_path / "repo" / "src" / "deep"
    deep.mkdir(parents=True)
    assert root_above(str(deep)) == str(deep)
    (tmp_path / ".lessons").mkdir()
    (tmp_path / "repo" / ".git").mkdir()
    assert root_above(str(deep)) == str(tmp_path / "repo")
    (tmp_path / "repo" / "src" / ".lessons").mkdir()
    assert root_above(str(deep)) == str(tmp_path / "repo" / "src")
    (tmp_path / "link").symlink_to(deep)
    assert root_above(str(tmp_path / "link")) == str(tmp_path / "repo" / "src")
