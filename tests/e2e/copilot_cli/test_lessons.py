"""What the model of the real Copilot CLI is told, and which calls run."""

import json

import pytest

from tests.builders.lessons import blocking, lesson, stopping
from tests.e2e.rig.chat_world import CopilotWorld
from tests.e2e.rig.script import call, say, together
from tests.e2e.rig.seen import seen

HINT = "Stash with -u, so that the untracked files go along."
COMMAND = "git reset --hard; touch it-ran"


def test_calls_without_a_lesson_run_in_silence(installed: CopilotWorld) -> None:
    installed.add(lesson())
    talk = installed.run("Begin.", [installed.shell("echo git-stash is a word", "first"), say("Done.")])
    assert "git-stash is a word" in talk.results()["first"].text
    assert HINT not in talk.everything()
    assert (installed.injections(), installed.faults()) == ([], "")


def test_a_hint_comes_behind_the_result_and_only_once(installed: CopilotWorld) -> None:
    installed.add(lesson())
    turns = [installed.shell("git stash; true", "first"), installed.shell("git stash; true", "second"), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert [text.count(HINT) for text in talk.said()] == [0, 1, 1]
    assert HINT in talk.request(1).new
    [event] = installed.log()
    assert (event["decision"], event["slug"], event["agent"]) == ("hint", "stash-leaves-files", "copilot-cli")
    assert event["session"] == installed.transcripts()[0].parent.name
    seen("copilot-cli", "PreToolUse", "a hint reaches the model with the result of the call", True)


def test_a_lesson_for_the_start_of_a_session_is_told_at_once(installed: CopilotWorld) -> None:
    installed.add(lesson("starts", triggers={"sessionStart": True}))
    talk = installed.run("Begin.", [say("Done.")])
    assert HINT in talk.request(0).text
    seen("copilot-cli", "SessionStart", "lessons of the start reach the first request", True)


def test_a_stopped_call_does_not_run_and_its_rerun_does(installed: CopilotWorld) -> None:
    installed.add(stopping())
    turns = [installed.shell(COMMAND, "first"), installed.shell(COMMAND, "again").thinking(1.2), say("Done.")]
    talk = installed.run("Begin.", turns)
    results = talk.results()
    assert "Stopped once by" in results["first"].text and "Stopped once by" not in results["again"].text
    assert (installed.project / "it-ran").exists()
    assert [event["decision"] for event in installed.log()] == ["stop"]
    seen("copilot-cli", "PreToolUse", "stop once: the call does not run, the model reads why", True)


def test_calls_of_one_message_are_stopped_together(installed: CopilotWorld) -> None:
    installed.add(stopping())
    both = together(installed.shell(f"{COMMAND}-a", "a"), installed.shell(f"{COMMAND}-b", "b"))
    talk = installed.run("Begin.", [both, say("Done.")])
    assert all("Stopped once by" in talk.results()[name].text for name in ("a", "b"))
    assert not list(installed.project.glob("it-ran*"))


def test_parallel_calls_get_one_hint(installed: CopilotWorld) -> None:
    installed.add(lesson())
    calls = together(*(installed.shell(f"git stash; echo ran-{number}", f"c{number}") for number in range(4)))
    talk = installed.run("Begin.", [calls, say("Done.")])
    assert all(f"ran-{number}" in talk.results()[f"c{number}"].text for number in range(4))
    assert talk.request(1).text.count(HINT) == 1
    seen("copilot-cli", "PreToolUse", "parallel calls get one hint, which names its call", True)


def test_a_blocked_call_never_runs(installed: CopilotWorld) -> None:
    installed.add(blocking())
    command = "git push --force; touch it-ran"
    turns = [installed.shell(command, "first"), installed.shell(command, "again").thinking(1.2), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert all("The branch is shared." in talk.results()[name].text for name in ("first", "again"))
    assert not (installed.project / "it-ran").exists()
    seen("copilot-cli", "PreToolUse", "block: every such call is denied with its reason", True)


@pytest.mark.parametrize("tool", ["shell", "edit"])
def test_a_lesson_about_an_error_comes_with_it(installed: CopilotWorld, tool: str) -> None:
    installed.add(lesson("errors", triggers={"errorPatterns": ["no matches found", "no such file or directory, open"]}))
    failing = installed.shell("echo 'zsh: no matches found: *.x'; exit 1", "bad")
    if tool == "edit":
        missing = {"path": str(installed.project / "none.txt"), "old_str": "a", "new_str": "b"}
        failing = call("edit", missing, "bad")
    talk = installed.run("Begin.", [failing, say("Done.")])
    assert HINT in talk.request(1).new
    seen("copilot-cli", "PostToolUse", "a lesson right after a failed call", True)


def test_a_subagent_is_hinted_at_in_its_own_context(installed: CopilotWorld) -> None:
    installed.add(lesson())
    task = {"description": "sub", "prompt": "SUBTASK go", "agent_type": "general-purpose", "name": "s", "mode": "sync"}
    turns = [installed.shell("git stash; true", "main"), call("task", task, "agent"), say("Done.")]
    routes = {"SUBTASK": [installed.shell("git stash; true", "sub"), say("Sub done.")]}
    talk = installed.run("Begin.", turns, routes)
    assert talk.on("SUBTASK")[1].text.count(HINT) == 1
    events = installed.log()
    assert len({event["session"] for event in events}) == 1 and len({event["agentId"] for event in events}) == 2
    seen("copilot-cli", "PreToolUse", "a subagent gets notes and hints of its own", True)


def test_the_hook_goes_out_without_a_trace(installed: CopilotWorld) -> None:
    assert len(json.loads(installed.hook_file.read_text())["hooks"]) == 8
    installed.lessons("uninstall", "--agent", "copilot-cli")
    assert not installed.hook_file.exists()
    assert installed.run("Begin.", [installed.shell("echo ran", "x"), say("Done.")]).results()["x"].text.count("ran")
