"""The words that an agent wrote after a failed call are found by that call, the first ones of its own session."""

from itertools import permutations

from lessons.store.history.episodes import Diagnosis, EpisodeRow
from tests.store.history.history import call, diagnosis, history, result


def test_of_other_calls_nothing_is_found() -> None:
    with history() as made:
        made.write("/a", call("c1"), result("c1", "failed", error="e"), diagnosis(5, call="c2"))
        assert made.product.diagnoses.of(["c1", "c2", "unknown"]) == {}
        assert made.product.diagnoses.of([]) == {}


def test_words_about_a_bypass_are_left_out() -> None:
    for text in ("I commit with --no-verify then.", "I merge it with `--admin`.", "I run `rm -rf build` first."):
        with history() as made:
            made.write("/a", call("c1"), result("c1", "failed", error="e"), diagnosis(5, text))
            assert made.product.diagnoses.of(["c1"]) == {}


def test_words_before_a_call_that_nobody_may_be_told_of_are_left_out() -> None:
    for fix, worked, expected in (("", "c2", set()), ("c2", "c2", {"c1"}), ("", "", {"c1"})):
        with history() as made:
            made.write("/a", call("c1"), result("c1", "failed", error="e"), diagnosis(5))
            row = EpisodeRow("c1", "s1", "telling-error", "gh", "e", fix, 0.5, 1, 1.0, worked)
            made.product.episodes.add([row])
            assert set(made.product.diagnoses.of(["c1"])) == expected


def test_the_first_words_of_the_calls_own_session() -> None:
    rows = [
        diagnosis(1, "of a fork, and earlier", session="s0", time="2026-01-01T00:00:00Z"),
        diagnosis(2, "said later", position=9, time="2026-01-01T00:09:00Z"),
        diagnosis(3, "the first words", position=5, time="2026-01-01T00:05:00Z"),
    ]
    for order in permutations(rows):
        with history() as made:
            made.write("/a", call("c1", session="s1"))
            for row in order:
                made.write("/a", row)
            expected = Diagnosis("the first words", "claude-code", "s1", "2026-01-01T00:05:00Z", "c1")
            assert made.product.diagnoses.of(["c1"]) == {"c1": expected}


def test_where_its_own_session_says_nothing_a_forks_words_are_found() -> None:
    with history() as made:
        made.write("/a", call("c1", session="s1"), diagnosis(1, "of a fork", session="s2"))
        assert made.product.diagnoses.of(["c1"])["c1"].session_id == "s2"
