"""The N|ID arguments of verbs that name candidates, with completion."""

import click

from lessons import paths
from lessons.errors import LessonsError


def complete_candidate(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Returns the fingerprints of the list that was shown last."""
    from lessons.store import listing

    try:
        shown = listing.read(paths.data_home())
    except LessonsError:
        return []
    entries = shown.entries if shown else []
    return [each.fingerprint for each in entries if each.fingerprint.startswith(incomplete)]
