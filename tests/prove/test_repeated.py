"""A mistake repeated within a day is announced, if the setting is on: one a day, in one line."""

import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lessons.prove.update import put_repeat_line
from lessons.scan.discover import Root
from lessons.store import session_start_files
from lessons.store.history.history import History
from lessons.watch.loop import Watcher
from lessons.watch.tick import Limits
from tests.builders.client_lines import START
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session

DAY = 86_400
MORNING = START.timestamp() + 3600


@pytest.fixture
def home(tmp_path: Path) -> ScannedHome:
    """Two sessions on one day with the same mistake, of which it names the project."""
    made = ScannedHome(tmp_path)
    for number in range(2):
        session = Session(f"s{number}", f"/home/somebody/saffron-{number}")
        wrong = session.call("Bash", {"command": f"gh pr diff {number} --stat"})
        session.result(wrong, "Exit code 1\nunknown flag: --stat", error=True)
        session.result(session.call("Bash", {"command": f"gh pr diff {number} --name-only"}), "a.py")
        session.write(made.transcripts)
    return made


def line(home: ScannedHome, now: float) -> str:
    with History.opened(home.path) as history:
        put_repeat_line(history, now)
    found = session_start_files.read_person_lines(home.path)
    assert all(each.until == now + DAY for each in found.values())
    return found["repeat"].text if found else ""


def test_it_is_off_unless_it_is_asked_for(home: ScannedHome) -> None:
    home.scan()
    assert line(home, MORNING) == ""


def test_what_happened_once_or_before_is_no_repeat(home: ScannedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSONS_REPEAT_LINE", "on")
    home.scan()
    assert line(home, MORNING + DAY) == ""
    home.vanish()
    with History.opened(home.path) as history:
        history.candidates.decide([(str(row[0]), "archived") for row in home.rows("SELECT fingerprint FROM evidence")])
    assert line(home, MORNING) == "", "what is decided is no news"


def test_it_names_the_candidate_and_no_word_of_a_transcript(home: ScannedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSONS_REPEAT_LINE", "on")
    home.scan()
    [(name,)] = home.rows("SELECT DISTINCT fingerprint FROM evidence")
    assert line(home, MORNING) == f"The same mistake was made 2 times within a day. lessons candidates {name}"


def test_the_watcher_announces_it_as_soon_as_it_is_mined(home: ScannedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSONS_REPEAT_LINE", "on")
    shift = START.timestamp() + 600 - time.time()
    watcher = Watcher(home.path, lambda: [Root(str(home.transcripts), ("claude-code",))], Limits(), clock=lambda: 0.0)
    watcher.clock = lambda: time.time() + shift
    watcher._turn()
    assert session_start_files.read_person_lines(home.path)["repeat"].text.startswith(
        "The same mistake was made 2 times"
    )
    assert datetime.fromtimestamp(watcher.clock(), UTC).date() == START.date()
