"""In a terminal the model gets the hints, and the user sees what was stopped."""

from tests.builders.lessons import blocking, lesson, stopping
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.terminal import Terminal
from tests.e2e.rig.world import World


def test_person_sees_the_stop_and_model_gets_hint_and_reason(installed: World) -> None:
    installed.add(lesson())
    installed.add(stopping(summary="Look at what a hard reset throws away"))
    turns = [bash("git stash; true", "stash"), bash("git reset --hard", "reset"), say("All is done.")]

    with Terminal(installed, turns, arguments=["--allowedTools", "Bash"]) as terminal:
        terminal.say("Begin now.")
        screen = terminal.wait_for("All is done.")
        talk = terminal.conversation()

    assert "stopped once by `think-before-reset` (Look at what a hard reset throws away)" in screen
    assert "untracked files go along" not in screen, "a hint is for the model"
    assert "untracked files go along" in talk.request(1).new
    assert talk.results()["reset"].is_error
    assert "Stopped once by the user's lesson" in talk.request(2).new
    assert [(event["decision"], event["toolUseId"]) for event in installed.log()] == [
        ("hint", "stash"),
        ("stop", "reset"),
    ]


def test_only_the_person_reads_how_to_let_a_blocked_call_pass(installed: World) -> None:
    installed.add(blocking(summary="The history of a shared branch is not rewritten"))

    with Terminal(installed, [bash("git push --force"), say("All is done.")]) as terminal:
        terminal.say("Begin now.")
        screen = terminal.wait_for("All is done.")
        talk = terminal.conversation()

    assert "To let it pass once: lessons allow no-force-push" in screen
    assert "lessons allow" not in talk.everything()
    assert "The branch is shared. This was: git push --force" in talk.request(1).new
