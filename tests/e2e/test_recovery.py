"""After a recovery the model of the real client is asked for a note: before its next call, or at the turn's end."""

from tests.e2e.rig.lesson_tests import check_recovery
from tests.e2e.rig.script import bash, say, together
from tests.e2e.rig.world import World

FAILS, WORKS = "cat --frobnicate notes.txt", "cat notes.txt"
QUESTION = "If a note would have prevented this"


def test_asked_before_the_next_call_and_linked(installed: World) -> None:
    check_recovery(installed, "PreToolUse", next_call=True)


def test_asked_at_the_end_of_the_turn_once(installed: World) -> None:
    (installed.project / "notes.txt").write_text("total\n")
    talk = installed.run("Begin.", [bash(FAILS), bash(WORKS), say("Done."), say("Nothing to note.")])
    assert [text.count(QUESTION) for text in talk.said()] == [0, 0, 0, 1]
    [event] = installed.log()
    assert (event["event"], event["decision"]) == ("Stop", "asked")


def test_silent_about_calls_made_together_and_where_it_is_off(installed: World) -> None:
    (installed.project / "notes.txt").write_text("total\n")
    talk = installed.run("Begin.", [together(bash(FAILS), bash(WORKS)), bash("true"), say("Done.")])
    assert QUESTION not in talk.everything()
    installed.lessons("config", "set", "lessonProtocol", "false")
    talk = installed.run("Begin.", [bash(FAILS), bash(WORKS), bash("true"), say("Done.")])
    assert QUESTION not in talk.everything()
    assert installed.log() == [] and installed.faults() == ""
