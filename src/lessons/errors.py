"""Every error that a user can see; its text is one sentence that says what to do, and the exit code is 1.

Anything else that reaches the boundary in cli/main.py is a bug: exit 3.
"""


class LessonsError(Exception):
    """Something the user can fix."""


class Refused(LessonsError):
    """The input breaks a rule of the product: field, value, remedy."""


class KeptOut(Refused):
    """The user excluded this project, or deleted this session."""


class Unreachable(Refused):
    """An agent cannot be asked now: it is not installed or not logged in, or there is no network."""


class NotFound(LessonsError):
    """A slug, key or file that does not exist."""


class DamagedFile(LessonsError):
    """A file of the data home is not valid."""


class DamagedHistory(DamagedFile):
    """The history is not valid: a scan recovers it."""


class HistoryUnavailable(LessonsError):
    """The history cannot be used now, although it is not damaged."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} cannot be used ({reason}). Fix that and try again.")
        self.reason = reason


class Busy(LessonsError):
    """Another process is writing the same file."""
