"""Files that refer to each other: whichever is read first, and however much of it, the history is the same."""

from itertools import islice, permutations
from pathlib import Path

import pytest

from tests.flows.eventful import HEALTHY, Story
from tests.flows.scanning import by_lines, in_one_go, one_by_one, transcripts_of, while_growing
from tests.flows.tables import assert_same
from tests.sizes import size

MOST_ORDERS = size("ORDERS", 2)
stories = pytest.mark.parametrize("story", [pytest.param(story, id=story.__name__) for story in HEALTHY])


@stories
def test_one_by_one(story: Story, tmp_path: Path) -> None:
    story(tmp_path / "root")
    once = in_one_go(tmp_path / "root", tmp_path / "once")
    paths = transcripts_of(tmp_path / "root")
    orders = [paths, paths[::-1], *islice(permutations(paths), 1, MOST_ORDERS)]
    for number, order in enumerate(orders):
        assert_same(once, one_by_one(tmp_path / "root", order, tmp_path / f"order-{number}"))


@stories
def test_while_growing(story: Story, tmp_path: Path) -> None:
    story(tmp_path / "root")
    once = in_one_go(tmp_path / "root", tmp_path / "once")
    assert_same(once, while_growing(tmp_path / "root", tmp_path / "growing", by_lines))


def test_a_file_of_another_agent_that_grows(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "foreign.jsonl").write_bytes(b'{"role":"user","words":"of another client"}\n' * 3)
    once = in_one_go(tmp_path / "root", tmp_path / "once")
    assert_same(once, while_growing(tmp_path / "root", tmp_path / "growing", by_lines))
