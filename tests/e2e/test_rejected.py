"""A call that the user rejects loses its hint, so the hint does not count as shown."""

import pytest

from tests.builders.lessons import lesson
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.terminal import Terminal
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."
ASKED = "Do you want to proceed?"


@pytest.mark.parametrize("how", ["Escape", "4"])
def test_a_rejected_call_loses_its_hint_and_the_next_one_brings_it(installed: World, how: str) -> None:
    installed.add(lesson())
    turns = [bash("git stash; touch one", "rejected"), bash("git stash; touch two", "accepted"), say("All is done.")]

    with Terminal(installed, turns) as terminal:
        terminal.say("Begin at once.")
        terminal.answer(ASKED, how)
        terminal.say("Then the other way.")
        terminal.answer(ASKED, "Enter")
        terminal.wait_for("All is done.")
        talk = terminal.conversation()

    assert not (installed.project / "one").exists() and (installed.project / "two").exists()
    assert talk.results()["rejected"].is_error
    assert HINT not in talk.request(1).text, "the client drops what a hook said about a rejected call"
    # What did not reach the model was not shown: it comes with the next such call, and the log tells the two apart.
    assert talk.request(2).text.count(HINT) == 1
    installed.lessons("scan")
    assert [(event["toolUseId"], event["delivered"]) for event in installed.log("--decision", "hint")] == [
        ("rejected", False),
        ("accepted", True),
    ]
    seen("claude-code", "PreToolUse", "a hint survives that the person rejects its call", False)


def test_a_call_interrupted_while_it_runs_loses_its_hint_too(installed: World) -> None:
    installed.add(lesson())
    slow = "git stash; touch begun; sleep 60"
    turns = [bash(slow, "interrupted"), bash("git stash; true", "whole"), say("All is done.")]

    with Terminal(installed, turns, arguments=["--allowedTools", "Bash"]) as terminal:
        terminal.say("Begin at once.")
        terminal.wait_until((installed.project / "begun").exists, "call that runs")
        terminal.press_until("Escape", lambda: "Interrupted" in terminal.screen())
        terminal.say("Then the other way.")
        terminal.wait_for("All is done.")
        talk = terminal.conversation()

    assert HINT not in talk.request(1).text
    assert talk.request(2).text.count(HINT) == 1
    installed.lessons("scan")
    assert [(event["toolUseId"], event["delivered"]) for event in installed.log("--decision", "hint")] == [
        ("interrupted", False),
        ("whole", True),
    ]
