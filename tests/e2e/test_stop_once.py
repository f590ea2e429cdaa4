"""The first call that a stop is about does not run; the model reads why, and its rerun passes."""

from tests.builders.lessons import stopping
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

COMMAND = "git reset --hard; touch it-ran"


def test_a_stopped_call_does_not_run(installed: World) -> None:
    installed.add(stopping())

    talk = installed.run("Begin.", [bash(COMMAND, "first"), say("Done.")])

    assert not (installed.project / "it-ran").exists()
    told = talk.results()["first"]
    assert told.is_error
    assert "Stash with -u" in told.text and "Stopped once by the user's lesson `think-before-reset`" in told.text
    seen("claude-code", "PreToolUse", "stop once: the call does not run, the model reads why", True)


def test_the_rerun_passes_and_nothing_is_said_twice(installed: World) -> None:
    installed.add(stopping())
    # The model takes its time, as one does that reads: what comes within a second was issued in parallel.
    turns = [bash(COMMAND, "first"), bash(COMMAND, "again").thinking(1.2), bash(COMMAND, "later"), say("Done.")]

    talk = installed.run("Begin.", turns)

    assert (installed.project / "it-ran").exists()
    assert [talk.results()[name].is_error for name in ("first", "again", "later")] == [True, False, False]
    assert [text.count("Stopped once by") for text in talk.said()] == [0, 1, 1, 1]
    assert [(event["decision"], event["toolUseId"]) for event in installed.log()] == [("stop", "first")]
    [written], [shown] = installed.injections(), installed.log()
    assert {name: shown[name] for name in written} == written
