"""Whether anything of a session may be stored: the user may exclude a project, or forget a session."""

from lessons.agents.base import Line
from lessons.errors import KeptOut
from lessons.store.consent import Consent, consent_of
from lessons.store.excluded import repository_of


class Permission:
    """What may be stored of one session in one project."""

    def __init__(self, home: str, root: str, session_id: str) -> None:
        chosen = consent_of(home)
        self._consent: Consent | None = chosen if chosen.is_needed else None
        self._session, self._root = session_id, root
        self._repositories: dict[str, str] = {}

    def require(self, time: str) -> None:
        """Raises KeptOut if nothing that happens now may be stored."""
        if self._refuses(self._session, self._root, time):
            raise KeptOut(
                f"Nothing is stored for {self._root}: it is in excludeProjects, or the session was forgotten."
            )

    def refuses(self, line: Line) -> bool:
        """Whether to skip a record of the transcript."""
        return self._refuses(line.session_id or self._session, line.cwd or self._root, line.time)

    def refuses_commit(self, timestamp: str) -> bool:
        # Whole seconds: a commit in the same second in which the project was forgotten counts as before it.
        return self._refuses("", self._root, timestamp.removesuffix("Z"))

    def _refuses(self, session: str, folder: str, time: str) -> bool:
        if self._consent is None:
            return False
        if folder not in self._repositories:
            self._repositories[folder] = repository_of(folder)
        repository = self._repositories[folder]
        return self._consent.refuses(session, folder, repository, time) or self._consent.refuses(
            session, repository, folder, time
        )
