"""Starter lessons that a history speaks for: not those it says nothing about, nor those it speaks against."""

from pathlib import Path

from lessons.promote import catalog, starter
from lessons.promote.starter import StarterMatches, starter_matches
from lessons.store.history.history import History
from tests.builders.past import Past, failed, home_with
from tests.tables import table

STAT = "gh pr diff 7 --stat"
PATHSPEC = "Exit code 128\nfatal: pathspec 'x' did not match any files"


def matches(home: Path, *calls: Past) -> StarterMatches:
    home_with(home, *calls)
    with History.for_reading(str(home)) as history:
        return starter_matches(str(home), history)


@table(
    "calls",
    [
        [Past(command="ls")],
        [Past(command=STAT)],  # it would only have disturbed
        [failed("ls", error="Exit code 1\nls: nothing known")],
        [failed(STAT), *(Past(command=f"gh pr diff {number} --stat") for number in range(9))],
    ],
)
def test_what_is_not_offered(calls: list[Past], tmp_path: Path) -> None:
    assert matches(tmp_path, *calls).found == []


def test_what_is_offered_with_its_figures_the_most_useful_first(tmp_path: Path) -> None:
    calls = [failed(STAT, error="Exit code 1\nunknown flag: --stat") for _ in range(2)]
    calls += [Past(command=f"{STAT} | head", error="unknown flag", suspicious=True)]  # no good call
    calls += [failed("git add x", error=PATHSPEC) for _ in range(3)]
    found = matches(tmp_path, *calls, Past(command="ls"))
    assert [(each.slug, each.caught, each.disturbed) for each in found.found] == [
        ("git-add-pathspec-did-not-match", 3, 0),
        ("gh-pr-diff-has-no-stat", 2, 0),
    ]
    assert (found.failed_calls, found.all_failed, found.pack) == (5, 5, len(starter.pack()))
    first, second = found.found
    assert (first.example, second.example) == ("", STAT)  # the first fires on an error alone
    assert second.sentence() == "would have caught 2 failed calls and disturbed no good call"
    assert first.sentence() == "would have spoken up after 3 errors and disturbed no good call"
    assert [each.command for each in second.failed] == [STAT]


def test_what_the_person_has_or_had_is_not_offered_again(tmp_path: Path) -> None:
    assert matches(tmp_path, failed(STAT)).found
    catalog.add_all(str(tmp_path), starter.pack())
    catalog.retire(str(tmp_path), "gh-pr-diff-has-no-stat")
    with History.for_reading(str(tmp_path)) as history:
        assert starter_matches(str(tmp_path), history).found == []


def test_what_the_person_declined_is_not_offered_again(tmp_path: Path) -> None:
    assert matches(tmp_path, failed(STAT)).found
    starter.decline(str(tmp_path), ["gh-pr-diff-has-no-stat"])
    with History.for_reading(str(tmp_path)) as history:
        assert starter_matches(str(tmp_path), history).found == []
    assert "gh-pr-diff-has-no-stat" in {each["slug"] for each in starter.missing(str(tmp_path))}


def test_guards_count_what_agents_did_however_it_ended(tmp_path: Path) -> None:
    calls = [Past(command="git reset --hard"), failed("git reset --hard HEAD~1"), Past(command="git reset --soft")]
    home_with(tmp_path, *calls)
    with History.for_reading(str(tmp_path)) as history:
        found = starter.guards(str(tmp_path), history)
        assert (found[0].slug, found[0].caught) == ("git-reset-hard-discards-uncommitted-work", 2)
        assert found[0].sentence() == "your agents did this 2 times so far"
        assert {each.caught for each in found[1:]} == {0}
        assert all(each.record.get("stopOnce") or each.record.get("block") for each in found)
        assert starter.guards(str(tmp_path), history, [each.slug for each in found]) == []
        starter.decline(str(tmp_path), [found[0].slug])
        assert found[0].slug not in {each.slug for each in starter.guards(str(tmp_path), history)}
