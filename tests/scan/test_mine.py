"""Sessions with mistakes in a real history: which candidates result, and their evidence."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lessons.scan.mine import mine
from lessons.store import decisions
from lessons.store.decisions import Decision
from lessons.store.history import database, sessions
from lessons.store.history.history import History
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session
from tests.store.history import earlier as earlier_versions

WINDOW = 8
FLAG = "Exit code 1\nunknown flag: --stat"


@pytest.fixture
def scanned(tmp_path: Path) -> ScannedHome:
    return ScannedHome(tmp_path)


def calls(session: Session, *pairs: tuple[str, str]) -> list[str]:
    """Shell calls with what they printed; what begins with an exit code has failed. Returns their ids."""
    names = []
    for command, printed in pairs:
        names.append(session.call("Bash", {"command": command}))
        session.result(names[-1], printed, error=printed.startswith("Exit code"))
    return names


def stored(home: ScannedHome, tier: int = 2) -> list[tuple[object, ...]]:
    return home.rows(f"SELECT kind, document, confidence FROM candidates WHERE tier = {tier} ORDER BY fingerprint")


def evidence(home: ScannedHome) -> list[tuple[object, ...]]:
    return home.rows("SELECT tool_use_id, fix_tool_use_id FROM evidence ORDER BY time, tool_use_id")


def test_a_failure_and_its_fix(scanned: ScannedHome) -> None:
    session = Session("s1")
    failed, fixed = calls(session, ("gh pr diff 7 --stat", FLAG), ("gh pr diff 7 --name-only", "a.py"))
    session.write(scanned.transcripts)
    found = scanned.scan().coverage
    assert len(found.new_candidates) == 1
    (kind, text, confidence) = stored(scanned)[0]
    document = json.loads(str(text))
    assert kind == "wrong-flag"
    assert "--stat" in document["problem"]
    assert "--name-only" in document["solution"]
    assert (document["tool"], document["family"], document["fixed"]) == ("Bash", "gh", 1)
    assert isinstance(confidence, float)
    assert 0.4 <= confidence <= 0.6
    assert evidence(scanned) == [(failed, fixed)]


def test_one_candidate_for_all_sessions(scanned: ScannedHome) -> None:
    for number in range(3):
        session = Session(f"s{number}", cwd=f"/home/somebody/shop-{number}")
        calls(session, (f"gh pr diff {number} --stat", FLAG), (f"gh pr diff {number} --name-only", "a.py"))
        session.write(scanned.transcripts)
        found = scanned.scan().coverage
        assert (len(found.new_candidates), len(found.updated_candidates)) == ((1, 0) if number == 0 else (0, 1))
        assert len(found.recurring_candidates) == (number == 1), "in another session for the first time"
    assert len(stored(scanned)) == 1
    assert len(evidence(scanned)) == 3


def test_what_a_person_said(scanned: ScannedHome) -> None:
    session = Session("s1")
    session.prompt("tidy up")
    calls(session, ("npm install", "added 3 packages"))
    said = session.prompt("no, we use pnpm here, never npm")
    session.write(scanned.transcripts)
    scanned.scan()
    (row,) = stored(scanned, 3)
    assert row[0] == "correction"
    assert "pnpm" in json.loads(str(row[1]))["solution"]
    assert scanned.rows("SELECT uuid FROM evidence") == [(said,)]


def test_what_has_not_changed_is_not_mined_again(scanned: ScannedHome) -> None:
    session = Session("s1")
    calls(session, ("gh pr diff 7 --stat", FLAG))
    session.write(scanned.transcripts)
    scanned.scan()
    with database.opened(scanned.path) as connection:
        history = History(connection, scanned.path)
        assert history.sessions_to_mine.is_empty(WINDOW)
        before = connection.total_changes
        mine(history, WINDOW)
        assert connection.total_changes == before + 1  # the stamp


def test_another_window_looks_at_everything_again(scanned: ScannedHome) -> None:
    session = Session("s1")
    between = [("make lint", "ok")] * 3
    failed, *_, fixed = calls(session, ("gh pr diff 7 --stat", FLAG), *between, ("gh pr diff 7", "a.py"))
    session.write(scanned.transcripts)
    scanned.scan()
    with History.opened(scanned.path) as history:
        assert evidence(scanned) == [(failed, fixed)]
        assert not history.sessions_to_mine.is_empty(2)
        mine(history, 2)
        assert evidence(scanned) == [(failed, "")]


def test_a_history_of_another_version_gets_new_fingerprints(scanned: ScannedHome) -> None:
    session = Session("s1")
    calls(session, ("gh pr diff 7 --stat", FLAG))
    session.write(scanned.transcripts)
    scanned.scan()
    before = scanned.rows("SELECT error_fingerprint FROM calls")
    with closing(sqlite3.connect(scanned.file)) as connection, connection:
        connection.execute("UPDATE calls SET error_fingerprint = 'old'")
        connection.execute("UPDATE facts SET value = '0/8' WHERE name = 'mining'")
    scanned.scan()
    assert scanned.rows("SELECT error_fingerprint FROM calls") == before


def test_a_session_that_was_interrupted_is_mined_the_next_time(scanned: ScannedHome) -> None:
    session = Session("s1")
    calls(session, ("gh pr diff 7 --stat", FLAG))
    session.write(scanned.transcripts)
    scanned.scan()
    with closing(sqlite3.connect(scanned.file)) as connection, connection:
        connection.execute("DELETE FROM candidates")
        connection.execute("DELETE FROM episodes")
        connection.execute("INSERT INTO unmined (session_id) SELECT session_id FROM sessions")
    assert len(scanned.scan().coverage.new_candidates) == 1  # although no file is new


def test_mining_changes_nothing_that_was_decided(scanned: ScannedHome) -> None:
    session = Session("s1")
    calls(session, ("gh pr diff 7 --stat", FLAG))
    session.write(scanned.transcripts)
    scanned.scan()
    with database.opened(scanned.path) as connection:
        connection.execute("UPDATE candidates SET status = 'archived', document = '{}'")
        sessions.add(connection, [session.id])
        mine(History(connection, scanned.path), WINDOW)
        found = connection.execute("SELECT status, document <> '{}' FROM candidates").fetchall()
    assert found == [("archived", 1)]


def test_a_person_who_objected_is_heard(scanned: ScannedHome) -> None:
    session = Session("s1")
    session.prompt("what changed?")
    calls(session, ("gh pr diff 7 --stat", FLAG))
    session.prompt("no, never use --stat here, always use --name-only")
    calls(session, ("gh pr diff 7 --name-only", "a.py"))
    session.write(scanned.transcripts)
    scanned.scan()
    assert json.loads(str(stored(scanned)[0][1]))["userCorrection"] is True


def test_every_occurrence_counts_also_where_lines_have_no_name(scanned: ScannedHome) -> None:
    session = Session("s1")
    calls(session, *[(f"gh pr diff {number} --stat", FLAG) for number in range(3)], ("gh pr diff 3 --name-only", "a"))
    for line in session.lines:
        line.pop("uuid", None)
    session.write(scanned.transcripts)
    scanned.scan()
    assert len(evidence(scanned)) == 3


def test_a_decision_stands_when_something_older_gives_the_group_another_name(scanned: ScannedHome) -> None:
    def told(name: str, error: str) -> None:
        session = Session(name)
        calls(session, ("frob deploy web", f"Exit code 2\n{error}"))
        session.write(scanned.transcripts)

    told("young", "frob: unknown argument was given to the deploy command of the tool")
    scanned.scan()
    (name,) = scanned.rows("SELECT fingerprint FROM candidates")[0]
    archived = Decision(time="2026-01-01T00:00:00Z", id="01", action="archived", fingerprint=str(name))
    decisions.append(scanned.path, [archived])
    scanned.scan(full=True)
    assert scanned.rows("SELECT status FROM candidates") == [("archived",)]
    with closing(sqlite3.connect(scanned.file)) as connection, connection:
        connection.execute("UPDATE calls SET time = '2030' || substr(time, 5)")
    told("old", "frob: unknown argument given to the deploy command of this tool")
    scanned.scan()
    found = scanned.rows("SELECT fingerprint, status FROM candidates")
    assert [status for _, status in found] == ["archived"]
    assert found[0][0] != name


def test_decisions_about_candidates_of_an_earlier_version_stand(scanned: ScannedHome) -> None:
    """The history is one as an earlier version left it: its tables, its candidate and the name that it had.

    A promotion is not decided here: a candidate is promoted if a lesson names it.
    """
    session = Session("s1")
    failed, fixed = calls(session, ("gh pr diff 7 --stat", FLAG), ("gh pr diff 7", "a.py"))
    session.write(scanned.transcripts)
    scanned.scan()
    earlier = "CREATE TABLE episodes" + earlier_versions.STEPS[2].partition("CREATE TABLE episodes")[2]
    with closing(sqlite3.connect(scanned.file)) as connection, connection:
        connection.executescript("DROP TABLE call_features; DROP TABLE earlier_names; DROP TABLE episodes")
        connection.executescript(earlier.partition("CREATE TABLE corrections")[0])
        connection.execute("DELETE FROM proposals")
        connection.execute("UPDATE evidence SET fingerprint = 'fix-old'")
        connection.execute("UPDATE candidates SET fingerprint = 'fix-old', status = 'archived'")
        connection.execute("UPDATE facts SET value = '4/8' WHERE name = 'mining'")
        connection.execute("PRAGMA user_version = 12")
    decided = Decision(time="2026-01-01T00:00:00Z", id="01", action="archived", fingerprint="fix-old")
    decisions.append(scanned.path, [decided])
    scanned.scan()
    [(name, status, document)] = scanned.rows("SELECT fingerprint, status, document FROM candidates")
    assert (name != "fix-old", status, json.loads(str(document))["aliases"]) == (True, "archived", ["fix-old"])
    assert evidence(scanned) == [(failed, fixed)]
