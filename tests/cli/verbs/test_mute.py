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
    assert home.log() == []
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
    lessons.ok("mute", "no-force", "--for", "0.01s")
    assert reason_of(home.run(bash("git push --force")))
