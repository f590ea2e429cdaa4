"""Stored hits: whatever was added, changed or forgotten since, the same as when every call is looked at."""

import random
import sqlite3
from pathlib import Path

import pytest

from lessons.match.rule import Rule
from lessons.model import Scope, Triggers, When
from lessons.promote.backtest import matching
from lessons.promote.backtest.backtest import backtest
from lessons.promote.backtest.matching import hits, store_hits
from lessons.promote.backtest.rule import EVERYWHERE, compiled
from lessons.promote.backtest.stored_hits import Find, NumberedHits, can_be_stored, name_of
from lessons.store.history import database
from lessons.store.history.history import History
from lessons.store.history.past_calls import Rows
from tests.builders.past import SHOP, Past, failed, fill
from tests.sizes import examples
from tests.tables import table

PATTERNS = [
    Triggers(command_patterns=["git push"]),
    Triggers(command_patterns=["git push"], match_on="invocation"),
    Triggers(command_patterns=["git pu(sh|ll)", "ls"], match_on="invocation"),
    Triggers(error_patterns=["no such"]),
    Triggers(path_patterns=["**/a.py"]),
    Triggers(content_patterns=["total"]),
    Triggers(tool_names=["Read"]),
]
CALLS = [
    Past(command="git push"),
    Past(command="echo 'git push'"),
    Past(command="cd x && git 'push'", cwd="/elsewhere"),
    Past(command="ls -la", outcome="unknown"),
    failed("git pull"),
    failed("ls", error="Exit code 1\nnothing"),
    Past(tool="Read", arguments={"file_path": "/x/a.py"}),
    Past(tool="Write", arguments={"file_path": "/x/b.py", "content": "total = 1"}),
]
CHANGES = [
    "UPDATE calls SET outcome = 'failed', error = 'no such flag' WHERE id = ?",
    "UPDATE calls SET outcome = 'ok', error = '' WHERE id = ?",
    "UPDATE calls SET command = 'git push', arguments = '{\"command\": \"git push\"}' WHERE id = ? AND command <> ''",
    "UPDATE calls SET error_fingerprint = 'f9' WHERE id = ?",
]


def rules() -> list[Rule]:
    scopes = (EVERYWHERE, Scope(type="project", path=SHOP))
    return [compiled(each, scope).rule for each in PATTERNS for scope in scopes]


def names(history: History, rule: Rule, outcome: str = "") -> list[str]:
    return sorted(past.tool_use_id for past in hits(history, rule, outcome=outcome))


def compare(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found with the stored hits and without them."""
    with History.for_reading(home) as history:
        for outcome in ("", "failed"):
            got = [names(history, rule, outcome) for rule in rules()]
            with monkeypatch.context() as patch:
                patch.setattr("lessons.promote.backtest.stored_hits.can_be_stored", lambda *_: False)
                assert got == [names(history, rule, outcome) for rule in rules()]


def add(connection: sqlite3.Connection, calls: list[Past]) -> None:
    """More calls behind those that are there."""
    [(before,)] = connection.execute("SELECT count(*) FROM calls")
    connection.execute("UPDATE calls SET tool_use_id = 'old ' || id WHERE tool_use_id NOT LIKE 'old%'")
    fill(connection, calls)
    assert connection.execute("SELECT count(*) FROM calls").fetchone()[0] == before + len(calls)


@table("seed", range(examples(15)))
def test_the_same_as_from_scratch(seed: int, tmp_path: Path) -> None:
    home, chance = str(tmp_path), random.Random(seed)
    with database.opened(home) as connection:
        fill(connection, chance.choices(CALLS, k=12))
    with pytest.MonkeyPatch.context() as monkeypatch:
        for _ in range(5):
            with History.for_reading(home) as history:
                for rule in rules():
                    store_hits(history, rule) if chance.random() < 0.7 else None
            compare(home, monkeypatch)
            with database.opened(home) as connection:
                for _ in range(chance.randrange(3)):
                    connection.execute(chance.choice(CHANGES), (chance.randrange(1, 15),))
                add(connection, chance.choices(CALLS, k=chance.randrange(4)))
                if chance.random() < 0.2:  # the newest number is given to another call
                    connection.execute("DELETE FROM calls WHERE id = (SELECT max(id) FROM calls)")
                    add(connection, chance.choices(CALLS, k=1))
            compare(home, monkeypatch)


def test_stored_hits_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(tmp_path)
    with database.opened(home) as connection:
        fill(connection, CALLS)
    triggers = Triggers(command_patterns=["git push"])
    with History.for_reading(home) as history:
        before = backtest(history, triggers)
        store_hits(history, compiled(triggers).rule)
        monkeypatch.setattr(history.calls, "matching_rows", lambda *_: pytest.fail("every call was looked at"))
        assert backtest(history, triggers) == before


def test_calls_that_are_deleted_while_hits_are_worked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(tmp_path)
    with database.opened(home) as connection:
        fill(connection, [Past(command="git push")] * 6)
    rule = compiled(Triggers(command_patterns=["git push"]), EVERYWHERE).rule
    find = matching._find

    def forgetting(history: History, rule: Rule) -> Find:
        def found(among: Rows, since: str) -> NumberedHits:
            rows = [*find(history, rule)(among, since)]
            with database.opened(home) as connection:
                connection.execute("DELETE FROM calls WHERE id > 3")
            return iter(rows)

        return found

    with monkeypatch.context() as patched, History.opened(home) as history:
        patched.setattr(matching, "_find", forgetting)
        store_hits(history, rule)
    with database.opened(home) as connection:  # a scan gives the numbers to other calls
        connection.execute("UPDATE calls SET tool_use_id = 'old ' || id")
        fill(connection, [Past(command="ls"), Past(command="ls"), Past(command="git push origin")])
    with History.for_reading(home) as history:
        assert [past.command for past in hits(history, rule)] == ["git push"] * 3 + ["git push origin"]


def test_what_depends_on_other_calls_is_not_stored(tmp_path: Path) -> None:
    home = str(tmp_path)
    with database.opened(home) as connection:
        fill(connection, CALLS)
    with History.for_reading(home) as history:
        in_folder = compiled(Triggers(command_patterns=["git"], when=When(folder=["x"]))).rule
        assert not can_be_stored(history, in_folder)
        assert not can_be_stored(history.as_of(set()), compiled(PATTERNS[0]).rule)
        store_hits(history, in_folder)
        assert history.trigger_hits.stored(name_of(in_folder)) is None


def test_each_rule_has_a_name_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {name_of(rule, outcome) for rule in rules() for outcome in ("", "failed")}
    assert len(found) == 2 * len(rules())
    assert {name_of(rule) for rule in rules()} < found
    monkeypatch.setenv("SHELL", "/bin/another")
    assert not found & {name_of(rule) for rule in rules()}
