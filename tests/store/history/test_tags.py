"""Tags become candidates with evidence; a withdrawal takes its own session's last tag and no other."""

import json

import msgspec
import pytest

from lessons.store.history.rows import TagRow
from lessons.store.injection_files import Line
from tests.store.history.history import History, Row, call, history, result, tag, withdrawal


def standing(made: History) -> dict[object, int]:
    """The candidates and how often each was seen."""
    rows = made.rows(
        "SELECT c.fingerprint, count(e.uuid) FROM candidates c LEFT JOIN evidence e USING (fingerprint) GROUP BY 1"
    )
    return {mark: int(str(count)) for mark, count in rows}


def cancelled(made: History) -> list[object]:
    return [row[0] for row in made.rows("SELECT key FROM tags WHERE cancelled ORDER BY key")]


def test_a_withdrawal_of_another_session_or_thread_takes_nothing() -> None:
    with history() as made:
        made.write("/a", tag(1, "tag-a", position=1))
        made.write("/b", tag(2, "", session="s2", position=2))
        made.write("/c", tag(3, "", agent_id="a1", position=3))
        assert cancelled(made) == []
        assert standing(made) == {"tag-a": 1}


def test_a_withdrawal_does_not_reach_forward_or_twice() -> None:
    with history() as made:
        made.write("/a", tag(1, "", position=1), tag(2, "tag-a", position=2), tag(3, "tag-b", position=3))
        assert cancelled(made) == []
        made.write("/a", tag(4, "", position=4))
        assert cancelled(made) == [3]
        made.write("/a", tag(5, "", position=5), tag(6, "", position=6))
        assert cancelled(made) == [2, 3]
        assert standing(made) == {}


def test_a_withdrawal_that_names_a_problem_takes_that_one_and_no_other() -> None:
    marks = ["tag-the flag is gone", "tag-the file is gone", "tag-the flag is gone now"]
    tags = [tag(number, mark, position=number) for number, mark in enumerate(marks, start=1)]
    named = {
        "tag-the FILE  is": [2],
        "tag-the flag is gone": [3],  # the last whose problem begins so
        "tag-the flag is gone ": [3],
        "tag": [],  # too short to name one
        "tag-another problem": [],
        "flag is gone": [],
    }
    for problem, taken in named.items():
        with history() as made:
            made.write("/a", *tags, withdrawal(9, problem, position=9))
            assert cancelled(made) == taken, problem
    with history() as made:
        made.write("/a", *tags, withdrawal(8, marks[0], position=8), withdrawal(9, marks[0], position=9))
        assert cancelled(made) == [1, 3]
        assert standing(made) == {marks[1]: 1}
    with history() as made:
        made.write("/a", *tags, withdrawal(9, marks[1], position=9, session="s2"))
        assert cancelled(made) == []


def test_a_withdrawal_that_is_read_first_takes_the_tag_before_it() -> None:
    with history() as made:
        made.write("/b", tag(2, "", position=1))
        made.write("/a", tag(1, "tag-a", position=9))
        assert (cancelled(made), standing(made)) == ([1], {})


def test_a_tag_that_turns_out_to_be_another_sessions_is_not_taken_back_here() -> None:
    """A fork is read before its original: what it withdraws was never its own."""
    with history() as made:
        made.write(
            "/fork", tag(1, "tag-a", session="s2", copied=True, position=1), tag(2, "", session="s2", position=2)
        )
        assert standing(made) == {}
        made.write("/original", tag(1, "tag-a", session="s1", position=1))
        assert (cancelled(made), standing(made)) == ([], {"tag-a": 1})


def test_the_same_tag_in_two_sessions_is_one_candidate_with_two_pieces_of_evidence() -> None:
    with history() as made:
        first = made.write("/a", tag(1, session="s1", uuid="u1"))
        second = made.write("/b", tag(2, session="s2", uuid="u2"))
        assert (first.new_candidates, first.updated_candidates) == ({"tag-a"}, set())
        assert (second.new_candidates, second.updated_candidates) == (set(), {"tag-a"})
        assert standing(made) == {"tag-a": 2}
        rows = made.rows("SELECT session_id, uuid, message_id, file FROM evidence ORDER BY session_id")
        assert rows == [("s1", "u1", "m1", "/a"), ("s2", "u2", "m2", "/b")]


def test_records_with_the_same_name_or_none_count_once_in_a_session() -> None:
    for uuid in ("", "the same"):
        with history() as made:
            made.write("/a", tag(1, uuid=uuid, position=1))
            made.write("/a", tag(2, uuid=uuid, position=2))
            assert standing(made) == {"tag-a": 1}
            assert made.one("SELECT message_id FROM evidence") == "m1"


def test_the_fullest_report_is_shown() -> None:
    with history() as made:
        for key, confidence in enumerate((0.8, 0.9, 0.7)):
            made.write("/a", tag(key, confidence=confidence, position=key, uuid=f"u{key}"))
        assert made.rows("SELECT tier, kind, confidence, status FROM candidates") == [(1, "tag", 0.9, "candidate")]


def test_a_withdrawn_candidate_disappears_unless_a_person_decided_on_it() -> None:
    for status, left in (("candidate", {}), ("promoted", {"tag-a": 0}), ("archived", {"tag-a": 0})):
        with history() as made:
            made.write("/a", tag(1, position=1))
            made.connection.execute("UPDATE candidates SET status = ?", (status,))
            made.write("/a", tag(2, "", position=2))
            assert standing(made) == left


def asked(made: History, second: int, *calls: str, session: str = "s1", failed_at: int = 0) -> None:
    """A question of the hook in its log."""
    event: dict[str, object] = {
        "time": f"2026-01-01T00:00:{second:02d}Z",
        "session": session,
        "decision": "asked",
        "toolUseIds": list(calls),
        "failedAt": f"2026-01-01T00:00:{failed_at:02d}Z",
    }
    made.product.injections.add([Line(second, json.dumps(event), event)])


def resting(made: History) -> dict[object, tuple[object, object]]:
    rows = made.rows("SELECT fingerprint, tool_use_id, fix_tool_use_id FROM evidence ORDER BY fingerprint")
    return {mark: (failed, fix) for mark, failed, fix in rows}


def fenced(key: int, mark: str, position: int) -> TagRow:
    row = tag(key, mark, position=position)
    return msgspec.structs.replace(row, fields=row.fields.replace("{", '{"fenced":true,', 1))


def test_a_tag_that_nobody_asked_for_rests_on_no_call() -> None:
    with history() as made:
        made.write("/a", tag(1, "tag-before", position=1), tag(2, "tag-child", position=9, agent_id="a1"))
        made.write("/b", tag(3, "tag-other", position=9, session="s2"))
        asked(made, 5, "failed", "fix")
        assert set(resting(made).values()) == {("", "")}


@pytest.mark.parametrize("read_first", [True, False])
def test_the_first_tag_after_a_question_answers_it(read_first: bool) -> None:
    tags = [tag(key, f"tag-{key}", position=key) for key in (2, 6, 7, 21, 30)]
    with history() as made:
        if read_first:
            made.write("/a", *tags)
        asked(made, 5, "failed", "fix")
        asked(made, 10, "unanswered", "fix")
        asked(made, 20, "failed-2", "fix-2")
        if not read_first:
            made.write("/a", *tags)
        no = ("", "")
        assert resting(made) == {
            "tag-2": no, "tag-21": ("failed-2", "fix-2"), "tag-30": no, "tag-6": ("failed", "fix"), "tag-7": no
        }  # fmt: skip


def test_a_withdrawn_answer_leaves_the_question_to_the_next() -> None:
    with history() as made:
        asked(made, 1, "failed", "fix")
        made.write("/a", tag(2, "tag-a", position=2), tag(3, "", position=3), tag(4, "tag-b", position=4))
        assert resting(made) == {"tag-b": ("failed", "fix")}


@pytest.mark.parametrize("read_first", [True, False])
def test_a_tag_in_a_code_block_counts_after_a_question_only(read_first: bool) -> None:
    tags = [fenced(2, "tag-a", 2), fenced(6, "tag-b", 6), fenced(7, "tag-c", 7)]
    with history() as made:
        if read_first:
            made.write("/a", *tags)
            assert standing(made) == {}
        asked(made, 5, "failed", "fix")
        if not read_first:
            made.write("/a", *tags)
        assert standing(made) == {"tag-b": 1, "tag-c": 1}
        assert resting(made) == {"tag-b": ("failed", "fix"), "tag-c": ("", "")}


def test_without_ids_the_last_calls_before_the_question_count() -> None:
    rows: list[Row] = [
        *(call(name, position=position) for position, name in enumerate(("old", "bad", "good", "late"), start=1)),
        *(result(name, outcome) for name, outcome in (("old", "failed"), ("bad", "failed"), ("good", "ok"))),
        result("late", "failed"),
    ]
    with history() as made:
        made.write("/a", *rows, tag(9, "tag-a", position=9))
        asked(made, 5, failed_at=3)
        assert resting(made) == {"tag-a": ("bad", "good")}
