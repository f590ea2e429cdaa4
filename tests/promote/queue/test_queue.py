"""The queue: who is in it, in which order, with which number; and the file that is exported of it."""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lessons import config
from lessons.config import Config
from lessons.promote.candidate import Candidate
from lessons.promote.queue import export, put_triggers, shown
from lessons.store.history import database
from tests.builders.candidates import GARDEN, TWICE, Seen, put, put_into
from tests.store.history.history import History, history

ONE = (Seen(),)


@pytest.fixture
def made() -> Iterator[History]:
    with history() as empty:
        yield empty


@pytest.fixture
def settings(tmp_path: Path) -> Config:
    return config.load(str(tmp_path), {})


def marks(candidates: list[Candidate]) -> list[tuple[int, str]]:
    return [(candidate.index, candidate.fingerprint) for candidate in candidates]


def test_what_is_not_shown_without_being_asked_for(made: History, settings: Config) -> None:
    put(made.connection, "once", seen=ONE)
    put(made.connection, "same-session", seen=[Seen(), Seen(uuid="u2", project=GARDEN)])
    put(made.connection, "decided", status="archived")
    put(made.connection, "damaged", document="{")  # listed, so that nobody misses it
    assert marks(shown(made.product, settings, everything=False).candidates) == [(1, "damaged")]
    found = shown(made.product, settings, everything=False)
    assert (len(found.candidates), found.hidden) == (1, 2)
    everything = shown(made.product, settings, everything=True).candidates
    assert {candidate.fingerprint for candidate in everything} == {"once", "same-session", "damaged"}


def test_a_candidate_has_the_same_number_however_the_queue_is_looked_at(made: History, settings: Config) -> None:
    put(made.connection, "once-costly", seen=ONE, minutesLost=9, callsLost=40)
    put(made.connection, "tag", tier=1, kind="tag", confidence=0.9)
    put(made.connection, "mined", confidence=0.4, callsLost=1, minutesLost=0)
    whole = [(1, "tag"), (2, "mined"), (3, "once-costly")]
    assert marks(shown(made.product, settings, everything=True).candidates) == whole
    assert marks(shown(made.product, settings, everything=False).candidates) == whole[:2]
    of_tier = shown(made.product, settings, everything=False, tier=2)
    assert (marks(of_tier.candidates), of_tier.hidden) == ([(2, "mined")], 1)


def test_corrections_come_first_then_the_nearest_fix_and_imports_last(made: History, settings: Config) -> None:
    put(made.connection, "a-no-fix", callsLost=2, minutesLost=80, fixed=0)
    put(made.connection, "a-far", callsLost=40, minutesLost=80, fixed=2)
    put(made.connection, "b-person", tier=3, kind="correction", confidence=0.9, callsLost=0, minutesLost=0)
    put(made.connection, "c-near", callsLost=2, minutesLost=1, fixed=2)
    put(made.connection, "d-import", tier=1, kind="import", seen=())
    order = [mark for _, mark in marks(shown(made.product, settings, everything=False).candidates)]
    assert order == ["b-person", "c-near", "a-far", "a-no-fix", "d-import"]


def test_what_is_worth_the_same_has_one_order(settings: Config) -> None:
    names = [f"mark-{number}" for number in range(20)]
    orders = []
    for seed in range(3):
        random.Random(seed).shuffle(names)
        with history() as made:
            for name in names:
                put(made.connection, name)
            orders.append(marks(shown(made.product, settings, everything=False).candidates))
    assert orders[0] == orders[1] == orders[2]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with database.opened(str(tmp_path)):
        pass
    return tmp_path


def test_the_export_holds_the_whole_queue_and_is_rewritten_only_for_news(home: Path) -> None:
    put_into(home, "mined", seen=TWICE)
    put_into(home, "once", seen=ONE)
    file = home / "cross-project-candidates.json"
    assert marks(export(str(home))) == [(1, "mined"), (2, "once")]
    document = json.loads(file.read_text())
    assert list(document) == ["generatedAt", "candidates"]
    first = document["candidates"][0]
    assert (first["index"], first["fingerprint"], len(first["evidence"])) == (1, "mined", 2)
    assert not {"proposedTrigger", "noTrigger"} & first.keys()
    file.write_text(file.read_text().replace(document["generatedAt"], "long ago"))
    export(str(home))
    assert "long ago" in file.read_text()
    put_into(home, "news")
    export(str(home))
    assert "long ago" not in file.read_text()


def test_nothing_found_is_a_file_too(home: Path) -> None:
    assert export(str(home)) == []
    assert json.loads((home / "cross-project-candidates.json").read_text())["candidates"] == []
    with closing(sqlite3.connect(home / "history.db")) as connection:
        assert connection.execute("SELECT count(*) FROM candidates").fetchone() == (0,)


def test_who_is_looked_at_gets_a_trigger_and_who_is_gone_loses_the_evidence(made: History, settings: Config) -> None:
    put(made.connection, "a-first")
    put(made.connection, "b-alike")
    put(made.connection, "c-gone")
    first, alike, gone = shown(made.product, settings, everything=True, with_triggers=False).candidates
    made.connection.execute("DELETE FROM candidates WHERE fingerprint = 'c-gone'")
    put_triggers(made.product, [first, gone], [alike])
    assert [len(each.evidence) for each in (first, alike, gone)] == [2, 2, 0]
    assert [bool(each.proposed_trigger or each.no_trigger) for each in (first, alike, gone)] == [True, False, False]
