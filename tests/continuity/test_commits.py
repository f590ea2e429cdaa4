"""What counts as a commit of this session: everything a command made, nothing a pull, checkout or reset brought."""

import time
from datetime import datetime
from pathlib import Path

import pytest

from lessons.continuity.commits import Windows, new_commits, still_there
from lessons.project_state import Commit, CommitTracker, SessionState
from tests.builders.repository import PERSON, Repository
from tests.tables import table

LONG_AGO = "2001-01-01T00:00:00Z"
ALWAYS = [(0.0, 1e12)]
SESSION = SessionState(session_id="s-1", started_at=LONG_AGO, session=4)


class Look:
    """Looks at a repository again and again, as the hooks do, each time twice; what was there at first is known."""

    def __init__(self, root: str, session: SessionState = SESSION) -> None:
        self.root, self.session = root, session
        self.log: list[Commit] = []
        self.tracker = CommitTracker()
        self()

    def __call__(self, windows: Windows = ALWAYS, later: float = 0) -> list[Commit]:
        now = time.time() + later
        commits, self.tracker = new_commits(self.root, self.tracker, self.log, self.session, windows, now)
        self.log += commits
        again = new_commits(self.root, self.tracker, self.log, self.session, windows, now)
        assert again == ([], self.tracker), "a second look at the same must find nothing"
        return commits

    def kinds(self) -> list[tuple[str, str]]:
        return [(commit.kind, commit.message) for commit in self()]


@pytest.fixture
def look(repository: Repository) -> Look:
    repository.commit("first")
    return Look(repository.root)


def test_nothing_new(look: Look) -> None:
    assert look() == []


@table("inside", [False, True])
def test_no_repository(tmp_path: Path, inside: bool) -> None:
    """A bare one has no work in it, and a folder that is gone has nothing."""
    if inside:
        Repository(tmp_path, "--bare")
    tracker = CommitTracker(last_head="x")
    for root in (str(tmp_path), str(tmp_path / "gone")):
        assert new_commits(root, tracker, [], SESSION, ALWAYS, time.time()) == ([], tracker)


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
    repository.commit("mine too")
    repository.git("pull", "-q", "--rebase", theirs.root, "main")
    commits = look()
    assert [(commit.kind, commit.message) for commit in commits][:: len(commits) - 1] == [
        ("commit", "mine too"),
        ("rebase", "mine too"),
    ]


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
    assert [(one.message, one.session) for one in Look(repository.root, session).log] == [("new", 5)]


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
    look, now = Look(repository.root), time.time()
    theirs = repository.commit("theirs", GIT_COMMITTER_DATE=f"{now - 60:.0f} +0000")
    ours = repository.commit("ours", GIT_COMMITTER_DATE=f"{now - 30:.0f} +0000")
    assert [(one.hash, one.session) for one in look(windows=[(now - 31, now - 29)])] == [(ours, 4)]
    look.session = SessionState(session_id="s-2", started_at=LONG_AGO, session=5)
    assert [(one.hash, one.session) for one in look(windows=[(now - 61, now - 59)])] == [(theirs, 5)]
    assert look(windows=[], later=300) == []


def test_a_commit_from_before_the_session_is_not_its_own(repository: Repository, look: Look) -> None:
    look.session = SessionState(session_id="s", started_at="2040-01-01T00:00:00Z", session=9)
    repository.commit("a")
    assert [(one.message, one.session, one.session_id) for one in look()] == [("a", None, None)]


# Repositories of every kind, with any messages, names and trackers.


def test_worktrees_each_have_their_own(repository: Repository, look: Look, tmp_path: Path) -> None:
    beside = Repository(tmp_path / "beside", init=False)
    repository.git("worktree", "add", "-q", "-b", "beside", beside.root)
    there = Look(beside.root)
    beside.commit("b")
    repository.commit("m")
    assert [(one.message, one.branch) for one in there()] == [("b", "beside")]
    assert [(one.message, one.branch) for one in look()] == [("m", "main")]


def test_without_a_reflog_nothing_is_logged(repository: Repository) -> None:
    repository.git("config", "core.logAllRefUpdates", "false")
    repository.commit("first")
    assert Look(repository.root).log == []


def test_a_reflog_that_was_cleared_or_is_long(repository: Repository, look: Look) -> None:
    repository.git("reflog", "expire", "--expire=now", "--all")
    repository.commit("a")
    assert ("commit", "a") in look.kinds()
    for _ in range(130):
        repository.git("checkout", "-q", "--detach")
        repository.git("checkout", "-q", "main")
    repository.commit("b")
    assert look.kinds() == [("commit", "b")]


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("one\ntwo\n\nthe body", "one two"),
        ("日本 ünï 🦆", "日本 ünï 🦆"),
        ("red \x1b[31m bell \x07 \x01\x1e\x7f end", "red [31m bell end"),
        ("fast-forward", "fast-forward"),
        ("x: fast-forward", "x: fast-forward"),
        ("rebase (finish): no", "rebase (finish): no"),
        ("token ghp_" + "a1B2" * 9, "token [redacted:"),
        ("long " + "w " * 1000, "long w"),
    ],
)
def test_messages(repository: Repository, look: Look, message: str, kept: str) -> None:
    repository.commit(message, file="file")
    [commit] = look()
    assert commit.message.startswith(kept) and commit.kind == "commit"
    assert len(commit.message) <= 300 and commit.message.isprintable()


def test_no_message_and_no_file(repository: Repository, look: Look) -> None:
    repository.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
    repository.git("commit", "-q", "--allow-empty", "-m", "empty")
    assert [(one.message, one.files_changed, one.files_list) for one in look()] == [("", 0, []), ("empty", 0, [])]


def test_file_names(repository: Repository, look: Look) -> None:
    names = ["a\nb", 'quo"te', "日本.txt", "\nfirst", "0" * 40, "-rf", "tab\there", "back\\slash", " space "]
    for name in names:
        (repository.folder / name).write_text("x")
    (repository.folder.joinpath("~many")).mkdir()
    for number in range(40):
        (repository.folder / "~many" / f"{number:02}").write_text("x")
    repository.git("add", "--all")
    repository.git("commit", "-q", "-m", "names")
    repository.commit("next")
    many, following = look()
    assert (many.files_changed, len(many.files_list)) == (len(names) + 40, 30)
    assert set(names) - {"日本.txt"} <= set(many.files_list)  # which sorts last
    assert following.files_list == ["next"]


@pytest.mark.parametrize("head", ["--output=canary", "-p", "HEAD", "; touch canary", "0" * 40, "x" * 40])
def test_a_tracker_that_somebody_made_up(repository: Repository, look: Look, head: str) -> None:
    for mark in ("", "x", "99999999999999999999 y", f"1 {head} 0", "--all"):
        tracker = CommitTracker(last_head=head, last_entry=mark)
        new_commits(repository.root, tracker, look.log, SESSION, ALWAYS, time.time())
    assert sorted(path.name for path in repository.folder.iterdir()) == [".git", "first"]


# Amended, rebased, squashed, picked, reverted.


def test_what_was_replaced_is_gone_even_where_a_tag_still_has_it(repository: Repository, look: Look) -> None:
    repository.commit("a")
    repository.git("tag", "before")
    repository.git("commit", "-q", "--amend", "-m", "b")
    log = look()
    assert [each.message for each in still_there(repository.root, log, log)] == ["b"]


def test_amended_twice(repository: Repository, look: Look) -> None:
    heads = [repository.commit("a")]
    for message in ("b", "c"):
        repository.git("commit", "-q", "--amend", "-m", message)
        heads.append(repository.head())
    commits = look()
    assert [(one.hash, one.kind, one.replaces) for one in commits] == [
        (heads[0], "commit", None), (heads[1], "amend", heads[0]), (heads[2], "amend", heads[1])
    ]  # fmt: skip
    repository.git("commit", "-q", "--amend", "-m", "d")
    assert [(one.kind, one.replaces) for one in look()] == [("amend", heads[2])]


@pytest.fixture
def three(repository: Repository, look: Look) -> list[str]:
    """Three commits on a branch whose base has gone on; all are known."""
    repository.git("checkout", "-q", "-b", "topic")
    heads = [repository.commit(name) for name in "abc"]
    repository.git("checkout", "-q", "main")
    repository.commit("base")
    repository.git("checkout", "-q", "topic")
    look()
    return heads


def interactive(script: str, **editor: str) -> dict[str, str]:
    return {"GIT_SEQUENCE_EDITOR": f"sed -i -e {script!r}", **editor}


REWORD = interactive("2s/pick/reword/", GIT_EDITOR="sed -i -e 's/^b$/better/'")
REBASES: list[tuple[str, str, dict[str, str], str]] = [
    ("--merge", "main", {}, "a b c"),
    ("--apply", "main", {}, "a b c"),
    ("-i", "HEAD~3", REWORD, "better c"),
]


@pytest.mark.parametrize("row", REBASES, ids=str)
def test_what_a_rebase_made(
    repository: Repository, look: Look, three: list[str], row: tuple[str, str, dict[str, str], str]
) -> None:
    repository.git("rebase", "-q", *row[:2], **row[2])
    commits = look()
    assert {(each.kind, each.branch) for each in commits} == {("rebase", "topic")}
    assert [each.message for each in commits] == row[3].split()
    assert commits[-1].hash == repository.head()


def test_three_become_one(repository: Repository, look: Look, three: list[str]) -> None:
    repository.git("rebase", "-q", "-i", "HEAD~3", **interactive("2,3s/pick/squash/"))
    *_, commit = log = look()
    assert (commit.kind, commit.hash, sorted(commit.files_list)) == ("rebase", repository.head(), ["a", "b", "c"])
    assert still_there(repository.root, log, log) == [commit]


def test_a_rebase_that_stops_on_its_way(repository: Repository, look: Look, three: list[str]) -> None:
    repository.git("rebase", "-q", "-i", "main", **interactive("2s/pick/edit/"))
    assert [(one.message, one.branch) for one in look()] == [("a", "topic"), ("b", "topic")]
    repository.git("rebase", "--continue")
    assert [(one.message, one.kind) for one in look()] == [("c", "rebase")]


def test_merge_pick_and_revert(repository: Repository, look: Look, three: list[str]) -> None:
    repository.git("checkout", "-q", "main")
    repository.git("cherry-pick", three[0])
    repository.git("revert", "--no-edit", "HEAD")
    repository.git("merge", "-q", "--no-ff", "-m", "together", "topic")
    commits = look()
    assert [(one.kind, one.message) for one in commits] == [
        ("cherry-pick", "a"), ("revert", 'Revert "a"'), ("merge", "together")
    ]  # fmt: skip
    assert sorted(commits[-1].files_list) == ["a", "b", "c"]  # against the branch it was made on


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()
