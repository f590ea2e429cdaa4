"""Runs the analysis of one candidate so that a fault in it cannot take the other candidates down."""

from collections.abc import Callable
from typing import TypeVar

from lessons.errors import LessonsError
from lessons.store import logs

Result = TypeVar("Result")
_WHERE = "candidate"


def sentence(fault: str) -> str:
    """What a person reads about such a candidate."""
    return f"could not be analysed ({fault}): `lessons doctor` shows where to report it"


def analysed(home: str, name: str, work: Callable[[], Result], otherwise: Callable[[str], Result]) -> Result:
    """The result of `work`; if that fails, the fault is recorded once and `otherwise` gets its description."""

    def recorded(what: str) -> Result:
        record(home, name, what)
        return otherwise(what)

    return without_fault(work, recorded)


def without_fault(work: Callable[[], Result], otherwise: Callable[[str], Result]) -> Result:
    """The result of `work`; if that fails, the result of `otherwise`, which gets a description of the fault."""
    try:
        return work()
    except (LessonsError, OSError):
        raise  # not about this candidate alone
    except Exception as fault:
        # Not its message: that may quote a transcript.
        return otherwise(logs.describe_fault(fault))


def record(home: str, name: str, what: str) -> None:
    """Records the fault in the analysis of this candidate or session, once."""
    logs.record_fault_once(home, f"{_WHERE} {name}", what)
