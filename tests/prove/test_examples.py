"""docs/PROOF.md: every outcome has its definition and an example, and the code agrees with each of them."""

import re
from pathlib import Path
from typing import get_args

from lessons.opportunity import Outcome
from tests.builders.contexts import Did, outcomes
from tests.tables import table

PAGE = Path(__file__).parents[2] / "docs" / "PROOF.md"
_SECTION = re.compile(r"^### (\w+)\n\n(?:^[^# \n].*\n)+\n((?: {4}.+\n)+)", re.MULTILINE)
_CALL = re.compile(r" {4}(.+?) *(?:\[([\w-]+)\])? +-> (.+)")
SECTIONS = dict(_SECTION.findall(PAGE.read_text(encoding="utf-8")))


def test_every_outcome_is_defined_once() -> None:
    assert sorted(SECTIONS) == sorted(get_args(Outcome))


@table("name", sorted(SECTIONS))
def test_the_example_of_each_outcome(name: str) -> None:
    found = [_CALL.fullmatch(line) for line in SECTIONS[name].splitlines()]
    assert found and all(found)
    rows = [(call[1], call[2] or "", call[3]) for call in found if call]
    decision = next(decision for _, decision, _ in rows if decision)
    # A miss is no line of the log: nothing matched.
    calls = [Did(command, result, "" if given == "missed" else given) for command, given, result in rows]
    assert outcomes(*calls) == [(decision, name)]
