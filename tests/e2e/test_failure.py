"""A failed call gets the lesson about its error, directly with that error."""

from tests.builders.lessons import lesson
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

ADVICE = "Ask for the port with --port, the default one is taken."


def taken_port(**changes: object) -> dict[str, object]:
    triggers = {"errorPatterns": ["Address already in use"]}
    return lesson("port-is-taken", triggers=triggers, problem="The default port is taken.", solution=ADVICE, **changes)


def test_neither_success_nor_another_error_gets_it(installed: World) -> None:
    installed.add(taken_port())
    turns = [bash("echo Address already in use"), bash("echo Permission denied >&2; exit 3"), say("Done.")]

    talk = installed.run("Begin.", turns)

    assert ADVICE not in talk.everything()
    assert installed.injections() == []


def test_the_error_brings_its_lesson_once(installed: World) -> None:
    installed.add(taken_port())
    line = "echo 'bind: Address already in use' >&2; exit 1"

    talk = installed.run("Begin.", [bash(line, "first"), bash(line, "second"), say("Done.")])

    assert talk.results()["first"].is_error and "Exit code 1" in talk.results()["first"].text
    assert ADVICE in talk.request(1).new
    assert "about `echo 'bind: Address already in use' >&2; exit 1`" in talk.request(1).new
    assert [text.count(ADVICE) for text in talk.said()] == [0, 1, 1]
    [event] = installed.log()
    assert (event["event"], event["decision"], event["toolUseId"]) == ("PostToolUseFailure", "hint", "first")
    seen("claude-code", "PostToolUseFailure", "a lesson right after a failed call", True)
