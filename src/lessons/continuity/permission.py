"""Whether anything of a session may be stored: the user may exclude a project, or forget a session."""

from lessons.agents.base import Line
from lessons.errors import KeptOut
from lessons.project_state import SessionKey
from lessons.store.consent import consent_of
from lessons.store.state_paths import repository_of


class Permission:
    """What may be stored of one session in one project."""

    def __init__(self, session: SessionKey) -> None:
        self._session, self._consent = session, consent_of(session.home)
        self._repositories: dict[str, str] = {}

    def require(self, time: str) -> None:
        """Raises KeptOut if nothing that happens now may be stored."""
        root = self._session.root
        if self._refuses(self._session.id, root, time):
            raise KeptOut(f"Nothing is stored for {root}: it is in excludeProjects, or the session was forgotten.")

    def require_unchanged(self) -> None:
        """Raises KeptOut if the user has excluded or forgotten something meanwhile."""
        if consent_of(self._session.home) != self._consent:
            raise KeptOut("Nothing is stored: what may be stored has changed meanwhile.")

    def refuses(self, line: Line) -> bool:
        """Whether to skip a record of the transcript."""
        return self._refuses(line.session_id or self._session.id, line.cwd or self._session.root, line.time)

    def refuses_commit(self, timestamp: str) -> bool:
        # Whole seconds: a commit in the same second in which the project was forgotten counts as before it.
        return self._refuses("", self._session.root, timestamp.removesuffix("Z"))

    def _refuses(self, session: str, folder: str, time: str) -> bool:
        if not self._consent.is_needed:
            return False
        if folder not in self._repositories:
            self._repositories[folder] = repository_of(folder)
        repository = self._repositories[folder]
        pairs = ((folder, repository), (repository, folder))
        return any(self._consent.refuses(session, project, cwd, time) for project, cwd in pairs)
