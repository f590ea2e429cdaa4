"""Recalls: once for each key in a context, a few times in a session, whoever asks."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lessons.store.claims import forget_session
from lessons.store.recalls import QUESTION, claim_recall


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    return str(tmp_path / "data")


def test_nothing_without_a_session_or_a_key(home: str) -> None:
    assert not claim_recall(home, "", "", "key")
    assert not claim_recall(home, "s", "", "")


def test_once_for_each_key_in_a_context(home: str) -> None:
    assert [claim_recall(home, "s", agent, key) for agent, key in (("", "a"), ("", "a"), ("sub", "a"), ("", "b"))] == [
        True, False, True, True
    ]  # fmt: skip


def test_most_in_a_session_over_all_its_contexts(home: str) -> None:
    told = [claim_recall(home, "s", f"agent-{number % 2}", f"key {number}") for number in range(8)]
    assert told == [True] * 5 + [False] * 3
    assert claim_recall(home, "another", "", "key 7")
    assert [claim_recall(home, "s", "", key, QUESTION) for key in "abcd"] == [True] * 3 + [False]


def test_session_that_starts_again_has_all_of_them(home: str) -> None:
    assert [claim_recall(home, "s", "", str(number)) for number in range(6)][-1] is False
    forget_session(home, "s")
    assert claim_recall(home, "s", "", "0")


def test_exactly_the_most_of_many_at_once(home: str) -> None:
    with ThreadPoolExecutor(16) as pool:
        told = list(pool.map(lambda number: claim_recall(home, "s", "", f"key {number % 20}"), range(60)))
    assert sum(told) == 5
