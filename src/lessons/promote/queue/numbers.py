"""Finds the candidates for numbers of the last list, or for fingerprints."""

from collections.abc import Mapping, Sequence

from lessons.candidate import word_for
from lessons.errors import NotFound, Refused
from lessons.promote.queue.candidate import Candidate
from lessons.store import listing
from lessons.store.listing import Listing

_AGAIN = "run `lessons candidates --all` and take the number from there"


def remember(home: str, queue: Sequence[Candidate], protocol: bool = False) -> None:
    """Stores the candidate of each number on the screen."""
    listing.write(home, Listing(protocol, [_entry(each) for each in queue]))


def by_number(
    shown: Listing | None, queue: Sequence[Candidate], decided: Mapping[str, str], numbers: Sequence[int]
) -> list[str]:
    """Returns the fingerprints. Refuses if the queue has changed since the list was shown, except for decisions."""
    if shown is None:
        raise Refused(f"No list of candidates was shown yet: {_AGAIN}.")
    left = [each for each in shown.entries if each.fingerprint not in decided]
    if left != [_entry(each) for each in queue]:
        raise Refused(f"The list has changed since it was shown: {_AGAIN}.")
    found = []
    for number in numbers:
        if not 1 <= number <= len(shown.entries):
            last = len(shown.entries)
            raise NotFound(f"No candidate {number}: the whole list has numbers 1 to {last}; {_AGAIN}.")
        fingerprint = shown.entries[number - 1].fingerprint
        if status := decided.get(fingerprint):
            raise Refused(f"Candidate {number} is already {word_for(status)}: run `lessons undo` to undo that.")
        found.append(fingerprint)
    return found


def by_name(queue: Sequence[Candidate], decided: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """Returns the fingerprints with these prefixes, each of exactly one candidate."""
    waiting = [each.fingerprint for each in queue]
    return [_named(waiting, decided, name) for name in names]


def _named(waiting: Sequence[str], decided: Mapping[str, str], name: str) -> str:
    found = [each for each in waiting if each == name] or [each for each in waiting if name and each.startswith(name)]
    if len(found) > 1:
        raise Refused(f"{name} matches {len(found)} candidates: write more of the fingerprint.")
    if found:
        return found[0]
    for fingerprint, status in decided.items():
        if name and fingerprint.startswith(name):
            raise Refused(f"{fingerprint} is already {word_for(status)}: run `lessons undo` to undo that.")
    hint = "`lessons candidates --all --json` lists the fingerprints"
    raise NotFound(f"No candidate {name!r}: {hint}.")


def _entry(candidate: Candidate) -> listing.Entry:
    return listing.entry(candidate.fingerprint, candidate.problem, candidate.solution)
