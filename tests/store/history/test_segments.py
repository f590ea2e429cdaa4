"""Segments of a file and of what took its place; how far each was read."""

from tests.store.history.history import History, batch, history, segment


def found(made: History) -> list[tuple[object, ...]]:
    return made.rows(
        "SELECT s.generation, g.number, g.start, g.end, g.sealed FROM segments g JOIN sources s ON s.id = g.source_id"
        " ORDER BY 1, 2"
    )


def test_a_segment_is_sealed_when_the_next_begins_and_never_before() -> None:
    with history() as made:
        made.add("/a", batch([], end=50))
        assert found(made) == [(0, 0, 0, 50, 0)]
        made.add("/a", batch([], 50, 80))
        assert found(made) == [(0, 0, 0, 80, 0)]
        made.add("/a", batch([segment(1, 90), segment(2, 95)], 80, 120))
        assert found(made) == [(0, 0, 0, 90, 1), (0, 1, 90, 95, 1), (0, 2, 95, 120, 0)]


def test_reading_a_changed_file_again_moves_the_bounds() -> None:
    """As long as before, but the compaction stands elsewhere now."""
    with history() as made:
        made.add("/a", batch([segment(1, 40)], end=100))
        made.product.sources.restart(made.file("/a"))
        made.add("/a", batch([segment(1, 60)], end=100))
        assert found(made) == [(0, 0, 0, 60, 1), (0, 1, 60, 100, 0)]


def test_a_replaced_file_has_segments_of_its_own_and_only_they_are_exported() -> None:
    with history() as made:
        made.add("/a", batch([segment(1, 40)], end=100))
        made.replaced("/a")
        made.add("/a", batch([], end=30))
        assert found(made) == [(0, 0, 0, 40, 1), (0, 1, 40, 100, 0), (1, 0, 0, 30, 0)]
        assert made.product.sources.segment_keys() == {"/a": ["f-file.0"]}
        assert made.product.sources.offsets() == {"/a": 30}


def test_a_file_is_known_by_its_latest_generation() -> None:
    with history() as made:
        made.add("/a", batch([], end=100))
        made.replaced("/a")
        made.add("/a", batch([], end=30))
        known = made.product.sources.latest("claude-code", "/a")
        assert known
        assert (known.generation, known.offset, known.id) == (1, 30, made.file("/a").id)
        assert made.product.sources.latest("another", "/a") is None
        made.connection.execute("UPDATE sources SET size = 100 + generation")
        assert made.product.sources.fully_read(["claude-code"]) == {(0, 100, 0), (0, 101, 0)}
        assert made.product.sources.fully_read(["another"]) == set()


def test_only_files_with_segments_are_trusted() -> None:
    with history() as made:
        made.add("/a", batch([], end=100))
        made.connection.execute("UPDATE sources SET offset = 50 WHERE id = ?", (made.file("/b").id,))
        made.connection.execute("UPDATE sources SET size = id")
        assert made.product.sources.fully_read(["claude-code"]) == {(0, made.file("/a").id, 0)}
        untrusted = made.product.sources.latest("claude-code", "/b")
        assert untrusted
        assert untrusted.offset == 0


def test_a_restart_forgets_the_counts_and_keeps_the_rest() -> None:
    with history() as made:
        part = batch([], end=100)
        part.damaged, part.tally.records, part.tally.malformed = [(3, 4)], 7, 1
        made.add("/a", part)
        before = made.dump()
        for _ in range(2):
            made.product.sources.restart(made.file("/a"))
            made.add("/a", part)
        assert made.dump() == before
        assert made.rows("SELECT records, malformed, offset FROM sources") == [(7, 1, 100)]
