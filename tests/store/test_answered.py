"""Who answers a call: exactly one of all who ask, and whoever asks where nothing can be remembered."""

import os
from pathlib import Path

import pytest

from lessons.store import answered, session_memory
from tests.conftest import SetVariable


@pytest.fixture
def home(tmp_path: Path, variable: SetVariable) -> str:
    (tmp_path / "tmp").mkdir()
    variable("TMPDIR", str(tmp_path / "tmp"))
    return str(tmp_path)


def claims(home: str) -> list[str]:
    return sorted(path.name for path in Path(home).rglob("answered/*"))


def test_a_call_that_cannot_be_told_from_others_is_answered(home: str) -> None:
    for session, call in (("", "t"), ("s", ""), ("", "")):
        assert answered.claim_call(home, session, call)
        assert answered.claim_call(home, session, call)
        assert not answered.claim_notice(home, session, call)
    assert claims(home) == []


def test_one_of_all_who_ask(home: str) -> None:
    assert [answered.claim_call(home, "s", "t") for _ in range(3)] == [True, False, False]
    assert answered.claim_call(home, "s", "u")
    assert answered.claim_call(home, "another", "t")
    assert [answered.claim_notice(home, "s", "gone") for _ in range(3)] == [True, False, False]


def test_names_from_outside_stay_inside(home: str) -> None:
    for session, call in (("../../up", "../../up"), ("/", "/"), ("s", "x" * 5000), ("s", "\ud800\x00")):
        assert answered.claim_call(home, session, call)
        assert not answered.claim_call(home, session, call)
    root = Path(home) / "tmp" / f"lessons-{os.getuid()}"
    assert {path.parents[2] for path in Path(home).rglob("answered/*")} == {root}


def test_where_it_cannot_be_remembered_all_answer_and_nobody_tells(home: str) -> None:
    (Path(home) / "tmp" / f"lessons-{os.getuid()}").write_text("")
    (Path(home) / "seen").write_text("")
    assert answered.claim_call(home, "s", "t")
    assert answered.claim_call(home, "s", "t")
    assert not answered.claim_notice(home, "s", "gone")


def test_the_data_home_is_the_second_choice(home: str) -> None:
    (Path(home) / "tmp" / f"lessons-{os.getuid()}").write_text("")
    assert [answered.claim_call(home, "s", "t") for _ in range(2)] == [True, False]
    assert (Path(home) / "seen" / "session-s" / "answered" / "t").exists()


def test_one_process_keeps_few(home: str) -> None:
    for number in range(300):
        assert answered.claim_call(home, f"s{number % 3}", f"t{number}")
    assert len(claims(home)) <= 64
    assert not answered.claim_call(home, f"s{299 % 3}", "t299")


def test_a_new_session_begins_afresh(home: str) -> None:
    answered.claim_call(home, "s", "t")
    answered.claim_notice(home, "s", "gone")
    session_memory.forget_session(home, "s")
    assert claims(home) == []
    assert answered.claim_call(home, "s", "t")
    assert answered.claim_notice(home, "s", "gone")
