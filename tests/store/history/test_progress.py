"""Who has dealt with which segment: nothing is passed over, nothing is tried for ever."""

from lessons.store.history import progress
from lessons.store.history.progress import CAPTURE, Due, Miner
from tests.store.history.history import History, batch, history, segment

MINER = Miner("errors", 1)


def three_segments() -> History:
    """A file of three segments, the last of which is open."""
    made = History()
    made.add("/a", batch([segment(1, 40), segment(2, 70)], end=100))
    return made


def due(made: History, miner: Miner = MINER, now: float = 0) -> list[tuple[int, int, int]]:
    return [(row.number, row.start, row.end) for row in progress.due(made.connection, miner, now)]


def ids(made: History) -> list[int]:
    return [int(str(row[0])) for row in made.rows("SELECT id FROM segments ORDER BY number")]


def test_everything_is_due_at_first_and_nothing_when_it_is_done() -> None:
    made = three_segments()
    assert due(made) == [(0, 0, 40), (1, 40, 70), (2, 70, 100)]
    source = made.file("/a").id
    assert progress.due(made.connection, MINER, 0)[0] == Due(ids(made)[0], source, 0, 0, 40, True)
    for number, end in zip(ids(made), (40, 70, 100), strict=True):
        progress.done(made.connection, number, MINER, end)
    assert due(made) == []


def test_an_empty_segment_is_due_once() -> None:
    with history() as made:
        made.add("/a", batch([], end=0))
        assert due(made) == [(0, 0, 0)]
        progress.done(made.connection, ids(made)[0], MINER, 0)
        assert due(made) == []


def test_only_what_grew_is_due_again() -> None:
    made = three_segments()
    for row in progress.due(made.connection, MINER, 0):
        progress.done(made.connection, row.segment_id, MINER, row.end)
    made.add("/a", batch([], 100, 150))
    assert due(made) == [(2, 100, 150)]


def test_what_grew_before_it_was_sealed_is_due() -> None:
    made = three_segments()
    for row in progress.due(made.connection, MINER, 0):
        progress.done(made.connection, row.segment_id, MINER, row.end)
    made.add("/a", batch([segment(3, 130)], 100, 150))
    assert due(made) == [(2, 100, 130), (3, 130, 150)]
    for row in progress.due(made.connection, MINER, 0):
        progress.done(made.connection, row.segment_id, MINER, row.end)
    made.add("/a", batch([], 150, 170))
    assert due(made) == [(3, 150, 170)]


def test_another_version_and_another_miner_start_over() -> None:
    made = three_segments()
    for row in progress.due(made.connection, MINER, 0):
        progress.done(made.connection, row.segment_id, MINER, row.end)
    assert len(due(made, Miner("errors", 2))) == 3
    assert len(due(made, Miner("corrections", 1))) == 3
    assert due(made) == []


def test_a_failure_waits_longer_each_time_and_rests_in_the_end() -> None:
    made = three_segments()
    first, *_ = ids(made)
    now, waits = 1000.0, []
    for _ in range(progress.ATTEMPTS):
        assert (0, 0, 40) in due(made, now=now)
        progress.failed(made.connection, first, MINER, "it did not work", now)
        assert (0, 0, 40) not in due(made, now=now)
        waits.append(
            float(str(made.one("SELECT retry_after FROM progress WHERE state <> 'done' AND miner = 'errors'"))) - now
        )
        now += waits[-1]
    assert waits == [300, 600, 1200, 1800, 1800]
    assert made.rows("SELECT state, attempts, reason FROM progress WHERE miner = 'errors'") == [
        ("dead", 5, "it did not work")
    ]
    assert (0, 0, 40) not in due(made, now=now + 1e9)


def test_a_success_forgets_the_failures_and_a_failure_keeps_what_was_done() -> None:
    made = three_segments()
    last = ids(made)[-1]
    progress.failed(made.connection, last, MINER, "once", 0)
    progress.done(made.connection, last, MINER, 100)
    assert made.rows("SELECT state, attempts, retry_after, reason FROM progress WHERE miner = 'errors'") == [
        ("done", 0, 0.0, "")
    ]
    made.add("/a", batch([], 100, 150))
    progress.failed(made.connection, last, MINER, "again", 0)
    assert (2, 100, 150) in due(made, now=300)


def test_a_second_miner_waits_for_every_known_segment_but_not_for_dead_ones() -> None:
    made = three_segments()
    source = made.file("/a").id
    first, second, third = ids(made)
    assert not progress.is_ready(made.connection, source, MINER)
    progress.done(made.connection, first, MINER, 40)
    progress.done(made.connection, third, MINER, 100)
    for _ in range(progress.ATTEMPTS):
        assert not progress.is_ready(made.connection, source, MINER)
        progress.failed(made.connection, second, MINER, "never", 0)
    assert progress.is_ready(made.connection, source, MINER)
    made.add("/a", batch([], 100, 150))
    assert not progress.is_ready(made.connection, source, MINER)
    progress.done(made.connection, third, MINER, 150)
    assert progress.is_ready(made.connection, source, MINER)
    assert not progress.is_ready(made.connection, source, Miner("errors", 2))


def test_a_file_without_segments_is_not_ready() -> None:
    with history() as made:
        assert not progress.is_ready(made.connection, made.file("/a").id, CAPTURE)


def test_reading_marks_every_segment_as_read_up_to_its_end() -> None:
    made = three_segments()
    made.add("/a", batch([segment(3, 130)], 100, 150))
    rows = made.rows("SELECT g.number, p.end, p.state FROM progress p JOIN segments g ON g.id = p.segment_id")
    assert sorted(rows) == [(0, 40, "done"), (1, 70, "done"), (2, 130, "done"), (3, 150, "done")]
    assert progress.is_ready(made.connection, made.file("/a").id, CAPTURE)
