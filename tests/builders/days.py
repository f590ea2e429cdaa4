"""Calls and their outcomes in, sessions on chosen days out; only the times differ from a Session."""

from collections.abc import Iterable
from datetime import timedelta
from typing import NamedTuple

from tests.builders.client_lines import START
from tests.builders.transcript import Session

SHOP, GARDEN = "/home/somebody/shop", "/home/somebody/garden"


class Did(NamedTuple):
    """One call: a line of a shell unless a tool is named; it went well unless there is an error."""

    command: str = ""
    error: str = ""
    tool: str = "Bash"
    arguments: dict[str, object] | None = None

    @property
    def given(self) -> dict[str, object]:
        return self.arguments or {"command": self.command}


def on_day(
    day: float,
    *calls: Did,
    name: str = "",
    cwd: str = SHOP,
    until: float | None = None,
    then: tuple[float, Did] | None = None,
) -> Session:
    """A session that begins on this day, two seconds for each line.

    `then` is one more call on a later day; `until` the day of its last line, where that is another.
    """
    session = Session(name or f"day {day} {cwd}", cwd)
    session.prompt("look after the shop")
    make(session, calls)
    first = len(session.lines)
    if then:
        make(session, [then[1]])
    session.prompt("thank you, that is all")  # what the agent says itself is not stored, and tells no end
    for number, line in enumerate(session.lines):
        line["timestamp"] = _time(then[0] if then and number >= first else day, 2 * number)
    if until is not None:
        session.lines[-1]["timestamp"] = _time(until, 0)
    return session


def make(session: Session, calls: Iterable[Did]) -> list[str]:
    """Add the calls to a session; returns their ids."""
    names = []
    for did in calls:
        names.append(session.call(did.tool, did.given))
        session.result(names[-1], did.error or "done", error=bool(did.error))
    return names


def _time(day: float, seconds: int) -> str:
    moment = START + timedelta(days=day, seconds=seconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
