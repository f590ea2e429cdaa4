"""`lessons cost`: what repeated mistakes cost, before anything is installed, and that it stores nothing."""

import os
import signal
import subprocess
import time
from pathlib import Path

from tests.builders.mistakes import write_sessions
from tests.builders.transcript import Session
from tests.cli.command_line import COLUMNS, LESSONS, CommandLine, widest
from tests.cli.transcripts import projects
from tests.cli.verbs.test_scan import contents

KEYS = "since until sessions pricesOf total mistakes".split()


def write_one(folder: Path, name: str, day: int, model: str = "claude-opus-5") -> tuple[str, str]:
    """A session that makes the mistake, looks, and corrects it; its failed call and the look."""
    session = Session(name, cwd=f"/home/somebody/{name}", model=model)
    session.began = session.began.replace(day=day)
    wrong = session.call("Bash", {"command": f"gh pr diff {day} --stat"})
    session.result(wrong, "Exit code 1\nunknown flag: --stat", error=True)
    look = session.call("Bash", {"command": "ls shop"})
    session.result(look, "shop")
    session.result(session.call("Bash", {"command": f"gh pr diff {day} --name-only"}), "a.py")
    session.write(folder)
    return wrong, look


def test_nothing_to_read(lessons: CommandLine) -> None:
    lessons.home.rmdir()
    assert lessons.ok("cost").startswith("No session was found.")
    assert lessons.json("cost")["total"]["repeats"] == 0
    assert "does not exist" in lessons.refused("cost", "--path", "/nowhere")
    assert not lessons.home.exists()


def test_one_session_alone_repeats_nothing(lessons: CommandLine) -> None:
    write_one(projects(lessons), "one", 2)
    assert lessons.ok("cost").startswith("No mistake was repeated in another session (1 session, 2026-09-02")


def test_every_counted_call_is_named_and_nothing_is_stored(lessons: CommandLine) -> None:
    lessons.home.rmdir()
    folder = projects(lessons)
    write_one(folder, "one", 2)
    wrong, look = write_one(folder, "two", 3)
    before = contents(lessons.person)
    found = lessons.json("cost")
    assert list(found) == KEYS
    [mistake] = found["mistakes"]
    [repeat] = mistake["occurrences"]
    assert mistake["problem"] == "`gh pr diff 2 --stat` fails: unknown flag: --stat."
    assert (repeat["toolUseId"], [call["toolUseId"] for call in repeat["calls"]]) == (wrong, [wrong, look])
    used = {"inputTokens": 3, "outputTokens": 40, "cacheReadTokens": 18240, "cacheWriteTokens": 211}
    assert all(call.items() >= used.items() and call["dollars"] == 0.011454 for call in repeat["calls"])
    total = found["total"]
    assert (total["repeats"], total["calls"], total["tokens"], total["dollars"]) == (1, 2, 2 * 18494, 0.022908)
    assert total["seconds"] == sum(call["seconds"] for call in repeat["calls"]) > 0
    assert contents(lessons.person) == before and not lessons.home.exists() and not os.listdir(lessons.temporary)


def test_what_is_chosen(lessons: CommandLine) -> None:
    folder = projects(lessons)
    for name, day, model in (("one", 2, ""), ("two", 3, "claude-opus-5"), ("three", 4, "claude-x")):
        write_one(folder, name, day, model)

    def repeats(*arguments: str) -> tuple[int, int]:  # and calls of the model without a price
        total = lessons.json("cost", *arguments)["total"]
        return total["repeats"], total["callsWithoutPrice"]

    assert repeats() == repeats("--path", str(folder)) == repeats("--agent", "claude-code") == (2, 2)
    assert repeats("--since", "2026-09-04") == repeats("--project", "three") == (1, 2)
    assert repeats("--agent", "codex") == repeats("--project", "/home/somebody/one") == (0, 0)
    # A history counts too where no folder is named; a folder that is named counts alone.
    lessons.ok("scan")
    assert repeats() == (2, 2)
    assert repeats("--path", str(lessons.work)) == (0, 0)


def test_a_screen_of_80_columns(lessons: CommandLine) -> None:
    write_sessions(projects(lessons), 4)
    screen = lessons.by_person("cost", COLUMNS=str(COLUMNS)).out
    lines = screen.splitlines()
    assert widest(lines) <= COLUMNS and len(lines) <= 24
    assert (
        "about:" in screen
        and "no price for claude-x" in screen
        and screen.rstrip().endswith("To stop them: lessons init")
    )
    assert screen.count("×") == 5


def test_interrupted_it_leaves_nothing(lessons: CommandLine) -> None:
    lessons.home.rmdir()
    for number in range(40):
        write_sessions(projects(lessons) / str(number), 6)
    with subprocess.Popen([LESSONS, "cost"], env=lessons.environment(), cwd=lessons.work) as running:
        while running.poll() is None and not list(lessons.temporary.glob("lessons-*/history.db")):
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=30) in (130, -signal.SIGINT, 0)
    assert not os.listdir(lessons.temporary) and not lessons.home.exists()
