"""Checks that the files of trusted projects are unchanged."""

from lessons.check import Check
from lessons.errors import LessonsError
from lessons.promote.team import team
from lessons.store import trusted


def check(home: str) -> Check:
    try:
        projects = trusted.read(home)
    except LessonsError as damaged:
        return Check("trusted projects", False, str(damaged), "Fix it. Until then no project's lessons are used.")
    changed = [sentence for root, known in projects.items() for sentence in team.changes(root, known)]
    if changed:
        fix = "Run `lessons trust DIR` to review and trust it again."
        return Check("trusted projects", False, "\n".join(changed), fix)
    return Check("trusted projects", True, f"{len(projects)}, unchanged." if projects else "none.")
