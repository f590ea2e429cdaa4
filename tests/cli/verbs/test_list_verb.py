"""`lessons list`: by status, for a terminal, for a pipe and as JSON."""

import pytest

from lessons.store.history.history import History
from tests.builders.candidates import put_into
from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson, stopping
from tests.cli.command_line import COLUMNS, CommandLine, widest

RECORDS = (
    lesson("a-hint", needsReview=True, triggers={"commandPatterns": ["a"]}),
    blocking("b-block", priority=9),
    stopping("c-stop", stage="shadow"),
    lesson("d-retired", stage="retired", triggers={"commandPatterns": ["d"]}),
    lesson("e-start", triggers={"sessionStart": True}),
)


@pytest.mark.parametrize(
    ("arguments", "slugs"),
    [
        ([], ["a-hint", "b-block", "c-stop", "e-start"]),
        (["--status", "active"], ["a-hint", "b-block", "e-start"]),
        (["--status", "shadow"], ["c-stop"]),
        (["--status", "retired"], ["d-retired"]),
        (["--status", "all"], ["a-hint", "b-block", "c-stop", "d-retired", "e-start"]),
        (["--status", "candidate"], []),
        (["--status", "archived"], []),
    ],
)
def test_by_status(arguments: list[str], slugs: list[str], home: DataHome, lessons: CommandLine) -> None:
    home.write(*RECORDS)
    document = lessons.json("list", *arguments)
    assert document.keys() == {"lessons"}
    assert [record["slug"] for record in document["lessons"]] == slugs
    assert all(record in RECORDS for record in document["lessons"])


def test_an_empty_list_says_what_to_do(lessons: CommandLine) -> None:
    ended = lessons("list")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == "No lessons yet. Run `lessons add --starter` for some, or `lessons add` to write one.\n"
    sentence = "No candidates. Run `lessons scan` to look for some in your transcripts.\n"
    assert lessons("list", "--status", "candidate").error == sentence


def test_in_a_pipe_it_is_tab_separated(home: DataHome, lessons: CommandLine) -> None:
    home.write(*RECORDS)
    rows = [line.split("\t") for line in lessons.ok("list").splitlines()]
    assert [row[:4] for row in rows] == [
        ["a-hint", "active, needs review", "hint", "5"],
        ["b-block", "active", "block", "9"],
        ["c-stop", "shadow", "stop once", "5"],
        ["e-start", "active", "session start", "5"],
    ]
    assert rows[0][4] == RECORDS[0]["summary"]


def test_on_a_terminal_it_is_a_table_that_fits(home: DataHome, lessons: CommandLine) -> None:
    slug = "a-slug-that-is-as-long-as-slugs-become-k9m2"
    long = "A summary of one hundred and twenty characters, " + "写" * 30 + ", which fits on no line beside others"
    home.write(lesson(slug, summary=long), *RECORDS[1:])
    lines = lessons.screen("list")
    assert lines[0].split() == ["slug", "stage", "effect", "priority"]
    assert lines[1].startswith(f"{slug}  active  hint")
    assert "".join(" ".join(lines[2:4]).split()) in "".join(long.split())
    assert widest(lines) <= COLUMNS
    home.write(*RECORDS)
    lines = lessons.screen("list", "--status", "retired")
    assert lines[1].split()[:4] == ["d-retired", "retired", "hint", "5"]


def test_a_table_of_candidates_needs_no_triggers(home: DataHome, lessons: CommandLine) -> None:
    with History.opened(home.path):
        put_into(home.folder, "mined-a")
    assert "gh pr diff has no --stat" in lessons.ok("list", "--status", "candidate")
    with History.for_reading(home.path) as history:
        assert not history.proposals.current(["mined-a"])
    assert len(lessons.json("list", "--status", "candidate")["lessons"]) == 1
    with History.for_reading(home.path) as history:
        assert history.proposals.current(["mined-a"])
