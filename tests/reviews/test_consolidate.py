"""What recurs in a review log: nothing too early, and the same whatever happened to the log before."""

from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.project_state import Consolidation, Finding, Origin, ReviewEntry
from lessons.reviews import consolidate
from lessons.reviews.consolidate import consolidated, is_due, new_entries, recurring
from lessons.reviews.entry import normal_words
from lessons.reviews.review_log import archived, drift, rebuilt, updated
from lessons.reviews.review_sources import markdown_entries as entries_in
from tests.builders.reviews import RECURRING, Planted, planted_log, text_of
from tests.sizes import examples
from tests.tables import table

PROJECT = "/shop"


def entry(number: int, pr: int | None, *patterns: str, day: int = 1) -> ReviewEntry:
    return ReviewEntry(
        id=number, pr=pr, date=f"2026-01-{day:02}", patterns=list(patterns), origin=Origin(key=f"k{number}")
    )


NOT_RECURRING = [
    [entry(1, 1, "race"), entry(2, 2, "race")],
    [entry(1, 1, "race"), entry(2, 1, "race"), entry(3, 1, "race")],
    [entry(1, None, "race"), entry(2, None, "race"), entry(3, None, "race")],
    [entry(1, 1, "race", "races", "the race"), entry(2, 2, "race")],
    [entry(number, number, "root-cause") for number in range(9)],
    [entry(number, number) for number in range(9)],
]


@table("entries", NOT_RECURRING)
def test_what_does_not_recur(entries: list[ReviewEntry]) -> None:
    assert recurring(entries) == []


def test_three_times_in_two_pull_requests() -> None:
    [cluster] = recurring([entry(1, 1, "Race"), entry(2, 1, "races"), entry(3, 2, "a race"), entry(4, None, "other")])
    assert (cluster.words, cluster.pull_requests, len(cluster.occurrences)) == (("race",), [1, 2], 3)


def test_two_hundred_planted_reviews_give_exactly_the_planted_patterns() -> None:
    planted = planted_log()
    found = consolidated(entries_in(text_of(planted), "log.md"), PROJECT, Consolidation(), "now")
    assert {tuple(pattern.words) for pattern in found.patterns} == {normal_words(name) for name in RECURRING}
    for pattern in found.patterns:
        own = [each for each in planted if any(normal_words(name) == tuple(pattern.words) for name in each.patterns)]
        assert sorted(map(str, pattern.entries)) == sorted(str(each.number) for each in own)
        assert pattern.pull_requests == sorted({each.pr for each in own if each.pr is not None})
    rows = consolidate.rows_of(entries_in(text_of(planted), "log.md"), PROJECT, "reviews.jsonl")
    assert {row.fingerprint for row in rows} == {pattern.candidate for pattern in found.patterns}
    assert sum(len(row.reviews) for row in rows) == sum(pattern.occurrences for pattern in found.patterns)


def test_number_and_date_change_with_the_entries_alone() -> None:
    first = consolidated([entry(1, 1, "race")], PROJECT, Consolidation(), "one")
    assert (first.consolidation_number, first.last_date, first.last_consolidated_review) == (1, "one", 1)
    again = consolidated([entry(1, 1, "race")], PROJECT, first, "two")
    assert again == first
    more = consolidated([entry(1, 1, "race"), entry(2, 1, "race", day=2)], PROJECT, again, "three")
    assert (more.consolidation_number, more.last_date, more.last_consolidated_review) == (2, "three", 2)


def test_due_by_what_entries_say_and_never_by_their_numbers() -> None:
    entries = [entry(number, number, "race") for number in range(1, 10)]
    assert not is_due(entries, Consolidation()) and is_due([*entries, entry(0, 1)], Consolidation())
    after = consolidated(entries, PROJECT, Consolidation(), "now")
    assert new_entries(entries, after) == 0
    changed = [msgspec.structs.replace(each, patterns=["other"]) for each in entries]
    assert new_entries(changed, after) == 9
    renumbered = [msgspec.structs.replace(each, id=f"review-{each.id}", archived=True) for each in entries]
    assert new_entries(renumbered, after) == 0


def test_names_in_a_log_that_others_wrote_are_those_of_its_candidates() -> None:
    name = "Never hold the lock of the till while the printer of the bills is asked whether it has any paper left"
    token = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9bC1dE3fG5"
    log = [entry(number, number, name, f"Token {token}") for number in (1, 2, 3)]
    found = consolidated(log, PROJECT, Consolidation(), "now")
    rows = consolidate.rows_of(log, PROJECT, "f")
    assert {each.candidate for each in found.patterns} == {row.fingerprint for row in rows}
    assert token.lower() not in msgspec.json.encode(found).decode().lower()


def test_code_that_recurs_becomes_a_pattern_and_code_that_is_recommended_does_not() -> None:
    def found(number: int, text: str, *code: str) -> ReviewEntry:
        one = Finding(pattern="naive-datetime", text=text, code=list(code), path=f"src/{number}.py")
        return msgspec.structs.replace(entry(number, number, "naive-datetime"), findings=[one])

    words = "Use `datetime.now(UTC)` instead of `datetime.utcnow()`."
    good = [found(1, words, "datetime.utcnow()"), found(2, words, "datetime.utcnow(x)"), found(3, "", "other.thing")]
    [row] = consolidate.rows_of(good, PROJECT, "reviews.jsonl")
    document = msgspec.json.decode(row.document)
    assert document["triggers"] == {"contentPatterns": [r"\bdatetime\.utcnow\s*\("], "pathPatterns": ["**/*.py"]}
    contradicted = [*good[:2], found(3, "Use `datetime.utcnow()` here.", "datetime.utcnow()")]
    [row] = consolidate.rows_of(contradicted, PROJECT, "reviews.jsonl")
    assert msgspec.json.decode(row.document)["triggers"] == {}


Logs = st.lists(st.integers(0, 59), unique=True, max_size=60)


@settings(max_examples=examples(60), deadline=None)
@given(Logs, Logs, st.randoms(use_true_random=False), st.booleans())
def test_after_edits_deletions_and_reordering_the_result_is_that_of_a_log_from_scratch(
    before: list[int], after: list[int], chance: Random, archives: bool
) -> None:
    planted = planted_log(60)
    edited = [_edited(planted[number], chance.randrange(3)) for number in after]
    log = entries_in(text_of([planted[number] for number in before]), "log.md")
    seen = consolidated(log, PROJECT, Consolidation(), "first")
    sources = {"log.md": entries_in(text_of(edited), "log.md")}
    if archives:
        log = [*archived(log, 20)]
    found = drift(log, sources)
    log = [*rebuilt(updated(log, found.changed), sources), *found.missing]
    chance.shuffle(log)
    kept = [each for each in log if each.archived and each.key not in {one.key for one in sources["log.md"]}]
    from_scratch = [*sources["log.md"], *kept]
    one, other = (consolidated(entries, PROJECT, seen, "now") for entries in (log, from_scratch))
    assert one == other
    rows = [consolidate.rows_of(entries, PROJECT, "reviews.jsonl") for entries in (log, from_scratch)]
    assert rows[0] == rows[1]


def _edited(planted: Planted, change: int) -> Planted:
    text = planted.text
    if change == 1:
        text = text.replace("**Patterns Identified:**", "**Patterns:**").replace("haste", "hurry")
    if change == 2:
        text = text.replace("Unhandled promise", "Handled promise").replace("**Fixed:** ", "**Fixed:** 1")
    return planted._replace(text=text)


def test_code_that_a_test_is_missing_for_becomes_no_pattern() -> None:
    text = "Missing test for `parse_config()`."
    one = Finding(pattern="parse-config", text=text, code=["parse_config()"])
    entries = [msgspec.structs.replace(entry(each, each, "parse-config"), findings=[one]) for each in (1, 2, 3)]
    [row] = consolidate.rows_of(entries, PROJECT, "reviews.jsonl")
    assert msgspec.json.decode(row.document)["triggers"] == {}
