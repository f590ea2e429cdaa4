"""Queued files: newest first, each once, never more than the limit."""

from lessons.watch.changes import FileQueue


def test_the_newest_is_read_first_and_each_file_once() -> None:
    queue = FileQueue(10)
    queue.put(["a", "b", "c"])
    queue.put(["a"])
    assert len(queue) == 3
    assert queue.take(2) == ["a", "c"]
    assert queue.take(5) == ["b"]
    assert queue.take(5) == []


def test_what_does_not_fit_is_dropped_and_that_is_known() -> None:
    queue = FileQueue(2)
    queue.put(["a", "b"])
    assert not queue.has_dropped
    queue.put(["c"])
    assert queue.has_dropped
    assert queue.take(5) == ["c", "b"]
