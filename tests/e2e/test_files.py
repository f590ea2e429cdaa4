"""Lessons about files act on the client's own file tools, with their real names and arguments."""

from tests.builders.lessons import in_own_words, lesson, stopping
from tests.e2e.rig.script import call, say
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."


def test_other_files_and_other_words_get_nothing(installed: World) -> None:
    installed.add(lesson(triggers={"pathPatterns": ["src/**/*.py"]}))
    installed.add(stopping(triggers={"contentPatterns": ["print\\("]}))
    file = str(installed.project / "notes.txt")

    talk = installed.run("Begin.", [call("Write", {"file_path": file, "content": "printed"}, "write"), say("Done.")])

    assert not talk.results()["write"].is_error
    assert installed.injections() == []


def test_a_path_brings_its_hint_to_each_tool(installed: World) -> None:
    remedies = {}
    for tool in ("Write", "Read", "Edit"):
        triggers = {"pathPatterns": ["src/**/*.py"], "toolNames": [tool]}
        remedies[tool] = installed.add(in_own_words(lesson(f"about-{tool.lower()}", triggers=triggers)))["solution"]
    file = str(installed.project / "src" / "deep" / "thing.py")
    turns = [
        call("Write", {"file_path": file, "content": "a = 1\n"}, "Write"),
        call("Read", {"file_path": file}, "Read"),
        call("Edit", {"file_path": file, "old_string": "a = 1", "new_string": "a = 2"}, "Edit"),
        say("Done."),
    ]

    talk = installed.run("Begin.", turns)

    for number, tool in enumerate(remedies, 1):
        assert remedies[tool] in talk.request(number).new
        assert f"about `{file[:60]}" in talk.request(number).new
    assert [event["toolUseId"] for event in installed.log()] == ["Write", "Read", "Edit"]


def test_what_would_be_written_is_stopped_before_it_is(installed: World) -> None:
    installed.add(stopping(triggers={"contentPatterns": ["print\\("], "pathPatterns": ["*.py"]}))
    file = installed.project / "thing.py"
    wrong = {"file_path": str(file), "content": "print('debug')\n"}
    right = {"file_path": str(file), "content": "log('debug')\n"}

    talk = installed.run("Begin.", [call("Write", wrong, "wrong"), call("Write", right, "right"), say("Done.")])

    assert [talk.results()[name].is_error for name in ("wrong", "right")] == [True, False]
    assert file.read_text("utf-8") == "log('debug')\n"
