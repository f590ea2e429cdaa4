"""Folders in, every transcript below them once out, and nothing else."""

import os
from pathlib import Path

import msgspec
import pytest

from lessons.scan.discover import Found, Root, transcripts
from lessons.scan.run import Options, run
from tests.builders.transcript import Session


def found(*folders: Path) -> list[str]:
    files = [file.path for file in transcripts([Root(str(folder), ("claude-code",)) for folder in folders]).others]
    assert len(files) == len(set(files))
    return sorted(files)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A session with a subagent, one in a workflow, and the dumps that are no conversation."""
    session = Session()
    session.prompt("go")
    session.subagent("a1").prompt("a part")
    session.subagent("a2", workflow="w1").prompt("a part")
    session.write(tmp_path / "projects")
    return (tmp_path / "projects").resolve()


def test_conversations_are_found_and_dumps_are_not(root: Path) -> None:
    names = [os.path.basename(path) for path in found(root)]
    assert names == sorted([f"{Session().id}.jsonl", "agent-a1.jsonl", "agent-a2.jsonl"])


@pytest.mark.parametrize("name", ["s1.json", "s1.jsonl.bak", "s1.JSONL~", "jsonl", "tool-results/deeper/b1.jsonl"])
def test_other_names_are_no_conversations(root: Path, name: str) -> None:
    before = found(root)
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text("{}\n")
    assert found(root) == before


def test_what_is_as_it_was_is_only_counted(root: Path) -> None:
    first = transcripts([Root(str(root), ("claude-code",))])
    known = {msgspec.structs.astuple(file.state) for file in first.others if file.state}
    assert transcripts([Root(str(root), ("claude-code",))], known) == Found(3, 3, [])
    Path(first.others[0].path).write_text("{}\n")
    again = transcripts([Root(str(root), ("claude-code",))], known)
    assert (again.files, again.unchanged, [file.path for file in again.others]) == (3, 2, [first.others[0].path])


def test_overlapping_folders_give_every_file_once(root: Path) -> None:
    inner = next(root.iterdir())
    link = root.parent / "link"
    link.symlink_to(root)
    assert found(root, inner, root, link, root / "..", inner / ".") == found(root)


def test_links_in_circles_end(root: Path) -> None:
    before = found(root)
    inner = next(root.iterdir())
    (inner / "up").symlink_to(root)
    (inner / "self").symlink_to(inner)
    (inner / "self.jsonl").symlink_to(inner / "self.jsonl")
    files = {file.path: file.state for file in transcripts([Root(str(root), ("claude-code",))]).others}
    assert sorted(files) == sorted([*before, str(inner / "self.jsonl")])
    assert files[str(inner / "self.jsonl")] is None


def test_what_is_no_file_is_none(root: Path) -> None:
    before = found(root)
    folder = root / "folder.jsonl"
    folder.mkdir()
    (root / "link.jsonl").symlink_to(folder)
    os.mkfifo(root / "pipe.jsonl")
    assert found(root) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="everything is readable for this user")
def test_a_folder_that_cannot_be_opened_is_told(root: Path) -> None:
    closed = root / "closed"
    closed.mkdir(mode=0)
    states = {file.path: file.state for file in transcripts([Root(str(root), ("claude-code",))]).others}
    closed.chmod(0o700)
    assert states[str(closed)] is None
    assert len(states) == 4


def test_a_name_that_is_no_text_is_read(root: Path, tmp_path: Path) -> None:
    try:
        os.rename(root, os.fsencode(tmp_path) + b"/caf\xe9")
    except OSError:
        pytest.skip("this file system takes no such name")
    home, folder = str(tmp_path / "home"), os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9")
    first = run(home, Options([folder], agents=("claude-code",))).coverage
    assert (first.files.unreadable, first.files.read, first.problems) == (0, 3, [])
    again = run(home, Options([folder], agents=("claude-code",))).coverage
    assert (again.files.read, again.files.unchanged) == (0, 3)
