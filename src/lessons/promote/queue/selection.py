"""Selects which candidates are promoted together, by the numbers of the last list or by fingerprints."""

from collections.abc import Collection, Mapping, Sequence

from lessons import config
from lessons.candidate import WRITTEN
from lessons.promote.promotion.steps import settle
from lessons.promote.queue import numbers, queue
from lessons.promote.queue.candidate import Candidate
from lessons.promote.queue.clusters import cluster_of, clusters
from lessons.store import decisions, listing
from lessons.store.history.history import History


def selected(home: str, names: Sequence[str]) -> list[list[Candidate]]:
    """Returns each named candidate, followed by its near duplicates, in the order of the names."""
    settle(home)
    decided = decisions.statuses(home)
    with History.for_reading(home) as history:
        waiting, rules = queue.both(history, config.load(home))
        fingerprints = _fingerprints(home, names, waiting, rules, decided)
        wanted = numbers.by_name([*waiting, *rules], decided, fingerprints)
        chosen = [each for each in (*waiting, *rules) if each.fingerprint in wanted]
        kept_out = {each.fingerprint for each in rules}
        found = [with_duplicates(each, [] if each.fingerprint in kept_out else waiting) for each in chosen]
        queue.put_triggers(history, chosen, [each for _, *alike in found for each in alike])
    return sorted(found, key=lambda each: wanted.index(each[0].fingerprint))


def _fingerprints(
    home: str,
    names: Sequence[str],
    waiting: Sequence[Candidate],
    rules: Sequence[Candidate],
    decided: Mapping[str, str],
) -> list[str]:
    """Replaces numbers of the last list with fingerprints, which never consist of digits only."""
    given = [int(name) for name in names if name.isdecimal()]
    if not given:
        return list(names)
    shown = listing.read(home)
    queue_shown = rules if shown is not None and shown.protocol else waiting
    found = iter(numbers.by_number(shown, queue_shown, decided, given))
    return [next(found) if name.isdecimal() else name for name in names]


def with_duplicates(candidate: Candidate, everyone: Sequence[Candidate]) -> list[Candidate]:
    others = (each for each in cluster_of(candidate, everyone) if each.fingerprint != candidate.fingerprint)
    return [candidate, *others]


def new_tags(home: str, settings: config.Config, new: Collection[str]) -> list[list[Candidate]]:
    """Returns the new tags of the queue, near duplicates together, because they are one decision."""
    with History.for_reading(home) as history:
        waiting = [each.fingerprint for each in queue.whole(history, settings) if each.tier == WRITTEN]
        tags = queue.with_triggers(history, settings, {each for each in waiting if each in new})
    return clusters(tags)
