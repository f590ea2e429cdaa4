"""When an agent is told that it meets the same error again and again: at the third time within a while, once."""

from lessons.failure.repeated import repeated_form, telling_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Failures(Protocol):
        """What one context remembers of its failed calls of the last while."""

        now: float

        def add(self, error_shape: str) -> int:
            """How often the error has come, this time included; 0 where nothing can be remembered."""

        def first(self, error_shape: str) -> float:
            """When it came for the first time."""

        def claim(self, error_shape: str) -> bool:
            """True for exactly one of all who would report it."""


_TIMES_BEFORE_NOTE = 3
_LONGEST_QUOTE = 200
_NUMBERS = ("", "once", "twice", "three times", "four times", "five times")


def loop_note(error: str, failures: "Failures") -> str:
    """What the agent is told after this failure: most of the time nothing, and once for each error that repeats.

    Each context counts for itself: a subagent's errors do not count for its session, nor for another subagent.
    """
    error_shape = repeated_form(error)
    if not error_shape:
        return ""
    count = failures.add(error_shape)
    if count < _TIMES_BEFORE_NOTE or not failures.claim(error_shape):
        return ""
    return loop_words(error, count, max(1, round((failures.now - failures.first(error_shape)) / 60)))


def loop_words(error: str, count: int, minutes: int) -> str:
    """The note itself; what was done in between nobody here knows."""
    from lessons.plain import quoted  # few failures repeat

    often = _NUMBERS[count] if count < len(_NUMBERS) else f"{count} times"
    line = quoted((telling_lines(error) or [""])[0], _LONGEST_QUOTE)
    text = f"The same error occurred {often} in {minutes} minute{'' if minutes == 1 else 's'}. The tool printed {line}."
    return text + "\nA different cause or approach is more likely to help than another try."
