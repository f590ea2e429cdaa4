"""The briefing of a session start: the user sees it once, the model never."""

from lessons.store import logs
from tests.e2e.rig.script import say
from tests.e2e.rig.terminal import Terminal
from tests.e2e.rig.world import World

WORDS = "1 fault logged in the last 7 days. Run `lessons doctor`."


def started(world: World) -> tuple[str, str]:
    """What stands on the screen after a turn, and everything that the model was sent."""
    with Terminal(world, [say("All is done.")]) as terminal:
        terminal.say("Begin now.")
        screen = terminal.wait_for("All is done.")
        return " ".join(screen.split()), terminal.conversation().everything()


def test_the_briefing_reaches_the_person_once_within_its_size_and_not_the_model(installed: World) -> None:
    logs.record_fault(str(installed.data), "PreToolUse", "it broke")
    installed.lessons("alerts", "--auto")

    screen, sent = started(installed)

    assert screen.count(WORDS) == 1
    assert len(f"lessons: {WORDS}".encode()) <= 600
    assert "fault logged" not in sent and "lessons doctor" not in sent
    again, sent_again = started(installed)
    assert "fault logged" not in again and "fault logged" not in sent_again
