"""After /clear the context is empty: protocol and hints are shown as in a new session."""

from lessons.inject import session_start
from tests.builders.lessons import lesson
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.terminal import Terminal
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."


def test_clear_starts_afresh(installed: World) -> None:
    installed.add(lesson())
    installed.lessons("config", "set", "lessonProtocol", "always")
    turns = [bash("git stash; true", "before"), say("First is done.")]
    turns += [bash("git stash; true", "after"), say("Second is done.")]

    with Terminal(installed, turns, arguments=["--allowedTools", "Bash"]) as terminal:
        terminal.say("Begin at once.")
        terminal.wait_for("First is done.")
        terminal.say("/clear")
        terminal.wait_until(lambda: "First is done." not in terminal.screen(), "cleared screen")
        terminal.say("Begin afresh.")
        terminal.wait_for("Second is done.")
        talk = terminal.conversation()

    assert [text.count(HINT) for text in talk.said()] == [0, 1, 0, 1]
    assert [text.count(session_start.FULL_PROTOCOL) for text in talk.said()] == [1, 1, 1, 1]
    assert "Begin at once." not in talk.request(2).text
    before, after = installed.log()
    assert (before["toolUseId"], after["toolUseId"]) == ("before", "after")
    assert before["session"] != after["session"]
