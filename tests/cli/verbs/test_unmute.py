"""`lessons unmute`: the same as `lessons mute --off`."""

from tests.builders.home import DataHome, reason_of
from tests.builders.lessons import blocking
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine

CALL = bash("git push origin main --force")


def test_a_lesson_that_is_not_there(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    assert 'There is no lesson "zzz"' in lessons.refused("unmute", "zzz")


def test_a_lesson_that_is_not_muted(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    sentence = "no-force-push is not muted: `lessons mute --list` lists the muted lessons.\n"
    for arguments in (["unmute", "no-force"], ["mute", "no-force", "--off"]):
        assert lessons.refused(*arguments) == sentence
    assert not (home.folder / "decisions.jsonl").exists()


def test_it_fires_again(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    lessons.ok("mute", "no-force")
    assert home.run(CALL) == (0, None)
    assert lessons.ok("unmute", "no-force") == "Unmuted no-force-push.\n"
    assert reason_of(home.run(CALL))
    lessons.ok("mute", "no-force")
    assert lessons.json("unmute", "no-force") == {"slug": "no-force-push", "muted": False, "until": None}
