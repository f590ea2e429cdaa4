"""Which candidates a lesson of the user closes."""

from pathlib import Path

from lessons import config
from lessons.promote import catalog, starter
from lessons.promote.queue import shown
from lessons.store.history.history import History
from tests.builders.candidates import Seen, put_into
from tests.builders.past import Past, failed, home_with

STAT, FIX = "gh pr diff 7 --stat", "gh pr diff 7 --name-only"
SLUG = "gh-pr-diff-has-no-stat"


def listed(home: Path, everything: bool = False) -> tuple[list[str], int]:
    with History.for_reading(str(home)) as history:
        found = shown(history, config.load(str(home), {}), everything)
    return [each.fingerprint for each in found.candidates], found.hidden


def test_a_lesson_closes_what_it_answers_until_it_is_retired(tmp_path: Path) -> None:
    wrong = failed(STAT, error="Exit code 1\nunknown flag: --stat")
    home_with(tmp_path, wrong, wrong, Past(command=FIX))
    put_into(tmp_path, "mined", seen=tuple(Seen(f"s{n}", failed=f"t{n}", fixed="t2", uuid=f"u{n}") for n in range(2)))
    assert listed(tmp_path) == (["mined"], 0)
    catalog.add_all(str(tmp_path), [each for each in starter.pack() if each["slug"] == SLUG])
    assert listed(tmp_path) == ([], 0)
    assert listed(tmp_path, everything=True) == (["mined"], 0)
    catalog.retire(str(tmp_path), SLUG)
    assert listed(tmp_path) == (["mined"], 0)


def test_a_lesson_that_fires_on_the_fix_too_closes_nothing(tmp_path: Path) -> None:
    home_with(tmp_path, failed("gh pr diff 8 --color", error="Exit code 1\nno"), Past(command=FIX))
    put_into(tmp_path, "mined", seen=(Seen("s0", failed="t0", fixed="t1"), Seen("s1", failed="t0", fixed="t1")))
    words = {"summary": "gh pr diff is for pull requests", "problem": "It is used for other things too here."}
    solution = {"solution": "Look at the branch with git diff instead.", "tags": ["tool:gh"]}
    catalog.add(str(tmp_path), {**words, **solution, "triggers": {"commandPatterns": ["gh pr diff"]}})
    assert listed(tmp_path)[0] == ["mined"]
