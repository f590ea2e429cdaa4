"""Answers about mistakes: kept by the dossier, replaced by a later one, and deleted with what they are about."""

import msgspec

from lessons.candidate import Wording
from lessons.store.history.candidates import StoredAnswer, forget_answers
from tests.store.history.history import History, call, history, tag

SAID = Wording(by="toy", time="2026-09-01T08:00:00Z", worth_a_lesson=True, summary="s", cited_tool_use_ids=["c1"])
ANSWER = StoredAnswer("fix-a", "pending", [SAID], [], "toy", "2026-09-01T08:00:00Z", 1, ["c1"])


def with_answer(made: History, answer: StoredAnswer = ANSWER) -> None:
    made.write("/a", call("c1"), tag(5, "tag-a"))
    made.product.answers.put(answer)


def test_what_cannot_be_read_is_left_out() -> None:
    with history() as made:
        with_answer(made)
        rest = "'[]', 'toy', '', 1, '[]')"
        made.rows(f"INSERT INTO answers VALUES ('b', 'pending', 'no JSON', {rest}, ('c', 'pending', '{{}}', {rest}")
        assert made.product.answers.all() == {"fix-a": ANSWER}


def test_a_later_answer_replaces_the_first() -> None:
    with history() as made:
        with_answer(made)
        later = msgspec.structs.replace(ANSWER, status="refused", lessons=[], reasons=["no"], round=2)
        made.product.answers.put(later)
        assert made.product.answers.all() == {"fix-a": later}
        assert made.product.answers.with_lessons() == set()


def test_a_reviewer_is_shown_the_lesson_or_why_there_is_none() -> None:
    with history() as made:
        with_answer(made)
        made.product.answers.put(StoredAnswer("fix-b", "nothing", [], ["normal work"], "toy", "t", 1, []))
        made.product.answers.put(StoredAnswer("fix-c", "refused", [], ["too wide"], "toy", "t", 1, []))
        merged = Wording(by="toy", time="t", worth_a_lesson=True, slug="another")
        made.product.answers.put(StoredAnswer("fix-d", "pending", [merged], [], "toy", "t", 1, []))
        nothing = Wording("toy", "t", worth_a_lesson=False, reason="normal work")
        assert made.product.answers.wordings() == {"fix-a": SAID, "fix-b": nothing}


def test_it_goes_with_a_call_that_it_is_about() -> None:
    with history() as made:
        with_answer(made)
        assert forget_answers(made.connection, ["fix-b"]) == 0
        assert made.product.answers.all() == {"fix-a": ANSWER}
        assert forget_answers(made.connection, ["fix-a"]) == 1
    for statement in ("DELETE FROM calls", "UPDATE answers SET document = 'x'", "UPDATE answers SET calls = 'x'"):
        with history() as made:
            with_answer(made)
            made.rows(statement)
            assert forget_answers(made.connection, []) == 1, statement


def test_it_goes_with_the_last_call_that_has_one_of_its_words() -> None:
    quoting = msgspec.structs.replace(SAID, quoted_in=[["c1"], ["c2", "c3"]])
    with history() as made:
        made.write("/a", call("c1"), call("c2"), call("c3"), tag(5, "tag-a"))
        made.product.answers.put(msgspec.structs.replace(ANSWER, lessons=[quoting]))
        made.rows("DELETE FROM calls WHERE tool_use_id = 'c2'")
        assert forget_answers(made.connection, []) == 0
        made.rows("DELETE FROM calls WHERE tool_use_id = 'c3'")
        assert forget_answers(made.connection, []) == 1
