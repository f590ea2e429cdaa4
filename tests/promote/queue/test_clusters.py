"""Near duplicates: what is about something else stands alone, what says the same stands together, all in order."""

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from lessons import config
from lessons.promote.candidate import Candidate
from lessons.promote.queue import clusters, whole, with_duplicates
from lessons.promote.similarity import ALIKE, likeness
from lessons.store.history.history import History
from tests.builders.candidates import put
from tests.sizes import examples
from tests.store.history.history import history


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with history() as made:
        yield made.connection


def together(connection: sqlite3.Connection, folder: Path) -> list[list[str]]:
    found = clusters(whole(History(connection, ""), config.load(str(folder), {})))
    return [[each.fingerprint for each in cluster] for cluster in found]


def words(candidate: Candidate) -> str:
    return f"{candidate.problem}\n{candidate.solution}"


def compared_with_each(candidates: list[Candidate]) -> list[list[Candidate]]:
    """What `clusters` does, without leaving out any comparison."""
    found: list[list[Candidate]] = []
    for candidate in candidates:
        home = next((cluster for cluster in found if likeness(words(cluster[0]), words(candidate)) >= ALIKE), None)
        if home is None:
            found.append([candidate])
        else:
            home.append(candidate)
    return found


def test_others_stand_alone(connection: sqlite3.Connection, tmp_path: Path) -> None:
    assert clusters([]) == []
    for number, program in enumerate(("lux", "lumen", "lamp")):
        put(connection, f"mark-{number}", problem=f"`{program}` is missing (command not found)",
            solution=f"No later call shows a replacement for `{program}`.")  # fmt: skip
    assert together(connection, tmp_path) == [["mark-0"], ["mark-1"], ["mark-2"]]


def test_the_same_in_other_words(connection: sqlite3.Connection, tmp_path: Path) -> None:
    put(connection, "a", minutesLost=9)
    put(connection, "b", minutesLost=5, problem="构建之前先运行生成器,否则类型会过期。", solution="先运行生成器。")
    put(connection, "c", minutesLost=3, problem="`gh pr diff` knows no `--stat`")
    put(connection, "d", minutesLost=1, problem="构建之前要先运行生成器,否则类型会过期", solution="先运行生成器")
    assert together(connection, tmp_path) == [["a", "c"], ["b", "d"]]


def test_the_cluster_of_one_is_the_one_that_all_of_them_have(connection: sqlite3.Connection, tmp_path: Path) -> None:
    chance, words = random.Random(2), "lamp glass wick flame smoke light".split()
    for number in range(14):
        put(connection, f"c{number}", minutesLost=number)
    everyone = whole(History(connection, ""), config.load(str(tmp_path), {}))
    sizes = set()
    for _ in range(examples(100)):
        for each in everyone:
            each.problem, each.solution = " ".join(chance.sample(words, chance.randrange(6))), ""
        assert clusters(everyone) == compared_with_each(everyone)
        for cluster in clusters(everyone):
            sizes.add(len(cluster))
            for each in cluster:
                assert with_duplicates(each, everyone) == [each, *(one for one in cluster if one is not each)]
    assert len(sizes) > 4, "too little is alike to compare"
    assert with_duplicates(everyone[0], []) == [everyone[0]]


def test_what_is_quoted_decides_as_if_each_were_compared_with_each(
    connection: sqlite3.Connection, tmp_path: Path
) -> None:
    chance, words = random.Random(3), "lamp glass `wick` `wick lamp` `oil` «flame» `_`".split()
    for number in range(14):
        put(connection, f"c{number}", minutesLost=number)
    everyone = whole(History(connection, ""), config.load(str(tmp_path), {}))
    sizes: set[int] = set()
    for _ in range(examples(100)):
        for each in everyone:
            each.problem, each.solution = " ".join(chance.choices(words, k=chance.randrange(5))), ""
        assert clusters(everyone) == compared_with_each(everyone)
        sizes.update(map(len, clusters(everyone)))
    assert len(sizes) > 4, "too little is alike to compare"
