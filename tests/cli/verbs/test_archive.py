"""`lessons archive`: the lesson is kept but no longer fires, and the reason is on record."""

import json

from tests.builders.home import DataHome, reason_of
from tests.builders.lessons import blocking, lesson
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine

CALL = bash("git push origin main --force")


def test_a_lesson_that_is_not_there(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), lesson("stash-again", triggers={"commandPatterns": ["git stash pop"]}))
    assert 'There is no lesson "zzz"' in lessons.refused("archive", "zzz")
    assert "matches 2 lessons (stash-leaves-files, stash-again)" in lessons.refused("archive", "stash")
    assert not (lessons.home / "decisions.jsonl").exists()


def test_it_acts_no_more(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking(mine=1))
    assert reason_of(home.run(CALL))
    said = lessons.ok("archive", "no-force", "--reason", "we push alone")
    assert said == (
        "Retired no-force-push: it no longer fires. Run `lessons unarchive no-force-push` to bring it back.\n"
    )
    assert home.run(CALL) == (0, None)
    record = lessons.json("show", "no-force")
    assert (record["stage"], record["mine"]) == ("retired", 1)
    [decision] = (lessons.home / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(decision) | {"time": ""} == {
        "time": "",
        "decision": "archived",
        "slug": "no-force-push",
        "reason": "we push alone",
    }
    assert lessons.json("archive", "no-force")["stage"] == "retired"
