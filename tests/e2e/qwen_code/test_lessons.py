"""What the model of the real Qwen Code is told, and which calls run: stops before a call, hints with its result."""

import json

from tests.builders.lessons import blocking, lesson, stopping
from tests.e2e.rig.chat_world import QwenWorld
from tests.e2e.rig.script import call, say, together
from tests.e2e.rig.seen import seen

HINT = "Stash with -u, so that the untracked files go along."
COMMAND = "git reset --hard; touch it-ran"


def test_calls_without_a_lesson_run_in_silence(installed: QwenWorld) -> None:
    installed.add(lesson())
    talk = installed.run("Begin.", [installed.shell("echo git-stash is a word", "first"), say("Done.")])
    assert "git-stash is a word" in talk.results()["first"].text
    assert HINT not in talk.everything()
    assert (installed.injections(), installed.faults()) == ([], "")


def test_a_hint_comes_with_the_result_and_only_once(installed: QwenWorld) -> None:
    installed.add(lesson())
    turns = [installed.shell("git stash; true", "first"), installed.shell("git stash; true", "second"), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert [text.count(HINT) for text in talk.said()] == [0, 1, 1]
    assert HINT in talk.results()["first"].text
    [event] = installed.log()
    assert (event["decision"], event["slug"], event["agent"]) == ("hint", "stash-leaves-files", "qwen-code")
    assert event["session"] == installed.transcripts()[0].stem
    assert event["toolUseId"] == f"first@{event['session']}"
    seen("qwen-code", "PostToolUse", "a hint reaches the model with the result of the call", True)


def test_a_hint_comes_with_the_result_of_a_call_that_fails_too(installed: QwenWorld) -> None:
    installed.add(lesson())
    talk = installed.run("Begin.", [installed.shell("git stash; exit 3", "first"), say("Done.")])
    assert talk.results()["first"].text.count(HINT) == 1


def test_a_lesson_for_the_start_of_a_session_is_told_at_once(installed: QwenWorld) -> None:
    installed.add(lesson("starts", triggers={"sessionStart": True}))
    talk = installed.run("Begin.", [installed.shell("true", "a"), say("Done.")])
    assert [text.count(HINT) for text in talk.said()] == [1, 1], "not again at each continuation"
    seen("qwen-code", "SessionStart", "lessons of the start reach the first request", True)


def test_a_stopped_call_does_not_run_and_its_rerun_does(installed: QwenWorld) -> None:
    installed.add(stopping())
    turns = [installed.shell(COMMAND, "first"), installed.shell(COMMAND, "again").thinking(1.2), say("Done.")]
    talk = installed.run("Begin.", turns)
    results = talk.results()
    assert "Stopped once by" in results["first"].text and "Stopped once by" not in results["again"].text
    assert (installed.project / "it-ran").exists()
    assert [event["decision"] for event in installed.log()] == ["stop"]
    seen("qwen-code", "PreToolUse", "stop once: the call does not run, the model reads why", True)


def test_calls_of_one_message_are_stopped_together(installed: QwenWorld) -> None:
    installed.add(stopping())
    both = together(installed.shell(f"{COMMAND}-a", "a"), installed.shell(f"{COMMAND}-b", "b"))
    talk = installed.run("Begin.", [both, say("Done.")])
    assert all("Stopped once by" in talk.results()[name].text for name in ("a", "b"))
    assert not list(installed.project.glob("it-ran*"))


def test_parallel_calls_get_one_hint(installed: QwenWorld) -> None:
    installed.add(lesson())
    calls = together(*(installed.shell(f"git stash; echo ran-{number}", f"c{number}") for number in range(4)))
    talk = installed.run("Begin.", [calls, say("Done.")])
    assert all(f"ran-{number}" in talk.results()[f"c{number}"].text for number in range(4))
    assert talk.request(1).text.count(HINT) == 1
    seen("qwen-code", "PostToolUse", "parallel calls get one hint, which names its call", True)


def test_a_blocked_call_never_runs(installed: QwenWorld) -> None:
    installed.add(blocking())
    command = "git push --force; touch it-ran"
    turns = [installed.shell(command, "first"), installed.shell(command, "again").thinking(1.2), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert all("The branch is shared." in talk.results()[name].text for name in ("first", "again"))
    assert not (installed.project / "it-ran").exists()
    seen("qwen-code", "PreToolUse", "block: every such call is denied with its reason", True)


def test_a_lesson_about_an_error_comes_with_it(installed: QwenWorld) -> None:
    installed.add(lesson("errors", triggers={"errorPatterns": ["no matches found"]}))
    talk = installed.run("Begin.", [installed.shell("echo 'zsh: no matches found: *.x'; exit 1", "bad"), say("Done.")])
    assert HINT in talk.results()["bad"].text
    seen("qwen-code", "PostToolUseFailure", "a lesson right after a failed call", True)


def test_a_lesson_about_a_file_comes_with_the_edit(installed: QwenWorld) -> None:
    installed.add(lesson("files", triggers={"pathPatterns": ["*.txt"]}))
    written = {"file_path": str(installed.project / "new.txt"), "content": "new\n"}
    talk = installed.run("Begin.", [call("write_file", written, "write"), say("Done.")])
    assert HINT in talk.results()["write"].text and (installed.project / "new.txt").exists()


def test_the_hook_goes_out_without_a_trace(world: QwenWorld) -> None:
    before = world.hook_file.read_bytes()
    world.install()
    assert len(json.loads(world.hook_file.read_text())["hooks"]) == 8
    world.lessons("uninstall", "--agent", "qwen-code")
    assert world.hook_file.read_bytes() == before
