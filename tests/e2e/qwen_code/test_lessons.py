"""What the model of the real Qwen Code gets, and which calls run: stops before a call, hints with its result."""

from typing import Any

from tests.builders.lessons import in_own_words, lesson
from tests.e2e.rig.chat_world import ChatWorld, QwenWorld
from tests.e2e.rig.lesson_tests import HINT, ActsOnLessons
from tests.e2e.rig.script import call, say
from tests.e2e.rig.seen import seen


class TestQwen(ActsOnLessons):
    def check_logged_hint(self, world: ChatWorld, event: dict[str, Any]) -> None:
        assert event["session"] == world.transcripts()[0].stem
        assert event["toolUseId"] == f"first@{event['session']}"


def test_lessons_come_with_the_result_of_a_failed_call_and_of_an_edit(installed: QwenWorld) -> None:
    installed.add(lesson())
    errors = installed.add(in_own_words(lesson("errors", triggers={"errorPatterns": ["no matches found"]})))
    files = installed.add(in_own_words(lesson("files", triggers={"pathPatterns": ["*.txt"]})))
    written = {"file_path": str(installed.project / "new.txt"), "content": "new\n"}
    turns = [
        installed.shell("git stash; exit 3", "first"),
        installed.shell("echo 'zsh: no matches found: *.x'; exit 1", "bad"),
        call("write_file", written, "write"),
        say("Done."),
    ]
    results = installed.run("Begin.", turns).results()
    assert results["first"].text.count(HINT) == 1
    assert str(errors["solution"]) in results["bad"].text
    assert str(files["solution"]) in results["write"].text and (installed.project / "new.txt").exists()
    seen("qwen-code", "PostToolUseFailure", "a lesson right after a failed call", True)
