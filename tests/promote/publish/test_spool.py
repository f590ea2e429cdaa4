"""What was put into the spool comes out of it, in memory and in a file."""

import os
from pathlib import Path

import pytest

from lessons.promote.publish import spool
from lessons.promote.publish.compile import Made, row_of_entry
from lessons.promote.publish.spool import Spool, parts_of
from tests.builders.index import command_lesson, entries_of
from tests.tables import table


def made(number: int) -> list[Made]:
    entries = entries_of(*(command_lesson(f"l{at}", f"program{at} \ud800") for at in range(number)))
    return [row_of_entry(identifier, entry) for identifier, entry in entries.items()]


@table("longest", [0, 1, 2_000, 1 << 20])
def test_it_comes_out_in_any_order(tmp_path: Path, longest: int) -> None:
    given = made(12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "_LONGEST_IN_MEMORY", longest)
        kept = Spool(str(tmp_path))
    with kept:
        found = [kept.put(parts_of(each)) for each in given[:8]]
        assert found[3].row() == given[3].row  # what is added after a look is added at the end
        found += [kept.put(parts_of(each)) for each in given[8:]]
        for each, new in sorted(zip(given, found, strict=True), key=lambda pair: pair[0].row.facts.id[::-1]):
            assert each.new is not None
            assert (new.row(), new.problem, new.is_published) == (each.row, each.row.facts.problem, True)
            assert (new.ways(), new.text().read(), new.record().read()) == (
                each.new.ways,
                each.new.text,
                each.new.record,
            )


def test_a_lesson_that_is_left_out_has_a_row_alone() -> None:
    [one] = made(1)
    new = Spool().put(parts_of(Made(one.row)))
    assert not new.is_published
    assert (new.row(), new.text().read()) == (one.row, b"")


def test_nothing_stays_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "_LONGEST_IN_MEMORY", 1)
    with Spool(str(tmp_path)) as kept:
        kept.put(parts_of(made(1)[0]))
    assert os.listdir(tmp_path) == []
