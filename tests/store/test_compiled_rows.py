"""Rows as columns: copied rows are those that were added, and what is looked for is found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.store.compiled_rows import NO_NUMBER, Compiled, Facts, Row, Rows, digests_in
from tests.sizes import examples
from tests.tables import table


def row(number: int, patterns: tuple[str, ...] = ("git stash",), **more: object) -> Row:
    digest = number.to_bytes(16, "big")
    facts = Facts(f"id-{number}", f"slug-{number}", digest[::-1], digest, number, b"", patterns)
    made = Compiled("", (), (), False, {"command": (number,)}, 10 * number, 20 * number, 30 * number)
    fields: dict[str, object] = {"standing": "", "confidence": 1.0, "priority": 5, "project": "", "folders": ()}
    return Row(digest, facts, **{**fields, "is_kept": True, "compiled": made, **more})  # type: ignore[arg-type]


def rows_of(*added: Row) -> Rows:
    rows = Rows()
    for number, each in enumerate(added):
        rows.append(each, number if each.compiled else NO_NUMBER)
    return rows


def content(rows: Rows) -> tuple[bytes, bytes]:
    return rows.columns(), bytes(rows.details())


@table(
    "wrong",
    [
        {"standing": "stage is retired."},
        {"is_kept": False},
        {"project": "/shop"},
        {"compiled": None},
        {"compiled": Compiled("it has no trigger.", (), (), False, {})},
        {"compiled": Compiled("", ("a warning",), (), False, {})},
    ],
)
def test_a_row_with_something_to_check_or_to_report_is_not_plain(wrong: dict[str, object]) -> None:
    rows = rows_of(row(1), row(2, (), **wrong), row(3))
    assert list(rows.not_plain()) == [1]


@settings(max_examples=examples(100), deadline=None)
@given(pieces=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=5))
def test_copied_rows_are_as_if_they_had_been_added(pieces: list[tuple[int, int]]) -> None:
    added = [row(number, compiled=None) if number == 3 else row(number) for number in range(6)]
    before, copied, expected = rows_of(*added), Rows(), Rows()
    for start, stop in pieces:
        copied.extend(before, min(start, stop), max(start, stop))
        for place in range(min(start, stop), max(start, stop)):
            expected.append(added[place], before.numbers[place])
    assert content(copied) == content(expected)


def test_rows_come_back_as_they_were_written() -> None:
    added = [row(1), row(2, ()), row(3, standing="stage is retired.", compiled=None)]
    columns, details = content(rows_of(*added))
    rows = Rows.from_parts(columns, details)
    assert [rows.row(place) for place in range(len(rows))] == added
    assert digests_in(columns) == rows.each_digest() == [each.digest for each in added]
    assert content(rows) == (columns, details)
    with pytest.raises(ValueError, match="cut off"):
        Rows.from_parts(columns, details[:-1])


def test_rows_are_found_by_digest_and_by_text() -> None:
    rows = rows_of(row(1), row(2, ("npm install",)), row(0x0100), row(4, ()), row(2, ("npm install", "git stash")))
    assert list(rows.having_digest(rows.problems, row(2).digest)) == [1, 4]
    assert list(rows.having_digest(rows.problems, row(0x010000).digest)) == []
    assert list(rows.mentioning(b"git stash")) == [0, 2, 4]
    assert list(rows.mentioning(b"")) == [0, 1, 2, 3, 4]
    assert list(Rows().mentioning(b"")) == []
    assert list(rows.all_without_patterns()) == [3]
