"""Which lesson answers a candidate already."""

from pathlib import Path

import msgspec

from lessons import config
from lessons.promote import catalog, starter
from lessons.promote.queue import whole
from lessons.promote.review_case import Answer, Answers
from lessons.store.history.history import History
from tests.builders.candidates import Seen, put_into
from tests.builders.past import Past, failed, home_with
from tests.tables import table

STAT, FIX = "gh pr diff 7 --stat", "gh pr diff 7 --name-only"
SLUG = "gh-pr-diff-has-no-stat"
UNKNOWN = "Exit code 1\nunknown flag: --stat"


def answer(home: Path, *calls: Past, fixed: str = "") -> Answer | None:
    """What answers a candidate that rests on all of the calls but the last, which is the fix."""
    home_with(home, *calls, Past(command=FIX))
    seen = tuple(
        Seen(f"s{place}", failed=f"t{place}", fixed=f"t{len(calls)}" if fixed else "", uuid=f"u{place}")
        for place in range(len(calls))
    )
    put_into(home, "mined", seen=seen)
    with History.for_reading(str(home)) as history:
        [candidate] = whole(history, config.load(str(home), {}))
    return Answers(str(home)).of(candidate)


@table(
    "calls",
    [
        [failed("make till", error="Exit code 2\nmake: nothing known")],
        [failed(STAT, error=UNKNOWN), failed("make till"), failed("make shop")],  # of most it knows nothing
        # A lesson for a state that nobody knows answers nothing.
        [failed("cd web && make till", error="Exit code 2\nmake: nothing known")],
    ],
)
def test_what_nothing_answers(calls: list[Past], tmp_path: Path) -> None:
    assert answer(tmp_path, *calls) is None


def test_a_lesson_that_fires_on_the_fix_too_answers_nothing(tmp_path: Path) -> None:
    words = {"summary": "gh pr diff is for pull requests", "problem": "It is used for other things too here."}
    solution = {"solution": "Look at the branch with git diff instead.", "tags": ["tool:gh"]}
    catalog.add(str(tmp_path), {**words, **solution, "triggers": {"commandPatterns": ["gh pr diff"]}})
    found = answer(tmp_path, failed("gh pr diff 8 --color", error="Exit code 1\nno"), fixed="yes")
    assert found is None


def test_one_of_the_pack_and_the_same_once_it_is_stored(tmp_path: Path) -> None:
    found = answer(tmp_path, failed(STAT, error=UNKNOWN), fixed="yes")
    assert found is not None
    assert (found.slug, found.is_stored) == (SLUG, False)
    assert found.sentence().startswith(f"by the starter lesson {SLUG}: ")
    catalog.add_all(str(tmp_path), [each for each in starter.pack() if each["slug"] == SLUG])
    with History.for_reading(str(tmp_path)) as history:
        [candidate] = whole(history, config.load(str(tmp_path), {}))
    answers = Answers(str(tmp_path))
    stored = answers.of(candidate)
    assert stored is not None
    assert stored.sentence() == f"by your lesson {SLUG} (m merges)"
    catalog.retire(str(tmp_path), SLUG)
    assert answers.of(msgspec.structs.replace(candidate)) is None
