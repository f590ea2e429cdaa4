"""What the model of the real Gemini CLI gets, and which calls run: stops before a call, hints with its result."""

from tests.builders.lessons import in_own_words, lesson
from tests.e2e.rig.gemini_world import GeminiWorld
from tests.e2e.rig.lesson_tests import HINT, ActsOnLessons
from tests.e2e.rig.script import call, say
from tests.e2e.rig.seen import seen


class TestGemini(ActsOnLessons):
    pass


def test_lessons_about_errors_and_files_come_with_the_result(installed: GeminiWorld) -> None:
    installed.add(lesson("errors", triggers={"errorPatterns": ["no matches found"]}))
    installed.add(in_own_words(lesson("edits", triggers={"errorPatterns": ["Could not find"]})))
    installed.add(in_own_words(lesson("files", triggers={"pathPatterns": ["*.txt"]})))
    (installed.project / "old.md").write_text("old\n")
    edit = {"file_path": "old.md", "old_string": "nothere", "new_string": "x", "instruction": "x"}
    turns = [
        installed.shell("echo 'zsh: no matches found: *.x'; exit 1", "bad"),
        call("replace", edit, "edit"),
        call("write_file", {"file_path": "new.txt", "content": "new\n"}, "write"),
        say("Done."),
    ]
    talk = installed.run("Begin.", turns)
    assert HINT in talk.results()["bad"].text
    shown = [(event["slug"], event["decision"]) for event in installed.log()]
    assert sorted(shown) == [("edits", "hint"), ("errors", "hint"), ("files", "hint")]
    assert (installed.project / "new.txt").exists()
    seen("gemini-cli", "AfterTool", "a lesson right after a failed call", True)
