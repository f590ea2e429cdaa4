"""A repository in, what each check of it finds out; every check runs twice."""

import time

from lessons.continuity.git.commits import new_commits
from lessons.continuity.git.windows import Windows
from lessons.session import Commit, CommitTracker, SessionState

LONG_AGO = "2001-01-01T00:00:00Z"
ALWAYS = [(0.0, 1e12)]
SESSION = SessionState(session_id="s-1", started_at=LONG_AGO, session=4)


class Look:
    """Looks at a repository again and again, as the hooks do; what was there at first is known."""

    def __init__(self, root: str, session: SessionState | None = SESSION) -> None:
        self.root = root
        self.session = session
        self.tracker = CommitTracker()
        self()

    def __call__(self, windows: Windows = ALWAYS, later: float = 0, since: str = LONG_AGO) -> list[Commit]:
        now = time.time() + later
        commits, self.tracker = new_commits(self.root, self.tracker, since, self.session, windows, now)
        again = new_commits(self.root, self.tracker, since, self.session, windows, now)
        assert again == ([], self.tracker), "a second look at the same must find nothing"
        return commits

    def kinds(self) -> list[tuple[str, str]]:
        return [(commit.kind, commit.message) for commit in self()]
