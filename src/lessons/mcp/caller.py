"""Who calls a tool of the server, and for which project."""

from typing import NamedTuple


class Caller(NamedTuple):
    """One connection of a client."""

    home: str
    folder: str  # in which the agent works
    session: str  # of this connection: an agent does not send its own
    client: str = ""  # the agent's own name
