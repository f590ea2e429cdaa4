"""Which later call is the fix of a failed one; first what is none."""

import msgspec

from lessons.episode import Step
from lessons.mistakes.fix import fix_of
from tests.builders.steps import failed, ran, thread, used
from tests.tables import table

WRONG = failed("gh pr diff 7 --stat", "unknown flag: --stat")
RIGHT = ran("gh pr diff 7 --name-only")


@table(
    "steps",
    [
        [WRONG],
        [WRONG, ran("ls src")],
        [WRONG, failed("gh pr diff 7 --stats", "unknown flag: --stats")],
        [WRONG, ran("gh pr diff 7 --stat")],  # identical: it passed by itself
        [WRONG, msgspec.structs.replace(RIGHT, suspicious=True)],
        [WRONG, *[ran("ls src")] * 8, RIGHT],  # too far
        [failed("npm publish --tagg x", "unknown option"), ran("npm publish --help")],
        [failed("git push", "rejected"), ran("git push --force"), ran("git push -u origin")],
        [failed("gh pr merge 7", "not mergeable"), ran("gh pr merge 7 --admin")],
        [failed("git commit -m x", "hook failed"), ran("git commit -m x --no-verify")],
        [failed("git pull", "conflict"), ran("git reset --hard && git pull")],
        [failed("make all", "stale"), ran("rm -rf build && make all")],
        [used("Edit", outcome="failed", error="no match", path="/a", old_string="x"), used("Read", path="/b/c")],
    ],
)
def test_no_fix(steps: list[Step]) -> None:
    assert fix_of(thread(*steps), 0, 8) is None


@table(
    "steps, place",
    [
        ([WRONG, RIGHT], 1),
        ([WRONG, ran("ls src"), RIGHT, ran("gh pr diff 7")], 2),
        ([failed("git rebase -i HEAD~3", "timed out"), ran("GIT_EDITOR=true git rebase -i HEAD~3")], 1),
        ([failed("python a.py", "not found"), ran("python3 a.py")], 1),
        ([failed("npm test", "no script"), ran("cd web && npm test")], 1),
        ([used("Edit", outcome="failed", error="no", p="/a", old="x y"), used("Edit", p="/a", old="x z")], 1),
    ],
)
def test_the_first_similar_call_that_worked(steps: list[Step], place: int) -> None:
    assert fix_of(thread(*steps), 0, 8) == place


def test_a_call_that_began_before_the_failure_was_known_does_not_answer_it() -> None:
    wrong, right = thread(WRONG, RIGHT)
    assert fix_of([wrong, msgspec.structs.replace(right, time=wrong.time)], 0, 8) is None
