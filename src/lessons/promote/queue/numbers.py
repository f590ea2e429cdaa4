"""Numbers and names that a person gives for candidates in, the candidates that are meant out."""

from collections.abc import Mapping, Sequence

from lessons.errors import NotFound, Refused
from lessons.promote.queue.candidate import Candidate
from lessons.store import listing
from lessons.store.listing import Listing

_AGAIN = "run `lessons candidates --all` and take the number from there"


def remember(home: str, queue: Sequence[Candidate], protocol: bool = False) -> None:
    """What the numbers mean that a person sees now."""
    listing.write(home, Listing(protocol, [_entry(each) for each in queue]))


def by_number(
    shown: Listing | None, queue: Sequence[Candidate], decided: Mapping[str, str], numbers: Sequence[int]
) -> list[str]:
    """The fingerprints; refused where the queue is not what was shown, save for what was decided since."""
    if shown is None:
        raise Refused(f"No list of candidates was shown yet: {_AGAIN}.")
    left = [each for each in shown.entries if each.fingerprint not in decided]
    if left != [_entry(each) for each in queue]:
        raise Refused(f"The list has changed since it was shown: {_AGAIN}.")
    found = []
    for number in numbers:
        if not 1 <= number <= len(shown.entries):
            raise NotFound(f"There is no candidate {number}: the list has {len(shown.entries)}; {_AGAIN}.")
        fingerprint = shown.entries[number - 1].fingerprint
        if status := decided.get(fingerprint):
            raise Refused(f"Candidate {number} is {status} already: `lessons undo` takes that back.")
        found.append(fingerprint)
    return found


def by_name(queue: Sequence[Candidate], decided: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """The fingerprints that begin so, each of just one candidate."""
    waiting = [each.fingerprint for each in queue]
    return [_named(waiting, decided, name) for name in names]


def _named(waiting: Sequence[str], decided: Mapping[str, str], name: str) -> str:
    found = [each for each in waiting if each == name] or [each for each in waiting if name and each.startswith(name)]
    if len(found) > 1:
        raise Refused(f"{name} could be any of {len(found)} candidates: write more of the fingerprint.")
    if found:
        return found[0]
    for fingerprint, status in decided.items():
        if name and fingerprint.startswith(name):
            raise Refused(f"{fingerprint} is {status} already: `lessons undo` takes that back.")
    hint = "`lessons candidates --all --json` shows the fingerprints"
    if name.isdigit():
        hint = f"for a number of the list write `lessons scan promote {name}`"
    raise NotFound(f"There is no candidate {name!r}: {hint}.")


def _entry(candidate: Candidate) -> listing.Entry:
    return listing.entry(candidate.fingerprint, candidate.problem, candidate.solution)
