"""A starting session gets the protocol and its start lessons, and triggers a scan of older transcripts."""

import sqlite3
import time

from lessons.inject import session_start
from lessons.store import session_start_files
from tests.builders.lessons import lesson
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.terminal import Terminal
from tests.e2e.rig.world import World


def test_protocol_and_lessons_of_the_start_reach_the_first_request(installed: World) -> None:
    said = {"problem": "Nobody looks at the calendar.", "solution": "Look at the calendar first."}
    installed.add(lesson("calendar", triggers={"sessionStart": True}, **said))
    installed.lessons("config", "set", "lessonProtocol", "always")

    talk = installed.run("Begin.", [bash("true"), say("Done.")])

    assert [text.count(session_start.FULL_PROTOCOL) for text in talk.said()] == [1, 1]
    assert [text.count("Look at the calendar first.") for text in talk.said()] == [1, 1]
    [event] = installed.log()
    assert (event["event"], event["decision"], event["toolUseId"]) == ("SessionStart", "hint", None)
    seen("claude-code", "SessionStart", "lessons of the start reach the first request", True)


def test_lesson_edited_by_hand_acts_in_the_next_session(installed: World) -> None:
    installed.add(lesson())
    file = installed.data / "lessons.json"
    file.write_text(file.read_text("utf-8").replace("Stash with -u", "Stash with --all"), encoding="utf-8")

    talk = installed.run("Begin.", [bash("git stash; true"), say("Done.")])

    assert "Stash with --all" in talk.request(1).new and "Stash with -u" not in talk.everything()


def test_scan_in_the_background_reads_what_the_session_before_left(installed: World) -> None:
    installed.run("Begin.", [bash("echo once", "earlier"), say("Done.")])
    (installed.data / "fired" / "scan").unlink()

    installed.run("Begin again.", [say("Done.")])

    wait_for_call(installed, "earlier")


def test_weekly_line_reaches_the_person_once_and_never_the_model(installed: World) -> None:
    line = "This week: 3 repeats prevented, 1 false alarm. lessons stats"
    installed.add(lesson())
    session_start_files.put_person_line(str(installed.data), "weekly", line, time.time() + 7 * 86_400)
    screens, requests = [], []
    for _ in range(2):
        with Terminal(installed, [say("All is done.")]) as terminal:
            terminal.say("Begin now.")
            screens.append(terminal.wait_for("All is done."))
            requests.append(terminal.conversation().everything())

    assert [" ".join(screen.split()).count(line) for screen in screens] == [1, 0]
    assert [said.count("repeats prevented") for said in requests] == [0, 0]
    assert installed.faults() == ""
    seen("claude-code", "SessionStart", "a line for the person alone", True)


def wait_for_call(world: World, tool_use_id: str) -> None:
    give_up = time.monotonic() + 30
    found = None
    while found is None:
        assert time.monotonic() < give_up, f"no {tool_use_id} in the history; faults: {world.faults()}"
        time.sleep(0.05)
        try:
            with sqlite3.connect(f"file:{world.data / 'history.db'}?mode=ro", uri=True, timeout=5) as history:
                found = history.execute("select outcome from calls where tool_use_id = ?", (tool_use_id,)).fetchone()
        except sqlite3.OperationalError:
            continue  # not made yet
    assert found == ("ok",)
