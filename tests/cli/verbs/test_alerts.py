"""`lessons alerts`: nothing measured is not well, each alert has one action, and an acknowledgement stands."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lessons.opportunity import Opportunity
from lessons.project_state import GitState, Handoff
from lessons.store import logs
from lessons.store.history.history import History
from lessons.store.state import begin_session
from lessons.store.state_files import handoffs
from lessons.store.state_paths import StatePaths
from tests.builders.client_lines import START
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine

ALL = {
    *(
        "hook-silent",
        "stale-manifest",
        "faults",
        "mistake-returned",
        "false-alarms",
        "candidates-waiting",
        "failures-to-learn-from",
    ),
    *("unclean-end", "uncommitted-work", "review-backlog"),
}
GONE = 2**22 + 1  # no process has this number


def alerts(lessons: CommandLine, *arguments: str) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in lessons.json("alerts", *arguments)["alerts"]}


def place_of(lessons: CommandLine) -> StatePaths:
    return StatePaths(str(lessons.home), str(lessons.work))


def chance(number: int, outcome: str, slug: str = "stash") -> Opportunity:
    words: dict[str, Any] = {
        "lesson": slug,
        "slug": slug,
        "session": f"s{number}",
        "agent": "claude-code",
        "model": "",
        "project": "/p",
    }
    more: dict[str, Any] = {"tool_use_id": f"t{number}", "decision": "hint", "outcome": outcome, "failed": None}
    return Opportunity(**words, **more, time="2999-01-01T00:00:00Z", is_active=True)


def put_chances(lessons: CommandLine, found: list[Opportunity]) -> None:
    with History.opened(str(lessons.home)) as history, history.transaction():
        history.ledger.add([(each, "") for each in found])


def test_no_data_is_never_well(lessons: CommandLine) -> None:
    found = lessons.json("alerts")
    assert found["alerts"] == [] and found["noData"].keys() == ALL - {"faults"}
    ended = lessons("alerts")
    assert ended.out == "No alerts among what could be measured.\n" and "not measured review-backlog: " in ended.error


def test_what_cannot_be_done(lessons: CommandLine) -> None:
    assert "Give --ack or --all, not both." in lessons.refused("alerts", "--ack", "faults", "--all", code=2)
    assert "faults is no alert now" in lessons.refused("alerts", "--ack", "faults")
    assert "nonsense is no alert" in lessons.refused("alerts", "--ack", "nonsense")


def test_faults_and_a_stale_manifest(lessons: CommandLine, home: DataHome) -> None:
    home.publish(lesson())
    assert "stale-manifest" not in alerts(lessons)
    home.write(lesson(), lesson("other"))
    logs.record_fault(home.path, "PreToolUse", "it broke")
    found = alerts(lessons)
    assert found["stale-manifest"]["action"] == "lessons build"
    assert (found["faults"]["severity"], found["faults"]["message"]) == (
        "warning",
        "1 fault logged in the last 7 days.",
    )


def test_mistakes_that_came_back_and_false_alarms(lessons: CommandLine) -> None:
    put_chances(lessons, [chance(1, "ignoredFailed"), *(chance(2 + number, "falseAlarm") for number in range(10))])
    assert not alerts(lessons).keys() & {"mistake-returned", "false-alarms"}
    put_chances(lessons, [chance(20, "stoppedRepeated"), chance(21, "falseAlarm")])
    found = alerts(lessons)
    assert found["mistake-returned"]["action"] == "lessons stats stash"
    assert "made 2 times" in found["mistake-returned"]["message"]
    assert found["false-alarms"]["action"] == "lessons edit stash"
    put_chances(lessons, [chance(30 + number, "falseAlarm") for number in range(10)])
    assert alerts(lessons)["false-alarms"]["action"] == "lessons archive stash"


HOUR = 3600.0
SESSION = START.timestamp()  # when the session of `with_a_session` begins; it lasts a few seconds
# When the hook was installed, when it last fired, and how the alert begins: none if it is empty.
SILENCE: list[tuple[float, float | None, str]] = [
    (SESSION + 1, None, ""),  # older sessions only
    (SESSION - HOUR / 2, None, ""),  # not for long
    (SESSION - 9 * HOUR, SESSION + HOUR, ""),  # it fired since
    (SESSION + HOUR, SESSION - 9 * HOUR, ""),  # installed anew since
    (SESSION - 2 * HOUR, None, "The hook has never fired, although sessions ran until 2026-09-01."),
    (SESSION - 9 * HOUR, SESSION - 30 * HOUR, "The hook has not fired since 2026-08-3"),
]


def with_a_session(lessons: CommandLine) -> None:
    session = Session("new", cwd=str(lessons.work))
    session.prompt("Begin.")
    session.write(lessons.person / ".claude" / "projects")
    lessons.json("scan")


def put_time(path: Path, moment: float) -> None:
    path.parent.mkdir(exist_ok=True)
    path.touch()
    os.utime(path, (moment, moment))


@pytest.mark.parametrize(("installed", "last_fired", "message"), SILENCE)
def test_a_hook_that_does_not_fire(
    installed: float, last_fired: float | None, message: str, lessons: CommandLine, home: DataHome
) -> None:
    with_a_session(lessons)
    lessons.json("install", "--agent", "claude-code")
    put_time(lessons.settings, installed)
    if last_fired is not None:
        put_time(home.folder / "fired" / "SessionStart", last_fired)
    found = alerts(lessons).get("hook-silent")
    assert found["message"].startswith(message) if found and message else found is None and not message, found


def test_a_session_that_ended_unexpectedly_and_left_work(lessons: CommandLine) -> None:
    place = place_of(lessons)
    subprocess.run(["git", "init", "-q"], cwd=lessons.work, check=True)
    (lessons.work / "a.py").write_text("x", encoding="utf-8")
    begin_session(place, "one", "2026-05-01T10:00:00Z", os.getpid())
    git = GitState(branch="main", uncommitted=["?? a.py"], uncommitted_count=1)
    handoffs.write(place, "one", Handoff(session_id="one", timestamp="2026-05-01T11:00:00.000Z", git=git))
    assert not alerts(lessons).keys() & {"unclean-end", "uncommitted-work"}  # it runs
    begin_session(place, "one", "2026-05-01T12:00:00Z", GONE)
    found = alerts(lessons)
    assert found["unclean-end"]["message"] == "The session of 2026-05-01 10:00 ended unexpectedly."
    assert found["unclean-end"]["action"] == "lessons handoff list"
    assert found["uncommitted-work"]["message"].endswith("left 1 changed file uncommitted.")
    (lessons.work / "a.py").unlink()
    assert "uncommitted-work" not in alerts(lessons)


def test_delta_and_acknowledgement(lessons: CommandLine) -> None:
    assert lessons.json("alerts")["delta"] is None
    logs.record_fault(str(lessons.home), "PreToolUse", "it broke")
    assert lessons.json("alerts")["delta"]["new"] == ["faults"]
    assert lessons.json("alerts")["delta"]["new"] == []
    assert alerts(lessons, "--ack", "faults")["faults"]["acknowledged"] is True
    assert "faults (acknowledged)" in lessons("alerts").out
    for _ in range(3):
        logs.record_fault(str(lessons.home), "PreToolUse", "it broke")
    assert alerts(lessons)["faults"]["acknowledged"] is False  # it has grown
    assert alerts(lessons, "--all")["faults"]["acknowledged"] is True
    (lessons.home / "faults.log").unlink()
    assert lessons.json("alerts")["delta"]["resolved"] == ["faults"]
