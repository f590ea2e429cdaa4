"""The folder of a call in, its project out: the root of the repository, one name for all of its folders."""

import ntpath
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.scan import project as module
from lessons.scan.project import Projects
from tests.tables import table


def project(cwd: Path | str, first_cwd: Path | str = "") -> str:
    return Projects().project_of(str(cwd), str(first_cwd))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    (root / "src" / "till").mkdir(parents=True)
    git(root, "init", "-q")
    git(root, "-c", "user.name=n", "-c", "user.email=e@e", "commit", "-q", "--allow-empty", "-m", "first")
    return root


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


def test_outside_of_a_repository_it_is_the_folder_itself(tmp_path: Path) -> None:
    assert project(tmp_path) == str(tmp_path)
    assert project(tmp_path / "gone") == str(tmp_path / "gone")


def test_a_relative_folder_is_never_looked_up_here(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    assert project("src") == "src"
    assert project(".") == "."


@pytest.mark.parametrize(
    "inside", [".", "src", "src/till", "src/", "src/../src", "src/till/gone/deeper", ".git", "x/.git"]
)
def test_every_folder_of_a_repository(repository: Path, inside: str) -> None:
    assert project(f"{repository}/{inside}") == str(repository)


def test_a_repository_in_a_repository_is_its_own(repository: Path) -> None:
    inner = repository / "src" / "till"
    git(inner, "init", "-q")
    assert project(inner) == str(inner)
    assert project(inner / "gone") == str(inner)
    assert project(repository / "src") == str(repository)


def test_a_linked_work_tree_belongs_to_its_repository(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    git(repository, "worktree", "add", "-q", str(repository / ".trees" / "inner"), "-b", "inner")
    (tmp_path / "other" / "src").mkdir()
    assert project(tmp_path / "other" / "src") == str(repository)
    assert project(repository / ".trees" / "inner") == str(repository)


@table("mark", ["", "gitdir:", "gitdir: ../shop/.git/modules/x", "gitdir: /srv/bare/worktrees/x", "\xff"])
def test_a_mark_that_leads_to_no_main_tree(tmp_path: Path, mark: str) -> None:
    (tmp_path / ".git").write_bytes(mark.encode("latin-1"))
    assert project(tmp_path) == str(tmp_path)


def test_a_folder_that_is_gone_belongs_to_where_the_session_began(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    assert project(gone / "src", gone) == str(gone)
    assert project(f"{gone}/src", f"{gone}/") == str(gone)
    assert project(tmp_path / "gone-too", gone) == str(tmp_path / "gone-too")
    assert project(tmp_path, gone) == str(tmp_path)


def test_where_the_session_began_does_not_hide_another_repository(repository: Path, tmp_path: Path) -> None:
    assert project(repository / "src", tmp_path) == str(repository)
    assert project(tmp_path / "gone", repository) == str(tmp_path / "gone")


@given(st.text(st.sampled_from("a./~\\\0 é"), max_size=12), st.text(st.sampled_from("a./"), max_size=8))
def test_no_folder_raises(cwd: str, first_cwd: str) -> None:
    project(cwd, first_cwd)


@table("cwd", ["c:\\Users\\x\\shop", "C:/Users/x/shop/", "C:\\Users\\x\\.\\shop", "c:/Users/x/y/../shop"])
def test_a_folder_of_windows_has_one_name_wherever_it_is_read(cwd: str) -> None:
    assert project(cwd) == "C:\\Users\\x\\shop"
    assert project(cwd + "\\src", cwd) == "C:\\Users\\x\\shop"
    assert project("C:\\Users\\x\\shopping", cwd) == "C:\\Users\\x\\shopping"


@pytest.fixture
def windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The rules of Windows for paths; its files lie here, where a name with a drive is one of this folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "os", SimpleNamespace(path=ntpath))
    return tmp_path


def test_a_repository_on_windows(windows: Path) -> None:
    (windows / "C:\\shop\\.git").mkdir()
    for cwd in ("C:\\shop", "c:\\shop\\src\\till", "C:/shop/src"):
        assert project(cwd) == "C:\\shop"
    assert project("C:\\shopping") == "C:\\shopping"


def test_a_linked_work_tree_on_windows(windows: Path) -> None:
    (windows / "C:\\other\\.git").write_text("gitdir: C:/shop/.git/worktrees/other\r\n")
    assert project("C:\\other\\src") == "C:\\shop"
