"""Commands: which count, in which order, what is reported of a failure, and which may have made a commit."""

from lessons.agents.outcomes import Outcome, Verdict
from lessons.continuity.derive.commands import Ran, after, command_of, may_commit, telling_lines
from lessons.session import RanCommand
from tests.tables import table

NONE = Ran([], [])


@table("outcome", ["refused", "cancelled", "interrupted", "unknown"])
def test_what_did_not_end_by_itself_neither_worked_nor_failed(outcome: Outcome) -> None:
    assert after(NONE, "make", Verdict(outcome, None), "", "") == NONE


def test_a_command_with_its_exit_code_stands_once_where_it_ended_last() -> None:
    ran = after(NONE, "make", Verdict("failed", 2), "Exit code 2\nmake: *** error", "t1")
    assert ran.failed == [RanCommand(command="make", exit_code=2, error="make: *** error", time="t1")]
    ran = after(ran, "ls", Verdict("ok", 0), "a b", "t2")
    ran = after(ran, "make", Verdict("ok", 0), "", "t3")
    assert [each.command for each in ran.worked] == ["ls", "make"]
    assert ran.failed == []
    ran = after(ran, "ls", Verdict("failed", None), "gone", "t4")
    assert ran == Ran([RanCommand(command="make", exit_code=0, time="t3")], [_failed("ls", "gone", "t4")])


@table("line", ["make | tail -3", "make 2>&1 | tee log", "make || true", "make; true", "make &", "make\necho done"])
def test_a_line_that_hides_how_it_ended_tells_no_exit_code(line: str) -> None:
    assert after(NONE, line, Verdict("ok", 0), "all is well", "t") == Ran([RanCommand(command=line, time="t")], [])
    printed = "cc -c x.c\nmake: *** [all] Error 2"
    assert after(NONE, line, Verdict("ok", 0), printed, "t") == Ran([], [_failed(line, printed.split("\n")[1], "t")])


@table("line", ["make", "cd a && make", "cd a; make", "cat x | make", "set -o pipefail; make | tail"])
def test_a_line_that_hides_nothing_tells_it(line: str) -> None:
    ran = after(NONE, line, Verdict("ok", 0), "make: *** [all] Error 2", "t")
    assert ran == Ran([RanCommand(command=line, exit_code=0, time="t")], [])


def _failed(command: str, error: str, time: str) -> RanCommand:
    return RanCommand(command=command, exit_code=None, error=error, time=time)


def test_only_the_last_ones_are_kept() -> None:
    ran = NONE
    for number in range(30):
        ran = after(ran, f"ok {number}", Verdict("ok", 0), "", "")
        ran = after(ran, f"bad {number}", Verdict("failed", 1), "no", "")
    assert [each.command for each in ran.worked] == [f"ok {number}" for number in range(20, 30)]
    assert [each.command for each in ran.failed] == [f"bad {number}" for number in range(25, 30)]


def test_a_command_is_kept_as_it_was_written() -> None:
    line = "cat <<'EOF' | sed 's/\\t/  /g'\n  two  spaces\n\tand `ticks`\nEOF"
    assert command_of(line) == line
    assert len(command_of("x" * 100_000)) == 1_000


@table(
    ("printed", "expected"),
    [
        ("", ""),
        ("Exit code 1", ""),
        ("Exit code 1\n\n\n", ""),
        ("Exit code 2\none\ntwo\nthree\nfour", "one\nthree\nfour"),
        ("Error: Exit code 3\nstep 1\nfatal: not a git repository\nbye", "fatal: not a git repository"),
        ("Exit code 1\nerror a\nb\nerror c\nerror d\nerror e", "error a\nerror c\nerror d"),
        ("Exit code 1\nerror a\nerror a\nb", "error a"),
        ("<tool_use_error>Exit code 1\nx", "x"),
        ("\x1b[31merror: red\x1b[0m", "error: red"),
    ],
)
def test_the_telling_lines_of_an_error(printed: str, expected: str) -> None:
    assert telling_lines(printed) == expected


def test_an_endless_line_is_cut() -> None:
    assert len(telling_lines("error " + "x" * 5_000_000)) <= 300


@table(
    ("line", "expected"),
    [
        ("", False),
        ("git status", False),
        ("git log --grep commit", False),
        ("echo commit to git", False),
        ("legit commit", False),
        ("git show HEAD", False),
        ("git commit -m x", True),
        ("cd a && git add . && git commit -q -m 'x y'", True),
        ("git -C /repo -c user.name=x commit --amend", True),
        ("git --no-pager cherry-pick abc", True),
        ("git rebase --continue", True),
        ("git merge --no-ff topic", True),
        ("FOO=1 git revert HEAD", True),
        ("git pull", True),
    ],
)
def test_may_commit(line: str, expected: bool) -> None:
    assert may_commit(line) is expected


def test_a_hostile_line_is_searched_quickly() -> None:
    assert not may_commit("git " + "-a b " * 200_000)
