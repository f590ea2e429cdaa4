"""The most informative hits of a back-test."""

import random

from lessons.promote.backtest import Sample
from lessons.store.history.past_calls import PastCall
from tests.tables import table


def hit(number: int, line: str, time: str) -> PastCall:
    return PastCall(
        f"t{number}", "Bash", line, "{}", "", "", "", "", "", "", "s1", "/home/dev", time, "", "ok", "", suspicious=0
    )


@table("lines", [3, 10, 11, 60])
def test_in_any_order_the_ten_best_lines_are_kept_each_with_its_best_hit(lines: int) -> None:
    chance = random.Random(lines)
    for _ in range(50):
        sample, best = Sample(), dict[str, tuple[bool, str, str]]()
        for number in range(chance.randrange(1, 120)):
            past = hit(number, f"line {chance.randrange(lines)}", f"2026-09-{chance.randrange(10, 30)}")
            is_marked = chance.random() < 0.4
            sample.add(past, is_marked)
            rank = (is_marked, past.time, past.tool_use_id)
            best[past.command] = max(rank, best.get(past.command, rank))
        expected = sorted(best.values(), reverse=True)[:10]
        assert [each.tool_use_id for each in sample.shown(frozenset())] == [name for _, _, name in expected]
