"""Which candidates are promoted together, by the numbers of the last list or by fingerprints."""

from collections.abc import Collection, Sequence

from lessons import config
from lessons.candidate import WRITTEN
from lessons.promote.promotion.steps import settle
from lessons.promote.queue import numbers, queue
from lessons.promote.queue.candidate import Candidate
from lessons.promote.queue.clusters import cluster_of, clusters
from lessons.store import decisions, listing
from lessons.store.history.history import History


def selected(home: str, names: Sequence[str]) -> list[list[Candidate]]:
    """Each named candidate, followed by its near duplicates, in the order of the names."""
    settle(home)
    fingerprints = _fingerprints(home, names)
    settings = config.load(home)
    found: list[list[Candidate]] = []
    with History.for_reading(home) as history:
        waiting = queue.whole(history, settings)
        rules = queue.whole(history, settings, protocol=True)
        wanted = numbers.by_name([*waiting, *rules], decisions.statuses(home), fingerprints)
        for everyone, protocol in ((waiting, False), (rules, True)):
            own = [each for each in wanted if any(each == other.fingerprint for other in everyone)]
            ready = queue.with_triggers(history, settings, own, protocol)
            found += [with_duplicates(each, [] if protocol else everyone) for each in ready]
    return sorted(found, key=lambda each: wanted.index(each[0].fingerprint))


def _fingerprints(home: str, names: Sequence[str]) -> list[str]:
    """Numbers of the list that was shown last replaced by fingerprints, which never consist of digits alone."""
    given = [int(name) for name in names if name.isdecimal()]
    if not given:
        return list(names)
    shown = listing.read(home)
    with History.for_reading(home) as history:
        waiting = queue.whole(history, config.load(home), shown is not None and shown.protocol)
    found = iter(numbers.by_number(shown, waiting, decisions.statuses(home), given))
    return [next(found) if name.isdecimal() else name for name in names]


def with_duplicates(candidate: Candidate, everyone: Sequence[Candidate]) -> list[Candidate]:
    others = (each for each in cluster_of(candidate, everyone) if each.fingerprint != candidate.fingerprint)
    return [candidate, *others]


def new_tags(home: str, settings: config.Config, new: Collection[str]) -> list[list[Candidate]]:
    """The new tags of the queue, near duplicates together: they are one decision."""
    with History.for_reading(home) as history:
        waiting = [each.fingerprint for each in queue.whole(history, settings) if each.tier == WRITTEN]
        tags = queue.with_triggers(history, settings, {each for each in waiting if each in new})
    return clusters(tags)
