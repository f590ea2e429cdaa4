"""What a session remembers, forgets and arms again; nothing outside its own folders is ever touched."""

import os
import time
from pathlib import Path

import pytest

from lessons.store.claims import session_facts, session_memory
from lessons.store.claims.claim_files import root_folders, session_folder
from lessons.store.claims.shown import Context, spend
from tests.conftest import SetVariable

DAY = 24 * 3600


@pytest.fixture
def home(tmp_path: Path) -> str:
    folder = tmp_path / "home"
    folder.mkdir()
    return str(folder)


def session_path(home: str, session: str) -> Path:
    return Path(root_folders(home)[0]) / session_folder(session)


def age(path: Path, days: float) -> None:
    moment = time.time() - days * DAY
    os.utime(path, (moment, moment))


def kept(home: str, *names: str) -> list[bool]:
    return [Context(home, "s", "").has(name) for name in names]


def test_forgetting_one_session_leaves_the_others(home: str) -> None:
    for session in ("s", "s2"):
        for agent in ("", "a1"):
            Context(home, session, agent).claim("slug", 5)
    session_facts.remember_model(home, "s", "opus")
    session_memory.forget_session(home, "s")
    assert not Context(home, "s", "").has("slug")
    assert not Context(home, "s", "a1").has("slug")
    assert Context(home, "s2", "").has("slug")
    assert not session_path(home, "s").exists()
    assert session_facts.model_of(home, "s") == ""


@pytest.mark.parametrize("session", ["", "..", "../..", "/", "never-seen"])
def test_forgetting_a_strange_session_harms_nothing(home: str, session: str) -> None:
    Context(home, "s", "").claim("slug", 5)
    session_memory.forget_session(home, session)
    session_memory.rearm_above(home, session, 0)
    assert kept(home, "slug") == [True]


def test_only_lessons_above_the_threshold_are_armed_again(home: str) -> None:
    context = Context(home, "s", "")
    for priority in (1, 7, 8, 10):
        context.claim(f"p{priority}", priority)
    Context(home, "s", "a1").claim("p10", 10)
    session_memory.rearm_above(home, "s", 7)
    assert kept(home, "p1", "p7", "p8", "p10") == [True, True, False, False]
    assert Context(home, "s", "a1").has("p10")
    assert context.claim("p10", 10)


def test_a_subagent_that_was_compacted_is_armed_again_alone(home: str) -> None:
    for agent in ("", "a1", "a2", "../main"):
        Context(home, "s", agent).claim("p10", 10)
    session_memory.rearm_above(home, "s", 7, "a1")
    session_memory.rearm_above(home, "s", 7, "../main")
    assert [Context(home, "s", agent).has("p10") for agent in ("", "a1", "a2", "../main")] == [True, False, True, False]


def test_a_claim_of_unknown_priority_is_not_armed_again(home: str) -> None:
    Context(home, "s", "").claim("slug", 10)
    (session_path(home, "s") / "main" / "slug").write_text("ten")
    (session_path(home, "s") / "main" / "empty").write_text("")
    session_memory.rearm_above(home, "s", 0)
    assert kept(home, "slug", "empty") == [True, True]


def test_both_places_are_forgotten_and_armed(home: str, tmp_path: Path, variable: SetVariable) -> None:
    (tmp_path / "file").touch()
    temporary = os.environ["TMPDIR"]
    variable("TMPDIR", str(tmp_path / "file"))
    Context(home, "s", "").claim("high", 9)
    Context(home, "s", "").claim("low", 1)
    variable("TMPDIR", temporary)
    session_memory.rearm_above(home, "s", 7)
    assert kept(home, "high", "low") == [False, True]
    session_memory.forget_session(home, "s")
    assert kept(home, "low") == [False]


def test_old_sessions_are_forgotten_and_new_ones_kept(home: str) -> None:
    for session in ("s", "old"):
        Context(home, session, "").claim("slug", 5)
        session_facts.remember_model(home, session, "opus")
    for path in ("main", "model", ""):
        age(session_path(home, "old") / path, 15)
    session_memory.forget_old_sessions(home, time.time())
    assert not session_path(home, "old").exists()
    assert kept(home, "slug") == [True]


def test_a_session_that_is_still_in_use_is_kept(home: str) -> None:
    Context(home, "s", "").claim("slug", 5)
    age(session_path(home, "s"), 15)
    Context(home, "s", "").claim("another", 5)
    session_memory.forget_old_sessions(home, time.time())
    assert kept(home, "slug", "another") == [True, True]


def test_a_spent_pass_is_not_forgotten_with_the_sessions(home: str) -> None:
    spend(home, "p1")
    for folder in ("seen/passes/spent", "seen/passes"):
        age(Path(home) / folder, 15)
    session_memory.forget_old_sessions(home, time.time())
    assert not spend(home, "p1")


def precious(folder: Path) -> Path:
    """Files of a person, laid out as a session would be, untouched for a month."""
    file = folder / "photos" / "summer" / "beach.jpg"
    file.parent.mkdir(parents=True)
    file.write_text("irreplaceable")
    for path in (file, file.parent, folder / "photos"):
        age(path, 30)
    return file


def test_nothing_is_deleted_where_a_link_leads(home: str, tmp_path: Path) -> None:
    file = precious(tmp_path / "person")
    Path(root_folders(home)[0]).symlink_to(tmp_path / "person")
    session_memory.forget_old_sessions(home, time.time())
    assert file.exists()


def test_nothing_is_deleted_where_a_link_in_a_foreign_folder_leads(home: str, tmp_path: Path) -> None:
    file = precious(tmp_path / "person")
    root = Path(root_folders(home)[0])
    root.mkdir()
    root.chmod(0o777)
    (root / "old").symlink_to(tmp_path / "person" / "photos")
    session_memory.forget_old_sessions(home, time.time())
    assert file.exists()


def test_no_session_is_forgotten_where_a_link_leads(home: str, tmp_path: Path) -> None:
    file = precious(tmp_path / "person")
    root = Path(root_folders(home)[0])
    root.mkdir()
    root.chmod(0o777)
    (root / session_folder("s")).symlink_to(tmp_path / "person" / "photos")
    session_memory.forget_session(home, "s")
    assert file.exists()


def test_where_nothing_can_be_written_nothing_is_remembered(tmp_path: Path, variable: SetVariable) -> None:
    (tmp_path / "file").touch()
    variable("TMPDIR", str(tmp_path / "file"))
    home = str(tmp_path / "file" / "home")
    session_facts.remember_model(home, "s", "opus")
    session_memory.forget_session(home, "s")
    session_memory.rearm_above(home, "s", 0)
    session_memory.forget_old_sessions(home, time.time())
    assert session_facts.model_of(home, "s") == ""
