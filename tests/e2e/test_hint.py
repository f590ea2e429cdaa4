"""A hint reaches the model with the result of its call, once per context."""

import pytest

from tests.builders.lessons import lesson
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."


def test_other_calls_get_no_hint(installed: World) -> None:
    installed.add(lesson())

    talk = installed.run("Begin.", [bash("echo git-stash is a word"), say("Done.")])

    assert HINT not in talk.everything()
    assert installed.injections() == []
    assert installed.faults() == ""


# Newer models get what hooks say as a message of its own, older ones inside of the message with the results.
@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-sonnet-4-5"])
def test_hint_comes_with_the_result_and_only_once(installed: World, model: str) -> None:
    installed.add(lesson())
    turns = [bash("git stash; true", "first"), bash("git stash; true", "second"), say("Done.")]

    talk = installed.run("Begin.", turns, arguments=["--model", model])

    assert [text.count(HINT) for text in talk.said()] == [0, 1, 1]
    assert HINT in talk.request(1).new
    assert "about `git stash; true`" in talk.request(1).new
    assert not any(result.is_error for result in talk.results().values())
    [event] = installed.log()
    assert (event["decision"], event["slug"], event["toolUseId"]) == ("hint", "stash-leaves-files", "first")
    assert event["session"] == talk.session
    assert [line["toolUseId"] for line in installed.injections()] == ["first"]
    seen("claude-code", "PreToolUse", "a hint reaches the model with the result of the call", True)
