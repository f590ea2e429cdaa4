"""Who calls a tool of the server, and about which project."""

from typing import NamedTuple


class Caller(NamedTuple):
    """One connection of a client."""

    home: str
    folder: str  # in which the agent works
    session: str  # of this connection: an agent does not tell its own
    client: str = ""  # as the agent names itself
