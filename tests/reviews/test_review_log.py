"""Differences between a review log and its sources; no repair drops what must stay."""

import msgspec

from lessons.project_state import Origin, ReviewEntry
from lessons.reviews.review_log import archived, drift, rebuilt, updated


def entry(number: int, file: str = "log.md", pattern: str = "race", archive: bool = False) -> ReviewEntry:
    origin = Origin(type="markdown" if file else "manual", file=file, key=f"{file}#{number}")
    return ReviewEntry(id=number, date=f"2026-01-{number:02}", patterns=[pattern], origin=origin, archived=archive)


def test_what_has_no_source_at_hand_is_no_orphan() -> None:
    log = [entry(1, ""), entry(2, "other.md"), entry(3, archive=True)]
    assert not drift(log, {"log.md": []})
    assert rebuilt(log, {"log.md": []}) == log


def test_missing_changed_and_orphaned() -> None:
    found = drift([entry(1), entry(2)], {"log.md": [entry(2, pattern="other"), entry(3)]})
    assert [[each.id for each in part] for part in (found.missing, found.changed, found.orphaned)] == [[3], [2], [1]]


def test_an_update_keeps_id_and_archive() -> None:
    log = [msgspec.structs.replace(entry(1), id=77, archived=True)]
    [after] = updated(log, [entry(1, pattern="other")])
    assert (after.id, after.archived, after.patterns) == (77, True, ["other"])


def test_only_what_is_more_than_the_newest_twenty_is_archived() -> None:
    log = [entry(number) for number in range(1, 24)]
    assert archived(log[:20]) == log[:20]
    assert [each.id for each in archived(log) if each.archived] == [1, 2, 3]
    assert archived(archived(log)) == archived(log)


def of_github(file: str, day: int, *patterns: str) -> ReviewEntry:
    origin = Origin(type="github", file=file, key="github:#pr-7")
    return ReviewEntry(
        id=1, pr=7, date=f"2026-01-{day:02}", patterns=list(patterns), total=len(patterns), origin=origin
    )


def test_older_output_of_gh_in_another_file_replaces_nothing() -> None:
    log = [of_github("", 9, "race", "leak")]
    for old in (of_github("old.json", 8, "race"), of_github("old.json", 9, "race"), of_github("old.json", 9, "a", "b")):
        assert not drift(log, {"old.json": [old]})
    newer = of_github("new.json", 10, "race")
    assert drift(log, {"new.json": [newer], "old.json": [of_github("old.json", 8, "x")]}).changed == [newer]
    assert drift(log, {"": [of_github("", 8, "race")]}).changed  # the same source says something else now


def test_a_repair_drops_no_entry_that_was_written_by_hand_under_the_same_number() -> None:
    log = [ReviewEntry(id=5, title="one"), ReviewEntry(id=5, title="two"), entry(1)]
    assert rebuilt(log, {"log.md": [entry(1)]}) == log
