"""What the model of the real Gemini CLI is told, and which calls run: stops before a call, hints with its result."""

import json

from tests.builders.lessons import blocking, in_own_words, lesson, stopping
from tests.e2e.rig.gemini_world import GeminiWorld
from tests.e2e.rig.script import call, say, together
from tests.e2e.rig.seen import seen

HINT = "Stash with -u, so that the untracked files go along."
COMMAND = "git reset --hard; touch it-ran"


def test_calls_without_a_lesson_run_in_silence(installed: GeminiWorld) -> None:
    installed.add(lesson())
    talk = installed.run("Begin.", [installed.shell("echo git-stash is a word", "first"), say("Done.")])
    assert "git-stash is a word" in talk.results()["first"].text
    assert HINT not in talk.everything()
    assert (installed.injections(), installed.faults()) == ([], "")


def test_a_hint_comes_with_the_result_and_only_once(installed: GeminiWorld) -> None:
    installed.add(lesson())
    turns = [installed.shell("git stash; true", "first"), installed.shell("git stash; exit 3", "second"), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert [text.count(HINT) for text in talk.said()] == [0, 1, 1]
    assert HINT in talk.results()["first"].text
    [event] = installed.log()
    assert (event["decision"], event["slug"], event["agent"]) == ("hint", "stash-leaves-files", "gemini-cli")
    seen("gemini-cli", "AfterTool", "a hint reaches the model with the result of the call", True)


def test_a_lesson_for_the_start_of_a_session_is_told_once(installed: GeminiWorld) -> None:
    installed.add(lesson("starts", triggers={"sessionStart": True}))
    talk = installed.run("Begin.", [installed.shell("true", "a"), say("Done.")])
    assert [text.count(HINT) for text in talk.said()] == [1, 1]
    seen("gemini-cli", "SessionStart", "lessons of the start reach the first request", True)


def test_a_stopped_call_does_not_run_and_its_rerun_does(installed: GeminiWorld) -> None:
    installed.add(stopping())
    turns = [installed.shell(COMMAND, "first"), installed.shell(COMMAND, "again").thinking(1.2), say("Done.")]
    talk = installed.run("Begin.", turns)
    results = talk.results()
    assert "Stopped once by" in results["first"].text and "Stopped once by" not in results["again"].text
    assert (installed.project / "it-ran").exists()
    assert [event["decision"] for event in installed.log()] == ["stop"]
    seen("gemini-cli", "BeforeTool", "stop once: the call does not run, the model reads why", True)


def test_calls_of_one_message(installed: GeminiWorld) -> None:
    installed.add(stopping())
    installed.add(in_own_words(lesson("one-hint", solution=HINT, triggers={"commandPatterns": ["echo ran"]})))
    stops = together(installed.shell(f"{COMMAND}-a", "a"), installed.shell(f"{COMMAND}-b", "b"))
    hints = together(*(installed.shell(f"echo ran-{number}", f"c{number}") for number in range(4)))
    talk = installed.run("Begin.", [stops, hints, say("Done.")])
    assert all("Stopped once by" in talk.results()[name].text for name in ("a", "b"))
    assert not list(installed.project.glob("it-ran*"))
    assert all(f"ran-{number}" in talk.results()[f"c{number}"].text for number in range(4))
    assert [event["slug"] for event in installed.log() if event["decision"] == "hint"] == ["one-hint"]


def test_a_blocked_call_never_runs(installed: GeminiWorld) -> None:
    installed.add(blocking())
    command = "git push --force; touch it-ran"
    turns = [installed.shell(command, "first"), installed.shell(command, "again").thinking(1.2), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert all("The branch is shared." in talk.results()[name].text for name in ("first", "again"))
    assert not (installed.project / "it-ran").exists()
    seen("gemini-cli", "BeforeTool", "block: every such call is denied with its reason", True)


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


def test_the_hook_goes_out_without_a_trace(world: GeminiWorld) -> None:
    before = world.hook_file.read_bytes()
    world.install()
    assert len(json.loads(world.hook_file.read_text())["hooks"]) == 5
    world.lessons("uninstall", "--agent", "gemini-cli")
    assert world.hook_file.read_bytes() == before
