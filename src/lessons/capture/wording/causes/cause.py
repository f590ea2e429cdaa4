"""The text of a cause: the problem, and what helps."""

from typing import NamedTuple


class Cause(NamedTuple):
    problem: str
    remedy: str  # without a full stop
    is_proven: bool = False  # the call that worked shows it
