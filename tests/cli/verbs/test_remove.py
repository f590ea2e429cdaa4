"""`lessons remove`: the same as `lessons archive`."""

from tests.builders.home import DataHome
from tests.builders.lessons import blocking
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine


def test_it_retires_the_lesson_and_says_how_to_bring_it_back(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    said = lessons.ok("remove", "no-force", "--reason", "we push alone")
    assert said == (
        "Retired no-force-push: it no longer fires. Run `lessons unarchive no-force-push` to bring it back.\n"
    )
    assert home.run(bash("git push origin main --force")) == (0, None)
    assert lessons.json("show", "no-force")["stage"] == "retired"
    assert '"archived"' in (lessons.home / "decisions.jsonl").read_text(encoding="utf-8")
