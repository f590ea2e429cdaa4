"""What the model of the real opencode gets, and which calls run: stops before a call, hints with its result."""

from typing import Any

import pytest

from lessons.continuity.restore import SUMMARISER_WORDS
from tests.builders.lessons import in_own_words, lesson
from tests.e2e.rig.chat_world import ChatWorld
from tests.e2e.rig.lesson_tests import HINT, ActsOnLessons
from tests.e2e.rig.opencode_world import OpencodeWorld
from tests.e2e.rig.script import call, say
from tests.e2e.rig.seen import seen


class TestOpencode(ActsOnLessons):
    def check_logged_hint(self, world: ChatWorld, event: dict[str, Any]) -> None:
        assert event["toolUseId"] == f"first@{event['session']}"


def test_lessons_about_errors_and_files(installed: OpencodeWorld) -> None:
    """A failed command is told with its result, an error of a tool in the request that first shows it."""
    installed.add(lesson("errors", triggers={"errorPatterns": ["no matches found"]}))
    installed.add(in_own_words(lesson("edits", triggers={"errorPatterns": ["Could not find oldString"]})))
    installed.add(in_own_words(lesson("files", triggers={"pathPatterns": ["*.txt"]})))
    old, new = installed.project / "old.md", installed.project / "new.txt"
    old.write_text("old\n")
    turns = [
        installed.shell("echo 'zsh: no matches found: *.x'; exit 1", "bad"),
        call("read", {"filePath": str(old)}, "read"),
        call("edit", {"filePath": str(old), "oldString": "nothere", "newString": "x"}, "edit"),
        call("write", {"filePath": str(new), "content": "new\n"}, "write"),
        say("Done."),
    ]
    talk = installed.run("Begin.", turns)
    assert HINT in talk.results()["bad"].text
    assert sorted(event["slug"] for event in installed.log()) == ["edits", "errors", "files"]
    assert all("Notes that the user keeps" in talk.results()[name].text for name in ("edit", "write"))
    seen("opencode", "event", "a lesson right after a failed call", True)


def test_a_compaction_is_told_what_to_keep_and_the_work_is_restored(installed: OpencodeWorld) -> None:
    installed.context = 20_000
    turns = [
        installed.shell("echo one-piece-of-work", "a"),
        installed.shell("echo more", "b").using(19_000),
        say("Done."),
    ]
    talk = installed.run("Begin.", turns)
    asked = [request for request in talk.recorded if request not in talk.requests]
    assert any(SUMMARISER_WORDS in request.raw.replace("\\n", "\n") for request in asked)
    restored = [request for request in talk.requests if "one-piece-of-work" in request.text]
    assert talk.requests[-1] in restored and "a restored note" not in talk.everything()
    assert installed.faults() == ""
    seen(
        "opencode",
        "experimental.session.compacting",
        "the handoff is saved before and restored after a compaction",
        True,
    )


@pytest.mark.parametrize("scope", ["user", "project"])
def test_the_plugin_goes_out_without_a_trace(world: OpencodeWorld, scope: str) -> None:
    def files() -> set[str]:
        return {str(path) for path in (*world.configuration.glob("plugins*"), *world.project.glob(".opencode/**/*.js"))}

    before = files()
    world.install("--scope", scope)
    assert len(files() - before) >= 1
    world.lessons("uninstall", "--agent", "opencode", "--scope", scope)
    assert files() == before
