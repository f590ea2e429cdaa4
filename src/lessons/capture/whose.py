"""Recognises by its content which agent wrote a file."""

from collections.abc import Sequence

from lessons.agents.follow import OpenTranscript
from lessons.agents.table import reader_of, store_of
from lessons.agents.whole import NotOurs
from lessons.capture.jobs import FOREIGN, GONE, UNCLEAR, Problem
from lessons.store.faults import describe


def whose(path: str, agents: Sequence[str]) -> str | Problem:
    """The first of these agents whose reader, or whose store, recognises the file.

    All are asked about its beginning first: looking for a record of theirs further behind is slow.
    """
    found = _asked(path, agents, at_beginning=True)
    return found if isinstance(found, str) else _asked(path, agents, at_beginning=False)


def _asked(path: str, agents: Sequence[str], at_beginning: bool) -> str | Problem:
    reason = FOREIGN
    for agent in agents:
        try:
            found = _is_of(agent, path, at_beginning)
        except FileNotFoundError:
            return Problem(GONE)
        except OSError as fault:
            reason = fault.strerror or str(fault)
        except Exception as fault:  # a bug of one reader must not keep the file from the others
            reason = describe(fault)
        else:
            if found:
                return agent
            reason = UNCLEAR if found is None and reason == FOREIGN else reason
    return Problem(reason)


def _is_of(agent: str, path: str, at_beginning: bool) -> bool | None:
    store = store_of(agent)
    if store and store.store_of(path):
        try:
            with store.snapshot(path):
                return True
        except NotOurs:
            return False
    with OpenTranscript(reader_of(agent), path) as file:
        return file.is_recognised_at_once() if at_beginning else file.is_recognised()
