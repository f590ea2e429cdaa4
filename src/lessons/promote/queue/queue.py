"""An open history in, the candidates that wait for a person out: ranked, numbered, each with a proposed trigger."""

import sqlite3
from collections.abc import Collection

import msgspec

from lessons import config
from lessons.config import Config
from lessons.promote.queue.candidate import PROTOCOL, Candidate, Mined, candidate_of, mined_of, saving_of
from lessons.store import candidates_file
from lessons.store.fault_boundary import analysed
from lessons.store.history import database, imported, queue
from lessons.store.history.queue import StoredCandidate

# Seen in so many sessions it is a pattern, and shown without being asked for.
RECURRING_SESSIONS = 2


class Shown(msgspec.Struct, frozen=True):
    """What a person is shown, and how many more there are of what was asked for."""

    candidates: list[Candidate]
    hidden: int
    queue: list[Candidate] = []  # all that have a number, whether they are shown or not


def documents(
    connection: sqlite3.Connection, settings: Config, everything: bool, protocol: bool = False
) -> list[Candidate]:
    """Those seen in several sessions, or everything; `protocol` shows what is kept out of the queue instead."""
    return shown(connection, settings, everything, protocol).candidates


def shown(
    connection: sqlite3.Connection,
    settings: Config,
    everything: bool,
    protocol: bool = False,
    tier: int | None = None,
) -> Shown:
    """The same, of one tier alone where that is asked for: the numbers stay those of the whole queue."""
    everyone = _waiting(connection, settings, protocol)
    waiting = [each for each in everyone if tier in (None, each.stored.tier)]
    chosen = [each for each in waiting if everything or is_recurring(each.candidate)]
    _propose(connection, chosen)
    queued = [each.candidate for each in everyone]
    return Shown([each.candidate for each in chosen], len(waiting) - len(chosen), queued)


def whole(connection: sqlite3.Connection, settings: Config, protocol: bool = False) -> list[Candidate]:
    """The whole queue in its order, without triggers: to propose them takes time."""
    return [each.candidate for each in _waiting(connection, settings, protocol)]


def with_triggers(
    connection: sqlite3.Connection, settings: Config, fingerprints: Collection[str], protocol: bool = False
) -> list[Candidate]:
    """These of the queue, each with its proposed trigger."""
    chosen = [each for each in _waiting(connection, settings, protocol) if each.stored.fingerprint in fingerprints]
    _propose(connection, chosen)
    return [each.candidate for each in chosen]


def is_recurring(candidate: Candidate) -> bool:
    """What a person imported counts too: they asked for it."""
    return candidate.session_count >= RECURRING_SESSIONS or candidate.kind == imported.KIND


def export(home: str) -> list[Candidate]:
    """Write the file for outside programs, if anything in it is new; returns the whole queue.

    Without triggers: to propose them takes longer than a scan of what is new.
    """
    with database.for_reading(home) as connection:
        waiting = [each.candidate for each in _waiting(connection, config.load(home), protocol=False)]
    candidates_file.write(home, [_exported(candidate) for candidate in waiting])
    return waiting


def _exported(candidate: Candidate) -> dict[str, object]:
    document: dict[str, object] = msgspec.to_builtins(candidate)
    return {key: value for key, value in document.items() if key not in ("proposedTrigger", "noTrigger")}


class _Waiting(msgspec.Struct, frozen=True):
    """A candidate in the making and what it is made from."""

    candidate: Candidate
    stored: StoredCandidate
    mined: Mined


def _waiting(connection: sqlite3.Connection, settings: Config, protocol: bool) -> list[_Waiting]:
    """The whole queue in its order.

    Those seen in several sessions come first, so that a candidate has the same number wherever it is shown; then by
    what a lesson about it is expected to save.
    """
    found = []
    home = database.home_of(connection)
    for stored in queue.candidates(connection):
        if (stored.kind == PROTOCOL) == protocol:
            found.append(_described(home, stored, settings))
    found.sort(key=lambda each: _rank(each.candidate))
    for number, each in enumerate(found, start=1):
        each.candidate.index = number
    return found


def _described(home: str, stored: StoredCandidate, settings: Config) -> _Waiting:
    def described(mined: Mined) -> _Waiting:
        return _Waiting(candidate_of(stored, mined, settings.scoring), stored, mined)

    return analysed(
        home, stored.fingerprint, lambda: described(mined_of(stored)), lambda fault: described(Mined(fault=fault))
    )


def _rank(candidate: Candidate) -> tuple[bool, float, str]:
    return not is_recurring(candidate), -saving_of(candidate), candidate.fingerprint


def _propose(connection: sqlite3.Connection, chosen: list[_Waiting]) -> None:
    # Loaded only now: a scan exports the queue and needs none of it.
    from lessons.promote.propose.proposals import Proposals

    proposals = Proposals(connection)
    for each in sorted(chosen, key=lambda each: (each.mined.tool, each.mined.family)):
        proposed = proposals.of(each.stored, each.mined)
        each.candidate.proposed_trigger, each.candidate.no_trigger, each.candidate.fault = proposed
