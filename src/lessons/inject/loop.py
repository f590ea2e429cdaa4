"""Decides when to tell an agent that it repeats an error: at the third time within the time window, once."""

from lessons.failure.repeated import repeated_form, telling_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Failures(Protocol):
        """The recent failed calls of one context."""

        now: float

        def add(self, error_shape: str) -> int:
            """Returns how often the error occurred, this time included; 0 if nothing can be stored."""

        def first(self, error_shape: str) -> float:
            """Returns when it first occurred."""

        def claim(self, error_shape: str) -> bool:
            """Returns True for exactly one of all processes that would report it."""


_TIMES_BEFORE_NOTE = 3
_LONGEST_QUOTE = 200
_NUMBERS = ("", "once", "twice", "three times", "four times", "five times")


def loop_note(error: str, failures: "Failures") -> str:
    """Returns the note for the agent after this failure: usually empty, and once for each error that repeats.

    Each context counts separately: a subagent's errors count neither for its session nor for another subagent.
    """
    error_shape = repeated_form(error)
    if not error_shape:
        return ""
    count = failures.add(error_shape)
    if count < _TIMES_BEFORE_NOTE or not failures.claim(error_shape):
        return ""
    return loop_words(error, count, max(1, round((failures.now - failures.first(error_shape)) / 60)))


def loop_words(error: str, count: int, minutes: int) -> str:
    """Returns the note itself; what was done in between is unknown here."""
    from lessons.plain import quoted  # few failures repeat

    often = _NUMBERS[count] if count < len(_NUMBERS) else f"{count} times"
    line = quoted((telling_lines(error) or [""])[0], _LONGEST_QUOTE)
    text = f"The same error occurred {often} in {minutes} minute{'' if minutes == 1 else 's'}. The tool printed {line}."
    return text + "\nA different cause or approach is more likely to help than another try."
