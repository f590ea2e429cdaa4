"""What a scan prepares: the first screen before all others, and nothing that differs from what is computed later."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lessons import config
from lessons.capture.run import Options, run
from lessons.promote.intake import rivals
from lessons.promote.prepare import prepare
from lessons.promote.promotion.draft import Choice, Draft, draft
from lessons.promote.queue import queue
from lessons.promote.review.cases import make_ready, waiting
from lessons.promote.starter_matches import StarterMatches, starter_matches
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCalls
from tests.builders.days import Did, on_day

WRONG = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat")
OTHER = Did("kubectl get pods --al", "Exit code 1\nerror: unknown flag: --al")
RIGHT = (Did("gh pr diff 7 --name-only"), Did("kubectl get pods --all"))


@pytest.fixture
def home(tmp_path: Path) -> str:
    """Two sessions made the same two mistakes."""
    for day in (1, 2):
        on_day(day, WRONG, RIGHT[0], OTHER, RIGHT[1], name=f"day {day}").write(tmp_path / "root")
    run(str(tmp_path / "home"), Options([str(tmp_path / "root")], processes=1))
    return str(tmp_path / "home")


def shown(home: str) -> tuple[list[Draft], StarterMatches]:
    """What the screens of `review` and `init` show."""
    settings, known = config.load(home), rivals.read(home)
    cases = waiting(home, settings, everything=False).cases
    make_ready(home, cases)
    with History.for_reading(home) as history:
        drafts = [draft(history, settings, each.candidate, Choice(), known, each.alike) for each in cases]
        return drafts, starter_matches(home, history)


def stored(home: str) -> int:
    with closing(sqlite3.connect(f"{home}/history.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM trigger_hits").fetchone()[0])


def test_the_screens_are_the_same_and_look_at_no_call_again(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = shown(home)
    assert len(before[0]) == 2
    assert before[1].found
    assert stored(home) == 0
    prepare(home, 60.0)
    assert shown(home) == before
    for method in ("matching_rows", "failed_texts"):
        monkeypatch.setattr(PastCalls, method, lambda *_: pytest.fail("every call was looked at"))
    assert shown(home) == before


def test_the_first_screen_first(home: str) -> None:
    prepare(home, 0.0)
    assert stored(home) == 1


def test_a_step_is_a_candidate_where_each_takes_long(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lessons.promote.queue.proposed._SECONDS_AT_ONCE", 0.0)
    with History.opened(home) as history:
        everyone = queue.waiting(history, config.load(home))
        for done in queue.refreshed(history, everyone):
            assert len(history.proposals.current(each.stored.fingerprint for each in everyone)) == done
        assert done == len(everyone) == 2


def test_new_calls_count(home: str, tmp_path: Path) -> None:
    prepare(home, 60.0)
    before = shown(home)
    on_day(3, WRONG, Did("gh pr diff 8 --stat"), name="day 3").write(tmp_path / "root")
    run(home, Options([str(tmp_path / "root")], processes=1))
    grown = shown(home)
    assert grown != before
    prepare(home, 60.0)
    assert shown(home) == grown
