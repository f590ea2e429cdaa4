"""Stored hits of many lessons: the same as those of each lesson alone, whatever came since."""

import random
from collections import Counter
from pathlib import Path

import pytest

from lessons.model import Lesson, lesson_from_document
from lessons.promote import starter
from lessons.promote.backtest.many import rule_of
from lessons.promote.backtest.matching import hits
from lessons.promote.backtest.stored_failed_hits import failed_hits, store_failed_hits
from lessons.store.history import database
from lessons.store.history.history import History
from tests.builders.past import Past, failed, fill
from tests.promote.backtest.test_stored_hits import CHANGES, add
from tests.sizes import examples
from tests.tables import table

PACK = [lesson_from_document({"id": record["slug"], **record}) for record in starter.pack()]
RULES = {lesson.slug: rule_of(lesson) for lesson in PACK}
CALLS = [
    failed("gh pr diff 7 --stat", error="Exit code 1\nunknown flag: --stat"),
    failed("git add x", error="Exit code 128\nfatal: pathspec 'x' did not match any files"),
    failed("npm run lux", error='Exit code 1\nnpm error Missing script: "lux"'),
    failed("ls", error="Exit code 1\nnothing known"),
    Past(command="gh pr diff 7 --stat"),
    Past(command="git push", outcome="refused"),
]


def one_by_one(history: History, lessons: list[Lesson]) -> Counter[str]:
    found = ((each.slug, past) for each in lessons for past in hits(history, RULES[each.slug]))
    return Counter(f"{slug} {past.tool_use_id}" for slug, past in found if past.outcome == "failed")


def together(history: History, lessons: list[Lesson]) -> Counter[str]:
    return Counter(f"{hit.lesson.slug} {hit.past.tool_use_id}" for hit in failed_hits(history, lessons, RULES))


def said_by_the_pack() -> list[Past]:
    """Every example of the pack as a call that failed, as it is and as a shell may be given it."""
    made = []
    for record in starter.pack():
        for example in (*record["examples"]["fires"], *record["examples"]["quiet"]):  # type: ignore[index]
            said = {"command": example} if isinstance(example, str) else example
            line, error = said.get("command", ""), said.get("error", "Exit code 1")
            made += [failed(line, error), failed(f"cd 'a b' && {line} # \u0131", error.replace("\n", "\r\n"))]
            made += [failed(line.upper(), error.upper()), failed("", error, tool=said.get("tool", "Read"))]
    return made


def test_the_same_as_one_by_one_on_every_example_of_the_pack(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        fill(connection, said_by_the_pack())
    with History.for_reading(str(tmp_path)) as history:
        expected = one_by_one(history, PACK)
        assert len({name.split(" ")[0] for name in expected}) > len(PACK) / 2  # others are for another system or shell
        assert together(history, PACK) == expected


@table("seed", range(examples(6)))
def test_the_same_as_one_by_one(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, chance = str(tmp_path), random.Random(seed)
    monkeypatch.setattr("lessons.promote.backtest.stored_failed_hits._CALLS_AT_ONCE", chance.choice([1, 3, 20_000]))
    with database.opened(home) as connection:
        fill(connection, chance.choices(CALLS, k=9))
    for _ in range(3):
        with History.for_reading(home) as history:
            expected = one_by_one(history, PACK)
            assert together(history, PACK) == expected
            some = chance.sample(PACK, 70)
            *_, rows = store_failed_hits(history, some, RULES)
            assert sum(len(each.all()) for each in rows.values()) == one_by_one(history, some).total()
            assert together(history, PACK) == expected
        with database.opened(home) as connection:
            connection.execute(chance.choice(CHANGES), (chance.randrange(1, 10),))
            add(connection, chance.choices(CALLS, k=chance.randrange(4)))


def test_nothing_is_looked_at_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(tmp_path)
    with database.opened(home) as connection:
        fill(connection, CALLS)
    with History.for_reading(home) as history:
        expected = together(history, PACK)
        assert expected.total() > 1
        assert [*store_failed_hits(history, PACK, RULES)]
        monkeypatch.setattr(history.calls, "failed_texts", lambda *_: pytest.fail("every call was looked at"))
        assert together(history, PACK) == expected


def test_what_was_stored_before_an_interruption_is_not_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lessons.promote.backtest.stored_failed_hits._CALLS_AT_ONCE", 2)
    home = str(tmp_path)
    with database.opened(home) as connection:
        fill(connection, CALLS)
    with History.for_reading(home) as history:
        expected = together(history, PACK)
        steps = len([*store_failed_hits(history, PACK, RULES)])
    with database.opened(home) as connection:
        connection.execute("DELETE FROM trigger_hits")
    with History.for_reading(home) as history:
        parts = store_failed_hits(history, PACK, RULES)
        next(parts), next(parts)
        del parts
        assert together(history, PACK) == expected
        assert len([*store_failed_hits(history, PACK, RULES)]) == steps - 1
        assert together(history, PACK) == expected


def test_numbers_of_deleted_calls_may_be_given_to_others(tmp_path: Path) -> None:
    home = str(tmp_path)
    with database.opened(home) as connection:
        fill(connection, [CALLS[3]] * 3 + [CALLS[1]] * 2)
    with History.for_reading(home) as history:
        assert [*store_failed_hits(history, PACK, RULES)]
    with database.opened(home) as connection:
        connection.execute("DELETE FROM calls WHERE id > 3")
    with History.for_reading(home) as history:
        assert [*store_failed_hits(history, PACK, RULES)]
    with database.opened(home) as connection:
        connection.execute("UPDATE calls SET tool_use_id = 'old ' || id, error_fingerprint = 'f'")
        add(connection, [CALLS[0], CALLS[0]])
    with History.for_reading(home) as history:
        expected = one_by_one(history, PACK)
        assert expected.total() >= 2
        assert together(history, PACK) == expected
