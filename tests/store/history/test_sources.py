"""Segments of a file and of what took its place; how far each was read."""

from lessons.store.history import sources
from lessons.store.history.rows import FileState
from lessons.store.history.sources import ATTEMPTS, CAPTURE, LONGEST_WAIT, MINING, Miner
from tests.store.history.history import History, batch, call, history, segment


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


def test_segments_of_files_that_are_not_read_are_not_exported() -> None:
    """An earlier version stored one for each such file."""
    with history() as made:
        made.product.sources.withhold("claude-code", "/secret", FileState(1, 2, 3))
        made.connection.execute(
            "INSERT INTO segments (source_id, number, key, boundary_uuid, start, end, sealed)"
            " SELECT id, 0, '', '', 0, 0, 0 FROM sources"
        )
        made.add("/a", batch([], end=100))
        assert made.product.sources.segment_keys() == {"/a": ["f-file.0"]}


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


MINER = Miner("errors", 1)


def three_segments() -> History:
    """A file of three segments, the last of which is open."""
    made = History()
    made.add("/a", batch([segment(1, 40), segment(2, 70)], end=100))
    return made


def ids(made: History) -> list[int]:
    return [int(str(row[0])) for row in made.rows("SELECT id FROM segments ORDER BY number")]


def state(made: History, miner: str = "errors") -> list[tuple[object, ...]]:
    return made.rows("SELECT state, attempts, reason FROM progress WHERE miner = ? AND state <> 'done'", miner)


def retry_after(made: History, miner: str = "errors") -> float:
    found = made.one("SELECT retry_after FROM progress WHERE miner = ? AND state <> 'done'", miner)
    return float(str(found))


def test_a_failure_waits_longer_each_time_and_is_given_up_in_the_end() -> None:
    made = three_segments()
    first, *_ = ids(made)
    now, waits = 1000.0, []
    for attempt in range(1, ATTEMPTS + 1):
        sources.failed(made.connection, first, MINER, "it did not work", now)
        assert state(made) == [("dead" if attempt == ATTEMPTS else "failed", attempt, "it did not work")]
        waits.append(retry_after(made) - now)
        now += waits[-1]
    assert all(0.9 * full <= wait <= full for wait, full in zip(waits, (300, 600, 1200, 1800, 1800), strict=True))


def test_the_wait_differs_from_segment_to_segment_and_is_the_same_each_time() -> None:
    waits = [sources.wait_after(1, segment_id) for segment_id in range(50)]
    assert len(set(waits)) > 25
    assert waits == [sources.wait_after(1, segment_id) for segment_id in range(50)]


def test_a_failure_before_the_retry_is_due_counts_no_attempt() -> None:
    made = three_segments()
    first, *_ = ids(made)
    for _ in range(10):
        sources.failed(made.connection, first, MINER, "once", 1000)
    assert state(made) == [("failed", 1, "once")]


def test_a_clock_that_was_set_back_does_not_keep_a_retry_away() -> None:
    made = three_segments()
    first, *_ = ids(made)
    sources.failed(made.connection, first, CAPTURE, "once", 1e9)
    assert made.product.progress.due_sources(1e9) == []
    assert made.product.progress.due_sources(1e9 - 10 * LONGEST_WAIT) == [made.file("/a").id]
    assert made.product.progress.due_sources(1e9 + LONGEST_WAIT) == [made.file("/a").id]


def test_reading_notes_failures_and_forgets_them_when_the_file_was_read_without_them() -> None:
    made = three_segments()
    broken = batch([], 100, 150)
    broken.failed = [(1, "first"), (1, "second"), (2, "third")]
    made.add("/a", broken)
    assert state(made, "capture") == [("failed", 1, "first"), ("failed", 1, "third")]
    made.product.sources.restart(made.file("/a"))
    assert state(made, "capture") == []
    again = batch([segment(1, 40), segment(2, 70)], end=150)
    again.failed = [(1, "first")]
    made.add("/a", again)
    assert state(made, "capture") == [("failed", 1, "first")]


def test_what_was_given_up_can_be_retried_by_hand() -> None:
    made = three_segments()
    first, second, _ = ids(made)
    for attempt in range(ATTEMPTS):
        sources.failed(made.connection, first, CAPTURE, "never", 1e5 * attempt)
    sources.failed(made.connection, second, CAPTURE, "once", 0)
    assert [(each.key, each.state) for each in made.product.progress.failed_segments()] == [
        ("f-file.0", "dead"),
        ("f-file.1", "failed"),
    ]
    assert made.product.progress.due_sources(0) == []
    assert made.product.progress.retry_all() == 2
    assert made.product.progress.due_sources(0) == [made.file("/a").id]
    assert made.product.progress.retry_all() == 2  # until they were retried
    assert made.product.progress.next_retry() == 0


def test_a_failed_mining_is_queued_again_when_it_is_due() -> None:
    with history() as made:
        made.write("/a", call("c1", position=5))
        progress = made.product.progress
        progress.mined(["s1"], [("c1", "s1", "boom")], 2, 1000)
        progress.queue_due_sessions(1000)
        assert made.rows("SELECT session_id FROM unmined") == []
        progress.queue_due_sessions(1300)
        assert made.rows("SELECT session_id FROM unmined") == [("s1",)]
        progress.mined(["s2"], [], 2, 1300)
        assert len(state(made, MINING)) == 1  # that session was not mined
        progress.mined(["s1"], [], 2, 1300)
        assert state(made, MINING) == []


def test_a_second_miner_waits_for_every_known_segment_but_not_for_dead_ones() -> None:
    made = three_segments()
    grown = batch([], 100, 150)
    grown.memory = '{"sessionId":"s1"}'
    made.add("/a", grown)
    _, second, _ = ids(made)
    assert made.product.progress.unread_sessions() == set()
    for attempt in range(ATTEMPTS):
        sources.failed(made.connection, second, CAPTURE, "never", 1e5 * attempt)
        assert made.product.progress.unread_sessions() == (set() if attempt == ATTEMPTS - 1 else {"s1"})


def test_reading_marks_every_segment_as_read_up_to_its_end() -> None:
    made = three_segments()
    made.add("/a", batch([segment(3, 130)], 100, 150))
    rows = made.rows("SELECT g.number, p.end, p.state FROM progress p JOIN segments g ON g.id = p.segment_id")
    assert sorted(rows) == [(0, 40, "done"), (1, 70, "done"), (2, 130, "done"), (3, 150, "done")]
