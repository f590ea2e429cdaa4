"""`lessons code-review`: the log of a project is added to, synced, repaired, archived and consolidated."""

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.builders.pull_requests import five_pull_requests
from tests.builders.reviews import RECURRING, planted_log, text_of
from tests.cli.command_line import CommandLine

STATE = "projects/*/state"


def log_file(lessons: CommandLine, name: str = "reviews.jsonl") -> Path:
    [found] = lessons.home.glob(f"{STATE}/{name}")
    return found


def entries(lessons: CommandLine) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log_file(lessons).read_text("utf-8").splitlines()]


def write_log(lessons: CommandLine, count: int = 12, start: int = 0) -> None:
    (lessons.work / "log.md").write_text(text_of(planted_log(count)[start:]), encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["add"], 2, "Give --from FILE, or the fields of one entry"),
        (["add", "--from", "gone.md"], 1, "gone.md: give a review log"),
        (["add", "--title", "x", "--date", "May"], 1, "--date 'May' is not a date: write YYYY-MM-DD."),
        (["add", "--retro", "--rounds", "2"], 1, "A retrospective is about a pull request"),
        (["add", "--title", "x", "--rounds", "2"], 1, "A review has no rounds: leave that out or add --retro."),
        (["add", "--retro", "--pr", "1", "--title", "x"], 1, "A retrospective has no title: leave that out."),
        (
            ["add", "--title", "x", "--learning", "Too short."],
            1,
            "--learning 'Too short.' has fewer than 20 characters",
        ),
        (["sync"], 1, "The review log names no source"),
        (["sync", "."], 1, ". cannot be read: Is a directory."),
        (["shwo"], 2, "No such command 'shwo'"),
    ],
)
def test_what_cannot_be_done(arguments: list[str], code: int, sentence: str, lessons: CommandLine) -> None:
    assert sentence in lessons.refused("code-review", *arguments, code=code)
    assert not list(lessons.home.glob(f"{STATE}/*"))


def test_entries_from_options_have_every_field_of_their_kind(lessons: CommandLine) -> None:
    words = (
        "--title",
        "Till",
        "--pattern",
        "Race condition",
        "--pattern",
        "Root Cause",
        "--pr",
        "7",
        "--critical",
        "1",
    )
    counts = ("--fixed", "2", "--deferred", "1", "--rejected", "0", "--date", "2026-01-31", "--source", "alice")
    learned = ("--learning", "Locks are taken in one order.")
    assert lessons.ok("code-review", "add", *words, *counts, *learned).startswith(
        "Added review 1 (pull request 7): race"
    )
    lessons.ok(
        "code-review", "add", "--retro", "--pr", "7", "--rounds", "3", "--automation-candidate", "Race condition"
    )
    review, retro = entries(lessons)
    assert {name: review[name] for name in ("id", "date", "title", "source", "pr", "patterns")} == {
        "id": 1,
        "date": "2026-01-31",
        "title": "Till",
        "source": "alice",
        "pr": 7,
        "patterns": ["race-condition"],
    }
    assert (review["total"], review["learnings"]) == (3, ["Locks are taken in one order."])
    seeds = "id date title source pr patterns fixed deferred rejected critical major minor trivial total learnings"
    assert {*seeds.split(), "sourceBreakdown"} <= review.keys() and "type" not in review
    assert (retro["id"], retro["type"], retro["rounds"]) == ("retro-7", "retrospective", 3)
    seeds = "id type pr date rounds totalItems fixed rejected deferred churnChains automationCandidates skillsToUpdate"
    assert {*seeds.split(), "processImprovements", "learnings"} <= retro.keys() and "title" not in retro


def test_from_json_and_from_gh_each_once(lessons: CommandLine) -> None:
    (lessons.work / "one.json").write_text('{"id": 5, "title": "Till", "patterns": ["race"]}', encoding="utf-8")
    (lessons.work / "gh.json").write_text(json.dumps(five_pull_requests()), encoding="utf-8")
    assert [each["id"] for each in lessons.json("code-review", "add", "--from", "one.json")["added"]] == [5]
    assert [each["pr"] for each in lessons.json("code-review", "add", "--from", "gh.json")["added"]] == [
        101,
        102,
        103,
        104,
    ]
    again = lessons.json("code-review", "add", "--from", "gh.json")
    assert (again["added"], again["known"]) == ([], 4)
    assert lessons.json("code-review", "add", "--from", "one.json")["added"] == []
    assert [each["id"] for each in entries(lessons)] == [5, 6, 7, 8, 9]


def test_sync_reports_drift_and_repair_removes_what_left_its_source(lessons: CommandLine) -> None:
    write_log(lessons)
    assert len(lessons.json("code-review", "sync", "log.md")["added"]) == 12
    assert lessons.json("code-review", "sync", "--check")["drift"] is False
    write_log(lessons, 14, 2)
    (lessons.work / "log.md").write_text(
        (lessons.work / "log.md").read_text("utf-8").replace("Work 5 ", "Other work "), encoding="utf-8"
    )
    before = log_file(lessons).read_bytes()
    checked = lessons("code-review", "sync", "--check", "--json")
    assert checked.code == 1 and log_file(lessons).read_bytes() == before
    found = json.loads(checked.out)
    assert (found["missing"], found["changed"], found["orphaned"]) == ([13, 14], [5], [1, 2])
    synced = lessons.json("code-review", "sync")
    assert (synced["added"], synced["orphaned"]) == ([13, 14], [1, 2])
    assert "2 no longer in their source" in lessons("code-review", "sync").out
    assert lessons.json("code-review", "repair")["entries"] == 12
    assert lessons.ok("code-review", "sync", "--check") == "The log and its sources agree.\n"


def test_recurring_patterns_become_candidates_in_the_same_queue(lessons: CommandLine) -> None:
    write_log(lessons, 200)
    lessons.ok("code-review", "sync", "log.md")
    result = lessons.json("code-review", "consolidate")
    assert len(result["patterns"]) == len(RECURRING) and len(result["entries"]) == 200
    found = lessons.json("candidates")["candidates"]
    assert {each["fingerprint"] for each in found} == {pattern["candidate"] for pattern in result["patterns"]}
    for each in found:
        [pattern] = [one for one in result["patterns"] if one["candidate"] == each["fingerprint"]]
        assert (each["kind"], each["tier"], len(each["evidence"])) == ("review", 1, pattern["occurrences"])
        assert each["evidence"][0]["file"] == str(log_file(lessons))
    assert "pull requests" in lessons.ok("candidates")
    stored = json.loads(log_file(lessons, "consolidation.json").read_text("utf-8"))
    assert (stored["consolidationNumber"], stored["threshold"]) == (1, 10)
    assert lessons.json("code-review", "consolidate")["consolidationNumber"] == 1
    assert {each["fingerprint"] for each in lessons.json("candidates")["candidates"]} == {
        each["fingerprint"] for each in found
    }


def test_a_pipe_is_no_source_to_read_again(lessons: CommandLine) -> None:
    """As the shell's `<(gh pr view …)` gives one."""
    pipe = lessons.work / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(text_of(planted_log(3)), encoding="utf-8"))
    writer.start()
    lessons.ok("code-review", "sync", "pipe")
    writer.join()
    assert {each["origin"]["file"] for each in entries(lessons)} == {""}
    assert "names no source" in lessons.refused("code-review", "sync")


def test_a_log_that_comes_with_a_repository_names_no_file_outside_of_it(lessons: CommandLine) -> None:
    (lessons.work / ".git").mkdir()
    private = lessons.temporary / "private.md"
    private.parent.mkdir(parents=True, exist_ok=True)
    private.write_text(text_of(planted_log(5)), encoding="utf-8")
    (lessons.work / "link.md").symlink_to(private)
    lessons.ok("init", "--project")
    log = lessons.work / ".claude" / "state" / "reviews.jsonl"
    for number, file in enumerate((str(private), "../private.md", os.path.relpath(private, lessons.work), "link.md")):
        origin = {"type": "markdown", "file": file, "key": f"k{number}"}
        log.write_text(json.dumps({"id": 77, "title": "x", "origin": origin}) + "\n", encoding="utf-8")
        assert "names no source" in lessons.refused("code-review", "sync")
        assert "review-backlog" not in {each["id"] for each in lessons.json("alerts")["alerts"]}
    assert lessons.json("code-review", "sync", str(private))["added"]  # a person may name it


def test_forgetting_the_past_takes_its_reviews_and_they_do_not_come_back(lessons: CommandLine) -> None:
    write_log(lessons, 60)
    lessons.ok("code-review", "sync", "log.md")
    lessons.json("code-review", "consolidate")
    lessons.ok("forget", "--before", "2026-06-01", "--yes")
    left = entries(lessons)
    assert left and all(each["date"] >= "2026-06-01" for each in left)
    assert not list(lessons.home.glob(f"{STATE}/consolidation.json"))
    lessons.ok("code-review", "sync")
    assert entries(lessons) == left
    lessons.ok("forget", "--project", str(lessons.work), "--yes")
    assert not list(lessons.home.glob(f"{STATE}/reviews.jsonl"))
    assert lessons.json("candidates", "--all")["candidates"] == []


def test_an_excluded_project_keeps_nothing(lessons: CommandLine) -> None:
    lessons.ok("config", "set", "excludeProjects", json.dumps([str(lessons.work)]))
    assert "it is in excludeProjects" in lessons.refused("code-review", "add", "--title", "x", "--pattern", "race")
    assert not list(lessons.home.glob(f"{STATE}/*"))
