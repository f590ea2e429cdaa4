"""excludeProjects as the hook asks: what was published, the environment over it, work trees with their repository."""

from pathlib import Path

from lessons.store.state_paths import is_excluded, is_of_question, published_patterns, repository_of
from tests.conftest import SetVariable
from tests.tables import table


@table(
    ("folder", "is_ours"),
    [
        ("", False),
        ("/home/me/lessons-learn-python", False),
        ("/home/me/my-lessons-learn-a1b2c3d4.tmp", False),
        ("/tmp/lessons-learn-a1b2c3d4.tmp/inside", False),
        ("/tmp/lessons-learn-a1b2c3d4.tmp", True),
        ("C:\\Temp\\lessons-learn-a1b2c3d4.tmp", True),
    ],
)
def test_folders_in_which_an_agent_was_asked(folder: str, is_ours: bool) -> None:
    assert is_of_question(folder) == is_ours


@table(
    ("text", "patterns"),
    [
        ("", ["published"]),
        ("/a:~/b/", ["/a", "/home/me/b"]),
        ('["/a", "x y", 7, ""]', ["/a", "x y"]),
        ("[broken", ["[broken"]),
        ("~", ["/home/me"]),
        ("~other", ["~other"]),
    ],
)
def test_the_environment_of_the_agent_wins(text: str, patterns: list[str], variable: SetVariable) -> None:
    variable("HOME", "/home/me")
    variable("LESSONS_EXCLUDE_PROJECTS", text or None)
    assert published_patterns({"excludeProjects": ["published"]}) == patterns


def test_nothing_and_nowhere_are_not_excluded() -> None:
    assert not is_excluded([], "/home/me/hush")
    assert not is_excluded(["/home/me/hush"], "")


def test_a_work_tree_belongs_to_its_repository(tmp_path: Path) -> None:
    main, tree, module = tmp_path / "main", tmp_path / "tree", tmp_path / "main" / "module"
    relative = tmp_path / "of" / "relative"  # of a repository with worktree.useRelativePaths
    (main / ".git" / "worktrees" / "tree").mkdir(parents=True)
    for folder, where in (
        (tree, f"{main}/.git/worktrees/tree"),
        (relative, "../../main/.git/worktrees/relative"),
        (module, "../.git/modules/module"),
    ):
        (folder / "deep").mkdir(parents=True)
        (folder / ".git").write_text(f"gitdir: {where}\n")
    assert repository_of(f"{main}/a/b") == str(main)
    assert repository_of(f"{tree}/deep") == str(main)
    assert repository_of(f"{module}/deep") == str(module)
    assert repository_of("/nowhere/at/all") == "/nowhere/at/all"
    assert is_excluded([str(main)], f"{tree}/deep")
    assert repository_of(f"{relative}/deep") == str(main)
    assert is_excluded([str(main)], f"{relative}/deep")
