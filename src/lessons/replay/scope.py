"""Which sessions are judged, by the options of the user."""

from collections.abc import Callable

from lessons.match.call import folder_key
from lessons.store.history.sessions import SessionSpan


def only(since: str = "", folder: str = "", part: str = "") -> Callable[[SessionSpan], bool]:
    """Selects sessions started at this time or later, in a project in this folder, with this text in its path."""

    def counts(session: SessionSpan) -> bool:
        is_in_folder = not folder or folder_key(session.project).startswith(folder_key(folder))
        return session.start >= since and is_in_folder and part.lower() in session.project.lower()

    return counts
