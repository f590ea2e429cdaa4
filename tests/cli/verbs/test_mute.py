"""`lessons mute`: silent for a time or until unmuted, whatever kind of lesson it is."""

import time

from tests.builders.home import DataHome, context_of, reason_of
from tests.builders.lessons import blocking, lesson, stopping
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine

CALLS = {"no-force-push": "git push --force", "think-before-reset": "git reset --hard", "stash": "git stash"}


def slug_of(name: str) -> str:
    return "stash-leaves-files" if name == "stash" else name


def test_what_cannot_be_muted(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson())
    assert 'There is no lesson "zzz"' in lessons.refused("mute", "zzz")
    assert "cannot be used together" in lessons.refused("mute", "stash", "--for", "2h", "--off", code=2)
    assert "longer than ten years" in lessons.refused("mute", "stash", "--for", f"{'9' * 400}w", code=2)
    assert not (home.folder / "passes.json").exists()


def test_a_muted_lesson_does_nothing_until_it_is_unmuted(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking(), stopping())
    for slug in CALLS:
        assert lessons.ok("mute", slug) == f"Muted {slug_of(slug)}. Run `lessons unmute {slug_of(slug)}` to end it.\n"
    assert [home.run(bash(command)) for command in CALLS.values()] == [(0, None)] * 3
    assert [line["decision"] for line in home.log()] == ["muted"] * 3
    for slug in CALLS:
        assert lessons.ok("mute", slug, "--off") == f"Unmuted {slug_of(slug)}.\n"
    assert reason_of(home.run(bash(CALLS["no-force-push"])))
    assert reason_of(home.run(bash(CALLS["think-before-reset"])))
    assert context_of(home.run(bash(CALLS["stash"])))
    decisions = (home.folder / "decisions.jsonl").read_text(encoding="utf-8")
    assert (decisions.count('"muted"'), decisions.count('"unmuted"')) == (3, 3)


def test_for_a_time(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    document = lessons.json("mute", "no-force", "--for", "2h")
    assert (document["slug"], document["muted"]) == ("no-force-push", True)
    assert 7000 < document["until"] - time.time() <= 7200
    assert home.run(bash("git push --force")) == (0, None)
    lessons.ok("mute", "no-force", "--for", "0.000001s")
    assert reason_of(home.run(bash("git push --force")))


def test_a_mute_is_seen_in_try_list_and_show(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking())
    lessons.ok("mute", "stash", "--for", "2h")
    lessons.ok("mute", "no-force")
    tried = lessons.ok("try", "git", "stash")
    assert "No lesson fires" in tried and "Muted until 20" in tried and "`lessons unmute stash-leaves-files`" in tried
    document = lessons.json("try", "git", "push", "--force")
    assert (document["decision"], document["lessons"], document["output"]) == ("none", [], "")
    assert document["muted"] == [{"slug": "no-force-push", "until": None}]
    listed = {row[0]: row[1] for row in (line.split("\t") for line in lessons.ok("list").splitlines())}
    assert listed["no-force-push"] == "active, muted"
    assert listed["stash-leaves-files"] == "active, muted"
    assert "muted       until 20" in lessons.ok("show", "stash-leaves-files")
    assert "\nmuted" in lessons.ok("show", "no-force")
    assert lessons.json("show", "no-force")["muted"] == {"until": None}
    lessons.ok("unmute", "no-force")
    assert "muted" not in lessons.ok("show", "no-force")
    assert lessons.json("show", "no-force")["muted"] is None
    assert lessons.json("try", "git", "push", "--force")["muted"] == []


def test_the_list_of_mutes(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking(), stopping())
    assert "SLUG" in lessons.refused("mute", code=2)
    assert "cannot be used together" in lessons.refused("mute", "--list", "stash", code=2)
    assert "cannot be used together" in lessons.refused("mute", "--list", "--off", code=2)
    assert lessons("mute", "--list").error == "No lesson is muted.\n"
    assert lessons.json("mute", "--list") == {"muted": []}
    lessons.ok("mute", "stash", "--for", "2h")
    lessons.ok("mute", "no-force")
    lessons.ok("mute", "think", "--for", "0.000001s")
    rows = [line.split("\t") for line in lessons.ok("mute", "--list").splitlines()]
    assert [row[0] for row in rows] == ["no-force-push", "stash-leaves-files"]
    assert rows[0][1] == "until unmuted" and rows[1][1].startswith("until 20")
    assert [each["slug"] for each in lessons.json("mute", "--list")["muted"]] == [row[0] for row in rows]
