"""Keys of records: the same for copies, neighbours for records of about the same time."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.capture.record_keys import known_key

KEYS = st.integers(-(1 << 63), (1 << 63) - 1)
TIMES = st.datetimes().map(lambda time: f"{time.isoformat(timespec='milliseconds')}Z")


@given(KEYS, st.one_of(st.just(""), TIMES))
def test_a_key_fits_into_a_column_and_does_not_change(key: int, time: str) -> None:
    found = known_key(key, time)
    assert -(1 << 63) <= found < 1 << 63
    assert found == known_key(key, time)


@given(KEYS, KEYS)
def test_records_of_one_minute_are_neighbours_and_later_ones_come_behind(one: int, other: int) -> None:
    early = {known_key(key, f"2026-01-31T10:00:{second}.000Z") for key in (one, other) for second in ("00", "59")}
    assert max(early) - min(early) < 1 << 30
    assert max(early) < known_key(one, "2026-01-31T10:01:00.000Z")
    assert max(early) < known_key(one, "2026-02-01T00:00:00.000Z")


def test_other_records_of_the_same_moment_have_other_keys() -> None:
    keys = {known_key((number * 2654435761 % (1 << 32)) << 32 | 7, "2026-01-31T10:00:00Z") for number in range(1000)}
    assert len(keys) == 1000
