"""What was imported: a candidate without evidence, once, whatever a person has decided about it."""

from lessons.store.history import imported, queue
from lessons.store.history.imported import Imported
from tests.builders.candidates import put
from tests.store.history.history import history


def test_nothing_else_without_evidence_is_in_the_queue() -> None:
    with history() as made:
        put(made.connection, "mined", seen=())
        imported.add(made.connection, [Imported("import-a", "{}", 0.6)])
        [found] = queue.candidates(made.connection)
        assert (found.fingerprint, found.tier, found.kind, found.evidence) == ("import-a", 1, "import", [])


def test_a_decision_stays_when_it_is_imported_again() -> None:
    with history() as made:
        imported.add(made.connection, [Imported("import-a", "{}", 0.6), Imported("import-b", "{}", 0.6)])
        made.connection.execute("UPDATE candidates SET status = 'archived' WHERE fingerprint = 'import-a'")
        imported.add(made.connection, [Imported("import-a", '{"new": 1}', 0.9)])
        assert imported.statuses(made.connection) == {"import-a": "archived", "import-b": "candidate"}
        assert [each.fingerprint for each in queue.candidates(made.connection)] == ["import-b"]
