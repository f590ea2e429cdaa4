"""Every error that a user can see, as a tree; the text of each is one sentence that says what to do.

LessonsError                exit 1, the sentence on stderr
├── Refused                 the input breaks a rule of the product (field, value, remedy)
│   ├── KeptOut             the user excluded this project, or deleted this session
│   └── Unreachable         an agent that cannot be asked now, however often
├── NotFound                a slug, key or file that does not exist
├── DamagedFile             a file of the data home that is not valid
│   └── DamagedHistory      the history itself: a scan recovers it
├── HistoryUnavailable      the history is locked, its disk is full, or its permissions forbid it
└── Busy                    another process holds the lock on a file for too long

Anything else that reaches the boundary in cli/main.py is a bug: exit 3.
"""


class LessonsError(Exception):
    """Something the user can fix."""


class Refused(LessonsError):
    """The input breaks a rule of the product."""


class KeptOut(Refused):
    """The user excluded this project, or deleted this session."""


class Unreachable(Refused):
    """An agent cannot be asked now: it is not installed or not logged in, or there is no network."""


class NotFound(LessonsError):
    """What was named does not exist."""


class DamagedFile(LessonsError):
    """A file of the data home is not valid."""


class DamagedHistory(DamagedFile):
    """The database is not valid."""


class HistoryUnavailable(LessonsError):
    """The history cannot be used now, although it is not damaged."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} cannot be used ({reason}). Fix that and try again.")
        self.reason = reason


class Busy(LessonsError):
    """Another process is writing the same file."""
