"""The hook's log survives rescue and restore of the history, and is deleted when the user forgets it."""

from pathlib import Path

import pytest

from lessons.prove.tend import counts, feedback_on, record_feedback
from lessons.store import injection_files
from lessons.store.forget import forget, survey
from lessons.store.forget_scope import ForgetScope
from lessons.store.history import backups, recovery
from lessons.store.history.history import History
from tests.prove.test_update import Worked, lived
from tests.store.history.test_hook_log import append, folded, line, numbers


def without_files(home: Path) -> None:
    """As a day later: the history is the only place that has the lines."""
    for path in injection_files.rotated(str(home)):
        Path(path).unlink()


def test_a_rescue_keeps_the_lines_and_judges_again(tmp_path: Path) -> None:
    worked = lived(tmp_path)
    worked.write()
    worked.log()
    before = worked.scan()
    without_files(worked.home)
    recovery.rescue(str(worked.home))
    assert worked.scan() == before


def test_a_restore_takes_no_line_away(tmp_path: Path) -> None:
    append(tmp_path, line(1))
    folded(tmp_path)
    made = backups.create(str(tmp_path))
    append(tmp_path, line(2))
    folded(tmp_path)
    without_files(tmp_path)
    recovery.restore(str(tmp_path), made.name)
    assert numbers(tmp_path) == ["t1", "t2"]
    with History.opened(str(tmp_path)) as history:
        assert "s1" in history.ledger.unjudged()


@pytest.fixture
def worked(tmp_path: Path) -> Worked:
    worked = lived(tmp_path)
    worked.write()
    worked.log()
    worked.scan()
    return worked


def test_a_forgotten_session_leaves_nothing(worked: Worked) -> None:
    home, session = str(worked.home), worked.sessions["two"].id
    scope = ForgetScope(session=session)
    assert survey(home, scope).rows["injections"] == 2
    assert forget(home, scope).rows["injections"] == 2
    with History.for_reading(home) as history:
        assert {event["session"] for _, event in history.injections.events()} == {worked.sessions["three"].id}
        assert session not in {each.session for each in history.ledger.opportunities()}
    files = (path for path in worked.home.rglob("*") if path.is_file() and path.name != "decisions.jsonl")
    assert [path.name for path in files if session.encode() in path.read_bytes()] == []
    assert session not in {each.session for each in worked.scan()}


@pytest.mark.parametrize("scope", [ForgetScope(folders=("/srv/shop",)), ForgetScope(before="2026-12-01")])
def test_lines_of_a_project_and_of_a_time(worked: Worked, scope: ForgetScope) -> None:
    assert forget(str(worked.home), scope).rows["injections"] == 3
    with History.for_reading(str(worked.home)) as history:
        assert history.injections.events() == []
        assert history.ledger.unjudged() <= {session.id for session in worked.sessions.values()}


def test_what_was_said_of_a_lesson_before_that_time_is_forgotten(worked: Worked) -> None:
    home = str(worked.home)
    record_feedback(home, "stash", "bad", "it printed the plans of the shop")
    for scope, left in ((ForgetScope(before="2026-01-01"), True), (ForgetScope(before="2999-01-01"), False)):
        forget(home, scope)
        assert ("plans" in (worked.home / "decisions.jsonl").read_text()) is left
    assert counts(feedback_on(home)["stash"])["bad"] == 1
