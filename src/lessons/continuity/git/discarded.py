"""Commits of a session in, those of them that are still a part of the work out."""

from lessons.continuity.git.git import is_hash, run
from lessons.session import Commit

_MOST = 50


def still_there(root: str, own: list[Commit], log: list[Commit]) -> list[Commit]:
    """Without those whose place another took, and those that no branch has any more; the latest last."""
    replaced = {each.replaces for each in log}
    left = [each for each in own if each.hash not in replaced and is_hash(each.hash)][-_MOST:]
    if not left:
        return []
    # What these lead to and no name does; one that git has thrown away meanwhile is passed over.
    names = ("HEAD", "--branches", "--tags", "--remotes")
    answer = run(
        root,
        *("rev-list", "--ignore-missing", f"--max-count={20 * _MOST}"),
        *(*(each.hash for each in left), "--not", *names, "--"),
    )
    gone = set((answer or "").split())
    return [each for each in left if each.hash not in gone]
