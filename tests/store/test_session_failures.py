"""How often an error has come: counted for each context alone, within its time, whatever lies in the file."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lessons.store import claims
from lessons.store.session_failures import WINDOW_SECONDS, RecentFailures

NOW = 1_790_000_000.0


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


def noted(home: str, session: str, agent_id: str, shape: str, now: float) -> int:
    return RecentFailures(home, session, agent_id, now).add(shape)


def began(home: str, session: str, agent_id: str, shape: str, now: float) -> float:
    return RecentFailures(home, session, agent_id, now).first(shape)


def claim(home: str, session: str, agent_id: str, shape: str) -> bool:
    return RecentFailures(home, session, agent_id, NOW).claim(shape)


def file_of(surroundings: Path) -> Path:
    [file] = (surroundings / "tmp").glob("*/session-s/failures")
    return file


def test_others_do_not_count(home: str) -> None:
    assert noted(home, "", "", "x", NOW) == 0
    assert noted(home, "s", "", "x", NOW) == 1
    for session, agent, shape in [("t", "", "x"), ("s", "a1", "x"), ("s", "a2", "x"), ("s", "", "y"), ("s", "", "")]:
        assert noted(home, session, agent, shape, NOW) == 1
    assert noted(home, "s", "", "x", NOW + 1) == 2


def test_what_is_too_long_ago_does_not_count(home: str) -> None:
    for moment, count in [(0, 1), (600, 2), (WINDOW_SECONDS, 3), (WINDOW_SECONDS + 1, 3), (10 * WINDOW_SECONDS, 1)]:
        assert noted(home, "s", "", "x", NOW + moment) == count
    assert began(home, "s", "", "x", NOW + 10 * WINDOW_SECONDS) == NOW + 10 * WINDOW_SECONDS
    assert began(home, "s", "", "never", NOW) == NOW
    assert began(home, "s", "", "x", NOW + 700) == NOW


@pytest.mark.parametrize(
    "content", [b"", b"\xff\0\n", b"soon x\n", b"-5 x\n1e9 x\n", b"1" * 9000, b"9" * 5000 + b" x\n"]
)
def test_a_damaged_file(home: str, surroundings: Path, content: bytes) -> None:
    noted(home, "s", "", "x", NOW)
    file_of(surroundings).write_bytes(content)
    assert noted(home, "s", "", "x", NOW) <= 1
    file_of(surroundings).unlink()
    file_of_folder = next((surroundings / "tmp").glob("*/session-s"))
    (file_of_folder / "failures").mkdir()
    assert noted(home, "s", "", "x", NOW) == 0


def test_the_file_stays_small_and_holds_no_word_of_the_error(home: str, surroundings: Path) -> None:
    for number in range(3000):
        noted(home, "s", "", f"secret-{number}", NOW + number / 10)
    content = file_of(surroundings).read_bytes()
    assert len(content) <= 33 * 1024 and b"secret" not in content
    assert noted(home, "s", "", "secret-2999", NOW + 300) == 2
    assert file_of(surroundings).stat().st_mode & 0o077 == 0


def test_exactly_one_tells(home: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: claim(home, "s", "", "x"), range(40)))
    assert sum(told) == 1
    assert claim(home, "s", "a1", "x") and claim(home, "t", "", "x") and claim(home, "s", "", "y")


def test_parallel_failures_are_all_counted(home: str) -> None:
    noted(home, "s", "", "x", NOW)
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: noted(home, "s", "", "x", NOW), range(40)))
    assert max(counts) == 41


def test_a_session_that_begins_anew_has_forgotten_them(home: str) -> None:
    noted(home, "s", "", "x", NOW)
    noted(home, "s", "a1", "x", NOW)
    claim(home, "s", "", "x")
    claims.rearm_above(home, "s", 0)
    assert not claim(home, "s", "", "x")
    claims.forget_session(home, "s")
    assert noted(home, "s", "", "x", NOW) == noted(home, "s", "a1", "x", NOW) == 1
    assert claim(home, "s", "", "x")
    assert noted(home, "../../x", "../y", "x", NOW) == 1
