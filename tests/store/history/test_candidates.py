"""Candidates come with all their evidence; imports without any, once, whatever was decided about them."""

from lessons.store.history.candidates import written_row
from tests.builders.candidates import put
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


EVIDENCE = [  # session, uuid, number, time, file
    ("s2", "u1", 0, "2026-09-03", "/gone"),
    ("s1", "u2", 1, "2026-09-01", "/b"),
    ("s1", "u2", 0, "2026-09-01", "/b"),
    ("s1", "u1", 0, "2026-09-02", "/a"),
    ("s3", "u1", 0, "", "/a"),
    ("s0", "u9", 0, "2026-09-01", "/a"),
]
SORTED = [
    ("s3", "u1", "", "late"),
    ("s0", "u9", "2026-09-01", "late"),
    ("s1", "u2", "2026-09-01", "other"),
    ("s1", "u2", "2026-09-01", "other"),
    ("s1", "u1", "2026-09-02", "late"),
    ("s2", "u1", "2026-09-03", ""),
]


def test_evidence_is_sorted_by_time_and_tells_the_agent_that_wrote_the_file_last() -> None:
    with history() as made:
        sources = [("late", "/a", 2), ("early", "/a", 1), ("other", "/b", 1)]
        made.connection.executemany(
            "INSERT INTO sources (agent, path, generation, inode, size, modified, offset, head, tail, memory)"
            " VALUES (?, ?, ?, 0, 0, 0, 0, '', '', '')",
            sources,
        )
        for name in ("fix-b", "fix-a"):
            made.connection.execute(
                "INSERT INTO candidates VALUES (?, 2, 'wrong-path', '{}', 0.5, 'candidate')", (name,)
            )
            made.connection.executemany(
                f"INSERT INTO evidence VALUES ('{name}', ?, ?, ?, '', '', '', '', ?, ?)", EVIDENCE
            )
        found = made.product.candidates.with_status()
        assert [each.fingerprint for each in found] == ["fix-a", "fix-b"]
        for each in found:
            assert [(one.session_id, one.uuid, one.time, one.agent) for one in each.evidence] == SORTED
        assert made.product.candidates.named(["fix-b", "none"]) == found[1:]
