"""Candidates come with all their evidence; imports without any, once, whatever was decided about them."""

from lessons.store.history.candidates import written_row
from tests.builders.candidates import Seen, put
from tests.store.history.history import history


def test_what_a_person_decided_on_and_what_rests_on_nothing_does_not_wait() -> None:
    with history() as made:
        for status in ("promoted", "archived", "merged"):
            put(made.connection, status, status=status)
        put(made.connection, "without", seen=[])
        assert made.product.candidates.with_status() == []
        assert [each.fingerprint for each in made.product.candidates.with_status("archived")] == ["archived"]
        put(made.connection, "said", tier=3, kind="correction")
        assert [each.fingerprint for each in made.product.candidates.of_tier(3)] == ["said"]
        assert [each.fingerprint for each in made.product.candidates.of_tier(2)] == ["archived", "merged", "promoted"]


def test_every_occurrence_the_oldest_first() -> None:
    with history() as made:
        seen = [Seen("s2", time="t2", failed="c2", fixed="c3"), Seen("s1", time="t1", failed="c1", uuid="")]
        put(made.connection, "b", seen=seen, tier=3, kind="correction", confidence=0.6)
        put(made.connection, "a", seen=[Seen("s9")] * 1)
        first, second = made.product.candidates.with_status()
        assert (first.fingerprint, second.fingerprint) == ("a", "b")
        assert (second.tier, second.kind, second.confidence) == (3, "correction", 0.6)
        assert [(each.time, each.tool_use_id, each.fix_tool_use_id) for each in second.evidence] == [
            ("t1", "c1", ""),
            ("t2", "c2", "c3"),
        ]


def test_nothing_else_without_evidence_is_in_the_queue() -> None:
    with history() as made:
        put(made.connection, "mined", seen=())
        made.product.candidates.add_imported([written_row("import", "import-a", "{}", 0.6)])
        [found] = made.product.candidates.with_status()
        assert (found.fingerprint, found.tier, found.kind, found.evidence) == ("import-a", 1, "import", [])


def test_a_decision_stays_when_it_is_imported_again() -> None:
    with history() as made:
        made.product.candidates.add_imported(
            [written_row("import", "import-a", "{}", 0.6), written_row("import", "import-b", "{}", 0.6)]
        )
        made.connection.execute("UPDATE candidates SET status = 'archived' WHERE fingerprint = 'import-a'")
        made.product.candidates.add_imported([written_row("import", "import-a", '{"new": 1}', 0.9)])
        assert made.product.candidates.statuses_of("import") == {"import-a": "archived", "import-b": "candidate"}
        assert [each.fingerprint for each in made.product.candidates.with_status()] == ["import-b"]
