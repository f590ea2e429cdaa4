"""Every error a person can meet, as a tree; the text of each is one sentence that says what to do.

LessonsError                exit 1, the sentence on stderr
├── Refused                 the input breaks a rule of the product (field, value, remedy)
│   └── KeptOut             a person wants nothing kept of this project or session
├── NotFound                a slug, key or file that is not there
├── DamagedFile             a file of the data home that cannot be read as what it should be
├── HistoryUnavailable      the history is locked, its disk is full, or its permissions forbid it
└── Busy                    another process holds the lock on a file for too long

Anything else that reaches the boundary in cli/main.py is a bug: exit 3.
"""


class LessonsError(Exception):
    """Something the person can put right."""


class Refused(LessonsError):
    """The input breaks a rule of the product."""


class KeptOut(Refused):
    """A person wants nothing kept of this project or session."""


class NotFound(LessonsError):
    """What was named does not exist."""


class DamagedFile(LessonsError):
    """A file of the data home is not what it should be."""


class HistoryUnavailable(LessonsError):
    """The file of the history cannot be used now, although nothing is wrong with what is in it."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} cannot be used ({reason}). Fix that and try again.")
        self.reason = reason


class Busy(LessonsError):
    """Another process is writing the same file."""
