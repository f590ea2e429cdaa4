"""What was made of candidates: kept by the candidate, replaced by a later answer, and deleted with what it is about."""

import msgspec

from lessons.candidate import Wording
from lessons.store.history.wordings import forget
from tests.store.history.history import History, call, history, tag

SAID = Wording(by="toy", time="2026-09-01T08:00:00Z", worth_a_lesson=True, summary="s", cited_tool_use_ids=["c1"])


def with_candidate(made: History) -> None:
    made.write("/a", call("c1"), tag(5, "tag-a"))
    made.product.wordings.put("tag-a", SAID)


def test_what_cannot_be_read_is_left_out() -> None:
    with history() as made:
        with_candidate(made)
        made.rows("INSERT INTO wordings VALUES ('other', 'not JSON'), ('third', '{}')")
        assert made.product.wordings.all() == {"tag-a": SAID}


def test_a_later_answer_replaces_the_first() -> None:
    with history() as made:
        with_candidate(made)
        later = msgspec.structs.replace(SAID, by="another")
        made.product.wordings.put("tag-a", later)
        assert made.product.wordings.all() == {"tag-a": later}


def test_what_has_its_candidate_and_its_calls_is_kept() -> None:
    with history() as made:
        with_candidate(made)
        assert forget(made.connection, ["tag-b"]) == 0
        assert made.product.wordings.all() == {"tag-a": SAID}


def test_it_goes_with_its_candidate_and_with_a_call_that_it_cites() -> None:
    for statement in ("DELETE FROM calls", "DELETE FROM candidates", "UPDATE wordings SET document = 'x'"):
        with history() as made:
            with_candidate(made)
            made.rows(statement)
            assert forget(made.connection, []) == 1, statement
    with history() as made:
        with_candidate(made)
        assert forget(made.connection, ["tag-a"]) == 1


def test_it_goes_with_the_last_call_that_has_one_of_its_words() -> None:
    quoting = msgspec.structs.replace(SAID, quoted_in=[["c1"], ["c2", "c3"]])
    with history() as made:
        made.write("/a", call("c1"), call("c2"), call("c3"), tag(5, "tag-a"))
        made.product.wordings.put("tag-a", quoting)
        made.rows("DELETE FROM calls WHERE tool_use_id = 'c2'")
        assert forget(made.connection, []) == 0
        made.rows("DELETE FROM calls WHERE tool_use_id = 'c3'")
        assert forget(made.connection, []) == 1
