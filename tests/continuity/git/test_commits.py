"""What counts as a commit of this session: everything a command made, nothing a pull, checkout or reset brought."""

import time
from datetime import datetime
from pathlib import Path

import pytest

from lessons.continuity.git.commits import new_commits
from lessons.session import CommitTracker, SessionState
from tests.builders.repository import PERSON, Repository
from tests.continuity.looking import ALWAYS, LONG_AGO, SESSION, Look
from tests.tables import table


def test_nothing_new(look: Look) -> None:
    assert look() == []


@table("inside", [False, True])
def test_no_repository(tmp_path: Path, inside: bool) -> None:
    """A bare one has no work in it, and a folder that is gone has nothing."""
    if inside:
        Repository(tmp_path, "--bare")
    tracker = CommitTracker(last_head="x")
    for root in (str(tmp_path), str(tmp_path / "gone")):
        assert new_commits(root, tracker, LONG_AGO, SESSION, ALWAYS) == ([], tracker)


def test_a_repository_without_a_commit_and_its_first_one(repository: Repository) -> None:
    look = Look(repository.root)
    assert look() == []
    head = repository.commit("first")
    [commit] = look()
    assert (commit.kind, commit.hash, commit.files_list) == ("commit", head, ["first"])


def test_what_others_made_is_not_ours(repository: Repository, look: Look, tmp_path: Path) -> None:
    theirs = Repository(tmp_path / "theirs", init=False)
    theirs.git("clone", "-q", repository.root, ".")
    theirs.commit("a")
    theirs.commit("b")
    repository.git("pull", "-q", theirs.root, "main")
    assert look() == []
    theirs.git("checkout", "-q", "-b", "request", "HEAD~1")
    theirs.commit("c")
    theirs.git("checkout", "-q", "main")
    theirs.git("merge", "-q", "--no-ff", "-m", "their merge", "request")
    repository.git("pull", "-q", "--ff-only", theirs.root, "main")
    assert look() == []
    theirs.commit("d")
    repository.commit("mine")
    repository.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, "main")
    assert [(kind, message.partition(" of ")[0]) for kind, message in look.kinds()] == [
        ("commit", "mine"),
        ("merge", "Merge branch 'main'"),
    ]
    theirs.commit("e")
    mine = repository.commit("mine too")
    repository.git("pull", "-q", "--rebase", theirs.root, "main")
    commits = look()
    assert [(commit.kind, commit.message) for commit in commits][:: len(commits) - 1] == [
        ("commit", "mine too"),
        ("rebase", "mine too"),
    ]
    assert commits[-1].replaces == mine


def test_checkout_reset_and_fast_forward_make_nothing(repository: Repository, look: Look) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit("a")
    repository.commit("b")
    assert len(look()) == 2
    repository.git("checkout", "-q", "main")
    repository.git("checkout", "-q", "topic")
    repository.git("reset", "-q", "--hard", "HEAD~1")
    repository.git("reset", "-q", "--hard", "ORIG_HEAD")
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "topic")
    repository.git("checkout", "-q", "--detach", "HEAD~1")
    repository.git("cherry-pick", "--ff", "topic")
    repository.git("stash", "list")
    assert look() == []


def test_every_commit_of_one_command(repository: Repository, look: Look) -> None:
    heads = [repository.commit(name) for name in "abc"]
    commits = look()
    assert [commit.hash for commit in commits] == heads
    first = commits[0]
    assert (first.short_hash, first.message, first.author, first.branch) == (heads[0][:7], "a", PERSON, "main")
    assert (first.files_changed, first.files_list, first.kind, first.replaces) == (1, ["a"], "commit", None)
    assert (first.session, first.session_id) == (4, "s-1")
    assert first.timestamp.endswith("Z") and abs(time.time() - _seconds(first.timestamp)) < 60
    assert abs(_seconds(first.author_date) - _seconds(first.timestamp)) < 5


def test_each_on_the_branch_it_was_made_on(repository: Repository, look: Look) -> None:
    repository.commit("a")
    repository.git("checkout", "-q", "-b", "topic/one")
    repository.commit("b")
    repository.git("checkout", "-q", "--detach")
    repository.commit("c")
    repository.git("checkout", "-q", "main")
    repository.commit("d")
    assert [(commit.message, commit.branch) for commit in look()] == [
        ("a", "main"), ("b", "topic/one"), ("c", "HEAD"), ("d", "main")
    ]  # fmt: skip


def test_there_and_back_within_a_second(repository: Repository) -> None:
    """The last entry then is the same as before in every part."""
    moment = {"GIT_COMMITTER_DATE": "1790000000 +0000"}
    repository.commit("first", **moment)
    repository.git("branch", "topic")
    look = Look(repository.root)
    for name in ("a", "b"):
        repository.git("checkout", "-q", "topic", **moment)
        repository.commit(name, **moment)
        repository.git("checkout", "-q", "main", **moment)
        assert [commit.message for commit in look()] == [name]


def test_a_merge_with_a_conflict(repository: Repository, look: Look) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit("theirs", file="same")
    repository.git("checkout", "-q", "main")
    repository.commit("ours", file="same")
    look()
    with pytest.raises(AssertionError, match="merge"):
        repository.git("merge", "topic")
    (repository.folder / "same").write_text("both")
    repository.git("commit", "-q", "-a", "-m", "resolved")
    assert look.kinds() == [("merge", "resolved")]


def test_first_look_takes_only_what_is_younger_than_the_session(repository: Repository) -> None:
    repository.commit("old", GIT_COMMITTER_DATE="1790000000 +0000")
    repository.commit("new", GIT_COMMITTER_DATE="1790000500 +0000")
    since = "2026-09-21T14:15:00.250Z"
    session = SessionState(session_id="s-2", started_at=since, session=5)
    commits, _ = new_commits(repository.root, CommitTracker(), since, session, ALWAYS)
    assert [(one.message, one.session) for one in commits] == [("new", 5)]


def test_whose_commit_it_is(repository: Repository, look: Look) -> None:
    """A session that made no such call does not claim it, and leaves a young one to whoever is making it."""
    repository.commit("a")
    assert look(windows=[]) == []
    assert [(one.message, one.session) for one in look(windows=ALWAYS)] == [("a", 4)]
    repository.commit("b")
    assert look(windows=[]) == []
    assert [(one.message, one.session) for one in look(windows=[], later=300)] == [("b", None)]


MOMENT = 1_790_000_000


@pytest.mark.parametrize(
    ("window", "is_ours"),
    [
        ((-60, -3), False),
        ((3, 60), False),
        ((-60, -2), True),
        ((2, 60), True),
        ((-1, 1), True),
        ((0, 0), True),
    ],
)
def test_a_commit_is_ours_where_one_of_our_calls_ran(
    repository: Repository, look: Look, window: tuple[int, int], is_ours: bool
) -> None:
    repository.commit("a", GIT_COMMITTER_DATE=f"{MOMENT} +0000")
    windows = [(1.0, 2.0), (MOMENT + window[0], MOMENT + window[1])]
    assert [one.session for one in look(windows=windows)] == [4 if is_ours else None]


def test_anothers_young_commit_is_left_to_it_and_ours_after_it_is_not_held_up(repository: Repository) -> None:
    tracker = Look(repository.root).tracker
    now = time.time()
    theirs = repository.commit("theirs", GIT_COMMITTER_DATE=f"{now - 60:.0f} +0000")
    ours = repository.commit("ours", GIT_COMMITTER_DATE=f"{now - 30:.0f} +0000")
    for _ in range(2):
        commits, tracker = new_commits(repository.root, tracker, LONG_AGO, SESSION, [(now - 31, now - 29)], now)
        assert [(one.hash, one.session) for one in commits] == [(ours, 4)]
    other = SessionState(session_id="s-2", started_at=LONG_AGO, session=5)
    commits, tracker = new_commits(repository.root, tracker, LONG_AGO, other, [(now - 61, now - 59)], now)
    assert [(one.hash, one.session) for one in commits] == [(theirs, 5)]
    commits, _ = new_commits(repository.root, tracker, LONG_AGO, other, [], now + 300)
    assert [(one.hash, one.session) for one in commits] == [(ours, None)], "which the log has already"


def test_young_commits_of_others_at_the_very_first_look(repository: Repository) -> None:
    repository.commit("a")
    look = Look(repository.root)
    look.tracker = CommitTracker()
    assert look(windows=[]) == []
    assert [one.message for one in look(windows=[], later=300, since="2040-01-01T00:00:00Z")] == ["a"]


def test_a_commit_from_before_the_session_is_not_its_own(repository: Repository, look: Look) -> None:
    look.session = SessionState(session_id="s", started_at="2040-01-01T00:00:00Z", session=9)
    repository.commit("a")
    assert [(one.message, one.session, one.session_id) for one in look()] == [("a", None, None)]


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()
