"""Mistakes are grouped as in mining, in any order of session ends; only changed ones are rebuilt."""

import random
from pathlib import Path

from lessons.candidate import Occurrence
from lessons.episode import Kind
from lessons.mistakes.group import mistakes_of
from lessons.replay.learner import CandidatesSoFar, Known
from lessons.store.history.episodes import EpisodeRow
from lessons.store.history.history import History
from tests.sizes import examples

WORDS = "lamp glass wick flame smoke light table chair".split()


def known(time: int, signature: str, program: str = "lamp", kind: Kind = "wrong-flag", weight: float = 0.6) -> Known:
    name = f"c{time:03d}"
    row = EpisodeRow(name, f"s{time}", kind, program, signature, "", weight, 1, 1.0)
    return Known(row, Occurrence(f"s{time}", f"u{time}", name, "", "/shop", f"2026-09-01T08:00:00.{time:03d}Z", "/a"))


class Queue:
    """The candidates as someone knows them who asks after each session."""

    def __init__(self, history: History) -> None:
        self.product = CandidatesSoFar(history)
        self.calls: dict[str, list[str]] = {}

    def ask(self) -> set[str]:
        """What is new or has changed."""
        found = {each.fingerprint: each for each in self.product.changed(lambda name: False)}
        self.calls |= {name: [each.tool_use_id for each in one.evidence] for name, one in found.items()}
        self.calls = {name: calls for name, calls in self.calls.items() if not self.product.is_gone(name)}
        return set(found)


def mined(episodes: list[Known]) -> dict[str, list[str]]:
    """What mining makes of all of them at once."""
    rows = [each.row for each in sorted(episodes, key=lambda each: each.order)]
    return {name: [row.tool_use_id for row in group] for name, group in mistakes_of(rows)}


def test_as_mining_groups_them_in_whatever_order_they_come(tmp_path: Path) -> None:
    chance = random.Random(3)
    with History.opened(str(tmp_path)) as history:
        for _ in range(examples(100)):
            texts = [" ".join(sorted(chance.sample(WORDS, chance.randrange(3, 6)))) for _ in range(6)]
            episodes = [
                known(time, chance.choice(texts), chance.choice("ab")) for time in range(chance.randrange(2, 30))
            ]
            queue, came = Queue(history), list[Known]()
            chance.shuffle(episodes)
            while episodes:
                some = [episodes.pop() for _ in range(min(len(episodes), chance.randrange(1, 5)))]
                queue.product.add(some)
                came += some
                if chance.random() < 0.7:
                    queue.ask()
                    assert queue.calls == mined(came)


def test_only_what_changed_is_made_anew(tmp_path: Path) -> None:
    with History.opened(str(tmp_path)) as history:
        queue = Queue(history)
        assert queue.ask() == set()
        queue.product.add([known(5, "lamp glass wick"), known(6, "table chair light"), known(7, "table chair light")])
        assert len(queue.ask()) == 2
        assert queue.ask() == set()
        queue.product.add([known(8, "lamp glass wick"), known(9, "smoke flame glass", "fire")])
        assert {tuple(queue.calls[name]) for name in queue.ask()} == {("c005", "c008"), ("c009",)}
        decided = next(name for name, calls in queue.calls.items() if "c005" in calls)
        queue.product.add([known(10, "lamp glass wick")])
        assert list(queue.product.changed(decided.__eq__)) == []


def test_what_was_first_gives_the_name_even_if_it_is_known_later(tmp_path: Path) -> None:
    with History.opened(str(tmp_path)) as history:
        queue = Queue(history)
        queue.product.add([known(5, "lamp glass wick flame")])
        [before] = queue.ask()
        queue.product.add([known(4, "lamp glass wick flame smoke")])
        [after] = queue.ask()
        assert queue.calls == {after: ["c004", "c005"]}
        assert before != after


def test_what_is_no_lesson_yet_becomes_one_with_more_weight(tmp_path: Path) -> None:
    with History.opened(str(tmp_path)) as history:
        queue = Queue(history)
        queue.product.add([known(5, "run wick trim first", weight=0.1)])
        assert queue.ask() == set()
        assert queue.ask() == set()
        queue.product.add([known(8, "run wick trim first", weight=0.9)])
        [name] = queue.ask()
        assert queue.calls == {name: ["c005", "c008"]}
