"""A subagent has its own context: it gets the protocol, and lessons that its parent already had."""

from lessons.inject import session_start
from tests.builders.lessons import lesson, stopping
from tests.e2e.rig.script import agent, bash, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."


def test_subagent_gets_protocol_and_its_own_hints(installed: World) -> None:
    installed.add(lesson())
    installed.lessons("config", "set", "lessonProtocol", "always")
    turns = [bash("git stash; true", "parent"), agent("You are HELPER."), bash("git stash; true"), say("Done.")]
    helper = [bash("git stash; true", "child"), bash("git stash; true"), say("Back to you.")]

    talk = installed.run("Begin.", turns, {"HELPER": helper})

    requests = talk.on("HELPER")
    assert [request.text.count(session_start.SHORT_PROTOCOL) for request in requests] == [1, 1, 1]
    assert session_start.FULL_PROTOCOL not in requests[0].text
    assert [request.text.count(HINT) for request in requests] == [0, 1, 1]
    assert [text.count(session_start.FULL_PROTOCOL) for text in talk.said()] == [1, 1, 1, 1]
    assert [text.count(HINT) for text in talk.said()] == [0, 1, 1, 1]
    parent, child = installed.log()
    assert (parent["toolUseId"], parent["agentId"]) == ("parent", None)
    assert child["toolUseId"] == "child" and child["agentId"]
    assert parent["session"] == child["session"] == talk.session
    seen("claude-code", "SubagentStart", "a subagent gets notes and hints of its own", True)


def test_subagent_is_stopped_although_its_parent_was(installed: World) -> None:
    installed.add(stopping())
    turns = [bash("git reset --hard", "parent"), agent("You are HELPER.").thinking(1.2), say("Done.")]
    helper = [bash("git reset --hard", "child"), bash("git reset --hard; true", "again").thinking(1.2), say("Back.")]

    talk = installed.run("Begin.", turns, {"HELPER": helper})

    assert [talk.results()[name].is_error for name in ("parent", "child", "again")] == [True, True, False]
    assert [event["toolUseId"] for event in installed.log("--decision", "stop")] == ["parent", "child"]
