"""`lessons unarchive`: a retired lesson acts again; one that is not retired is left alone."""

from tests.builders.home import DataHome, reason_of
from tests.builders.lessons import blocking, lesson
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine


def test_what_is_not_retired_is_refused(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(stage="shadow"))
    sentence = lessons.refused("unarchive", "stash")
    assert sentence == "stash-leaves-files is not retired: its stage is shadow.\n"


def test_it_acts_again(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking(stage="retired"))
    assert lessons.ok("unarchive", "no-force") == "no-force-push fires again.\n"
    assert "stage" not in lessons.json("show", "no-force")
    assert reason_of(home.run(bash("git push --force")))
    assert '"unarchived"' in (lessons.home / "decisions.jsonl").read_text(encoding="utf-8")
