"""Systems on which the resident server cannot run."""

import pytest

from lessons.agents.claude_code.server.setup import refuse_unless_possible
from lessons.errors import Refused


def test_windows_is_told_to_do_without() -> None:
    with pytest.raises(Refused, match="without it"):
        refuse_unless_possible("win32")
    refuse_unless_possible("linux")
    refuse_unless_possible("darwin")
