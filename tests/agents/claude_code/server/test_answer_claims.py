"""Exactly one of server and command answers a call; alone each answers every call; both answer if claims cannot be
stored.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from lessons.agents.claude_code.server import answer_claims
from lessons.agents.claude_code.server.answer_claims import COMMAND, SERVER
from lessons.store.claims import session_memory
from lessons.store.claims.notices import claim_notice
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
        assert answer_claims.claim_call(home, session, call, SERVER)
        assert answer_claims.claim_call(home, session, call, COMMAND)
        assert not claim_notice(home, session, call)
    assert claims(home) == []


@pytest.mark.parametrize(("first", "second"), [(SERVER, COMMAND), (COMMAND, SERVER)])
def test_who_comes_second_is_silent(home: str, first: str, second: str) -> None:
    assert answer_claims.claim_call(home, "s", "t", first)
    assert not answer_claims.claim_call(home, "s", "t", second)
    assert answer_claims.claim_call(home, "s", "t", first)
    assert not answer_claims.claim_call(home, "s", "t", second)
    assert answer_claims.claim_call(home, "s", "u", second)
    assert answer_claims.claim_call(home, "another", "t", second)


@pytest.mark.parametrize("asker", [SERVER, COMMAND])
def test_one_alone_answers_every_time(home: str, asker: str) -> None:
    assert all(answer_claims.claim_call(home, "s", "t", asker) for _ in range(3))


@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_a_claim_of_another_time_silences_nobody(home: str, seconds: int) -> None:
    assert answer_claims.claim_call(home, "s", "t", SERVER)
    [claim] = Path(home).rglob("answered/t")
    os.utime(claim, (time.time() + seconds,) * 2)
    assert answer_claims.claim_call(home, "s", "t", COMMAND)
    assert not answer_claims.claim_call(home, "s", "t", SERVER)


def test_a_claim_that_is_just_being_written_is_of_the_other_one(home: str) -> None:
    assert answer_claims.claim_call(home, "s", "t", SERVER)
    [claim] = Path(home).rglob("answered/t")
    claim.write_text("")
    assert not answer_claims.claim_call(home, "s", "t", SERVER)


def test_exactly_one_of_two_at_once(home: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        for number in range(200):
            together = Barrier(2)

            def ask(asker: str, together: Barrier = together, call: str = f"t{number}") -> bool:
                together.wait(10)
                return answer_claims.claim_call(home, "s", call, asker)

            assert sorted(pool.map(ask, (SERVER, COMMAND))) == [False, True]


def test_a_notice_is_for_one_of_all_who_ask(home: str) -> None:
    assert [claim_notice(home, "s", "gone") for _ in range(3)] == [True, False, False]


def test_names_from_outside_stay_inside(home: str) -> None:
    for session, call in (("../../up", "../../up"), ("/", "/"), ("s", "x" * 5000), ("s", "\ud800\x00")):
        assert answer_claims.claim_call(home, session, call, SERVER)
        assert not answer_claims.claim_call(home, session, call, COMMAND)
    root = Path(home) / "tmp" / f"lessons-{os.getuid()}"
    assert {path.parents[2] for path in Path(home).rglob("answered/*")} == {root}


def test_where_it_cannot_be_remembered_all_answer_and_nobody_tells(home: str) -> None:
    (Path(home) / "tmp" / f"lessons-{os.getuid()}").write_text("")
    (Path(home) / "seen").write_text("")
    assert answer_claims.claim_call(home, "s", "t", SERVER)
    assert answer_claims.claim_call(home, "s", "t", COMMAND)
    assert not claim_notice(home, "s", "gone")


def test_the_data_home_is_the_second_choice(home: str) -> None:
    (Path(home) / "tmp" / f"lessons-{os.getuid()}").write_text("")
    assert [answer_claims.claim_call(home, "s", "t", asker) for asker in (SERVER, COMMAND)] == [True, False]
    assert (Path(home) / "seen" / "session-s" / "answered" / "t").exists()


def test_one_process_keeps_few(home: str) -> None:
    for number in range(300):
        assert answer_claims.claim_call(home, f"s{number % 3}", f"t{number}", SERVER)
    assert len(claims(home)) <= 64
    assert not answer_claims.claim_call(home, f"s{299 % 3}", "t299", COMMAND)


def test_a_new_session_begins_afresh(home: str) -> None:
    answer_claims.claim_call(home, "s", "t", SERVER)
    claim_notice(home, "s", "gone")
    session_memory.forget_session(home, "s")
    assert claims(home) == []
    assert answer_claims.claim_call(home, "s", "t", COMMAND)
    assert claim_notice(home, "s", "gone")
