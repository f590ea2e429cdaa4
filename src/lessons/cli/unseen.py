"""A verb that runs where nobody sees it in, what went wrong with it noted for `doctor` out."""

from collections.abc import Iterator
from contextlib import contextmanager

from lessons.store import faults


@contextmanager
def noted(home: str, verb: str, quiet: bool) -> Iterator[None]:
    """Only where nothing is said: a person at a terminal reads it there."""
    try:
        yield
    except Exception as fault:
        if quiet:
            faults.record(home, verb, faults.describe(fault))
        raise
