"""Files read: each once, a new list after a long pause; repeating the same moments changes nothing."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.continuity.session_follower import Moment
from lessons.continuity.tracking import tracked, warning
from lessons.session import ContextTracking

NEW = ContextTracking()
moments = st.lists(
    st.builds(Moment, time=st.integers(1, 50), path=st.sampled_from(["", "a", "b", "c"])), max_size=12
).map(lambda found: sorted(found, key=lambda moment: (moment.time, moment.path)))


def test_nothing_read() -> None:
    assert tracked(NEW, [], 0) == NEW


def test_each_file_once_and_the_latest_last() -> None:
    found = tracked(NEW, [Moment(5, "a"), Moment(6, "b"), Moment(7, "a")], 8)
    assert found == ContextTracking(files_read=["b", "a"], last_reset=5, last_activity=8)


def test_a_pause_begins_a_new_list() -> None:
    before = ContextTracking(files_read=["a"], last_reset=5, warning_shown=True, last_activity=6)
    found = tracked(before, [Moment(7, "b"), Moment(9), Moment(9, "c")], 9)
    assert found == ContextTracking(files_read=["c"], last_reset=9, warning_shown=False, last_activity=9)


@given(moments, moments)
def test_done_again_after_a_kill_it_is_the_same(first: list[Moment], second: list[Moment]) -> None:
    later = [Moment(moment.time + 50, moment.path) for moment in second]
    before = tracked(NEW, first, 50)
    once = tracked(before, later, 100)
    assert tracked(once, later, 100) == once


def test_the_warning_comes_once_for_a_list() -> None:
    few = ContextTracking(files_read=["a"] * 14)
    many = ContextTracking(files_read=[str(number) for number in range(15)])
    assert warning(few) == ""
    assert warning(many).startswith("15 files were read")
    assert warning(ContextTracking(files_read=many.files_read, warning_shown=True)) == ""


def test_the_list_is_bounded() -> None:
    found = tracked(NEW, [Moment(1, str(number)) for number in range(1_000)], 1)
    assert found.files_read == [str(number) for number in range(800, 1_000)]
