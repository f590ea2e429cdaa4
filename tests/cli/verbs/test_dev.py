"""`lessons dev`: build, the completion of a shell, and the demo."""

import json
import os
import time

import pytest

from lessons.cli.main import VERBS
from lessons.cli.verbs.dev import SHELLS
from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson
from tests.builders.promotable import write_mistakes
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects


def test_what_is_left_out_is_listed_with_the_reason(home: DataHome, lessons: CommandLine) -> None:
    home.write(
        lesson("good"),
        lesson("waits", needsReview=True),
        lesson("unsure", confidence=0.1),
        lesson("minor", priority=2),
        lesson("done", stage="retired"),
        lesson("slow", triggers={"commandPatterns": ["^(a+)+$"]}),
        lesson("broken", triggers={"commandPatterns": ["("]}),
        lesson("mute", triggers={}),
        {"slug": "no-record"},
        minPriority=3,
    )
    document = lessons.json("build")
    assert document.keys() == {"included", "excluded", "warnings", "generatedAt"}
    assert document["included"] == 1
    reasons = {each["slug"]: each["reason"] for each in document["excluded"]}
    assert reasons.keys() == {"waits", "unsure", "minor", "done", "slow", "broken", "mute", "no-record"}
    assert reasons["unsure"] == "confidence is 0.1, below minConfidence 0.5."
    assert reasons["minor"] == "priority is 2, below minPriority 3."
    assert "needsReview is true" in reasons["waits"]
    assert '"^(a+)+$" is left out' in reasons["slow"]
    assert [entry["slug"] for entry in home.manifest()["lessons"].values()] == ["good"]


def test_in_words(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson(), blocking(triggers={"commandPatterns": ["--no-verify"]}), lesson("old", stage="retired"))
    ended = lessons("build")
    assert ended.out == "2 lessons compiled for the hook.\nleft out: old: stage is retired.\n"
    assert ended.error == (
        'warning: no-force-push: triggers.commandPatterns "--no-verify" does not begin with a known program or spans'
        " several commands, so it is searched in the whole command line: set triggers.matchOn to keep or change that.\n"
    )
    quiet = lessons("build", "--quiet")
    assert (quiet.code, quiet.out) == (0, "")


def completed(lessons: CommandLine, *words: str) -> list[str]:
    """What the script of bash gets when it asks, in the process of the test."""
    asked = {"COMP_WORDS": " ".join(["lessons", *words]), "COMP_CWORD": str(len(words))}
    ended = lessons(_LESSONS_COMPLETE="bash_complete", **asked)
    assert (ended.code, ended.error) == (0, "")
    return sorted(filter(None, (line.partition(",")[2] for line in ended.out.splitlines())))


@pytest.mark.parametrize("shell", SHELLS)
def test_there_is_a_script_for_each_shell(shell: str, lessons: CommandLine) -> None:
    script = lessons.ok("completion", shell)
    assert f"_LESSONS_COMPLETE={shell}_complete" in script


def test_verbs_flags_and_slugs(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson("stash-a"), lesson("stash-b"), lesson("other"))
    assert completed(lessons, "") == sorted(VERBS.keys() - {"hook"})
    assert completed(lessons, "un") == ["undo"]
    assert completed(lessons, "show", "st") == ["stash-a", "stash-b"]
    assert completed(lessons, "config", "get", "minP") == ["minPriority"]
    assert completed(lessons, "list", "--st") == ["--status"]
    assert completed(lessons, "scan", "ca") == ["candidates"]
    assert completed(lessons, "scan", "--fu") == ["--full"]
    assert completed(lessons, "scan", "candidates", "--a") == ["--all"]
    assert completed(lessons, "list", "--status", "sh") == ["shadow"]


def test_candidates_projects_and_decisions(lessons: CommandLine) -> None:
    write_mistakes(projects(lessons))
    assert completed(lessons, "dev", "promote", "") == completed(lessons, "undo", "") == []
    lessons.ok("scan")
    listed = json.loads(lessons.ok("candidates", "--all", "--json"))["candidates"]
    names = sorted(each["fingerprint"] for each in listed)
    assert names
    assert completed(lessons, "dev", "promote", "") == completed(lessons, "candidates", "") == names
    assert completed(lessons, "dev", "promote", names[0]) == [names[0]]
    folders = completed(lessons, "history", "forget", "--project", "")
    assert folders and completed(lessons, "search", "--project", folders[0]) == [folders[0]]
    assert completed(lessons, "history", "replay", "--project", os.path.basename(folders[0])) == [folders[0]]
    assert completed(lessons, "history", "forget", "--project", "no-such") == []
    promoted = json.loads(lessons("promote", names[0], "--yes", "--json").out)["promoted"][0]
    assert completed(lessons, "team", "export", "") == [promoted["lesson"]["slug"]]
    (decision,) = completed(lessons, "undo", "")
    lessons.ok("undo", decision)
    assert completed(lessons, "undo", "") == []


def test_the_story(lessons: CommandLine) -> None:
    began = time.monotonic()
    surroundings = {"LESSONS_MIN_CONFIDENCE": "1", "LESSONS_DISABLE": "1", "LESSONS_HOME": str(lessons.home / "none")}
    story = lessons.ok("demo", **surroundings)
    assert time.monotonic() - began < 60
    steps = [step for step in story.partition("That was")[0].split("\n\n") if step.lstrip()[:1].isdigit()]
    outcomes = [step.split("\n")[1].strip() for step in steps[2:]]
    assert outcomes == [
        "DENIED, and the agent reads:",
        "no lesson fires: the call runs unchanged",
        "runs, and the agent reads with the result:",
        "no lesson fires: the call runs unchanged",
        "runs, and the agent reads with the result:",
    ]
    assert "Use: git push --force-with-lease" in story
    assert "failed 2 of 2 times" in story and "This worked then: “gh pr diff 7 --name-only”" in " ".join(story.split())
    assert "**Fix**: Use `git stash -u`" in story
    for folder in (lessons.temporary, lessons.home, lessons.person):
        assert not list(folder.rglob("*"))
