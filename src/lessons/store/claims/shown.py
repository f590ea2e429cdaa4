"""Remembers which lessons a context (session and subagent) was shown, and decides which call may show one now.

Three layers: the variable LESSONS_SEEN, a file per lesson in the context's own folder, and that file's exclusive
creation.
"""

import time

from lessons.store.claims.claim_files import (
    PRIORITY_BYTES,
    claim_below,
    context_folder,
    existing_folders,
    exists,
    home_root,
    modified_at,
    read,
    root_folders,
    safe_name,
    session_folder,
)
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_PARALLEL_SECONDS = 1.0
_LONGEST_NOTE = 8192
_SPENT_PASSES = "passes/spent"


class Context:
    """Remembers what one context was shown; nothing without a session."""

    def __init__(self, home: str, session: str, agent_id: str, scope: str = "context") -> None:
        part = context_folder("" if scope == "session" else agent_id)
        self._home = home
        self._place = f"{session_folder(session)}/{part}" if session else ""
        self._environment = frozenset(environment("LESSONS_SEEN").split(","))

    def has(self, slug: str) -> bool:
        """Whether the lesson was shown here before."""
        return self.is_certain(slug) or self._remembers(safe_name(slug))

    def is_certain(self, slug: str) -> bool:
        """Whether it certainly arrived: the variable says so, or there was a stop, whose reason always arrives."""
        return slug in self._environment or self._remembers(_stop_name(slug))

    def _remembers(self, name: str) -> bool:
        return any(exists(f"{folder}/{name}") for folder in self.folders())

    def claim(self, slug: str, priority: int, note: str = "") -> bool:
        """Returns True for exactly one of all callers; False if it cannot be remembered.

        The claim stores `note`, by which `redelivery` later decides whether the text arrived.
        """
        return not self._place or bool(self._create(safe_name(slug), priority, note))

    def folders(self) -> list[str]:
        """Returns the folders that may contain the claims of this context."""
        return existing_folders(self._home, self._place) if self._place else []

    def stops(
        self, slug: str, priority: int, note: str = "", is_answer: "Callable[[str], bool]" = lambda stopped: False
    ) -> bool:
        """Whether to stop this call: the first of the context, and those issued together with it.

        The claim stores `note` about the stopped call. From it, `is_answer` decides whether this call is the model's
        answer to the stop, however soon it comes.
        """
        if not self._place or slug in self._environment:
            return False
        created = self._create(_stop_name(slug), priority, note)
        return created is True or (created is False and self._was_issued_with(slug, is_answer))

    def _create(self, name: str, priority: int, note: str = "") -> bool | None:
        return claim_below(root_folders(self._home), self._place, name, priority, note)[0]

    def _was_issued_with(self, slug: str, is_answer: "Callable[[str], bool]") -> bool:
        files = [f"{folder}/{_stop_name(slug)}" for folder in self.folders()]
        stopped_at, file = next(((moment, file) for file in files if (moment := modified_at(file))), (0.0, ""))
        if abs(time.time() - stopped_at) >= _PARALLEL_SECONDS:
            return False
        stopped = (read(file, PRIORITY_BYTES + _LONGEST_NOTE) or b"")[PRIORITY_BYTES:]
        return not is_answer(stopped.decode("utf-8", "replace"))


def _stop_name(slug: str) -> str:
    """Returns a separate name for stops: a lesson shown after an error still stops the first call."""
    return safe_name(slug) + ".stop"


def spend(home: str, identifier: str) -> bool:
    """Returns True for exactly one call: after that the pass is used up, for every session and agent of this home."""
    return claim_below([home_root(home)], _SPENT_PASSES, safe_name(identifier))[0] is True


def is_spent(home: str, identifier: str) -> bool:
    return exists(f"{home_root(home)}/{_SPENT_PASSES}/{safe_name(identifier)}")
