"""An error at its third time within the time window is reported once, with its lesson, which is logged."""

from pathlib import Path

import pytest

from tests.builders import payloads
from tests.builders.home import DataHome, context_of
from tests.builders.lessons import lesson

NOTE = "The same error occurred three times"
ERROR = "Exit code 1\nzsh: no matches found: *.txt"
REMEDY = "Stash with -u"


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


def fail(home: DataHome, error: str = ERROR, **fields: object) -> str:
    payload = payloads.failure(payloads.bash("ls *.txt"), error)
    return context_of(home.run({**payload, **fields}))


def test_told_once_at_the_third(home: DataHome) -> None:
    told = [fail(home) for _ in range(6)]
    assert [NOTE in each for each in told] == [False, False, True, False, False, False]
    assert "no matches found" in told[2]
    assert home.log() == [] and home.faults() == ""


def test_the_lesson_comes_again_with_the_note(home: DataHome) -> None:
    home.publish(lesson(triggers={"errorPatterns": ["no matches found"]}))
    told = [fail(home) for _ in range(4)]
    assert [REMEDY in each for each in told] == [True, False, True, False]
    assert [NOTE in each for each in told] == [False, False, True, False]
    assert [line["decision"] for line in home.log()] == ["hint", "hint"], "each time that it was shown"


def test_a_lesson_that_comes_for_the_first_time_stands_beside_the_note(home: DataHome) -> None:
    for _ in range(2):
        assert fail(home) == ""
    home.publish(lesson(triggers={"errorPatterns": ["no matches found"]}))
    told = fail(home)
    assert told.count(NOTE) == told.count(REMEDY) == 1
    assert len(home.log()) == 1


def test_a_lesson_in_shadow_stays_there(home: DataHome) -> None:
    home.publish(lesson(triggers={"errorPatterns": ["no matches found"]}, stage="shadow"))
    told = [fail(home) for _ in range(3)]
    assert NOTE in told[2] and REMEDY not in "".join(told)


def test_where_nothing_can_be_remembered_nothing_is_told(home: DataHome) -> None:
    (home.folder / "seen").write_text("no folder")
    payload = payloads.failure(payloads.bash("ls *.txt"), ERROR)
    assert [context_of(home.run(payload, TMPDIR="/dev/null")) for _ in range(4)] == [""] * 4
