"""Lines that a person types."""

import sys

import pexpect

from lessons.cli.review_screen import help_lines
from tests.sizes import size
from tests.tables import table


@table("width", [39, 79, 199])
def test_the_help_is_never_wider_than_the_screen(width: int) -> None:
    assert max(map(len, help_lines(width))) <= width


_ASKS = """
from lessons.cli.terminal import read_line
try:
    print("read", repr(read_line("Why? ")))
except KeyboardInterrupt:
    print("interrupted")
except EOFError:
    print("ended")
"""


def _answered(typed: str) -> str:
    terminal = pexpect.spawn(sys.executable, ["-c", _ASKS], encoding="utf-8", timeout=60)
    terminal.delaybeforesend = None
    terminal.expect_exact("Why? ")
    terminal.send(typed)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert isinstance(terminal.before, str)
    return terminal.before.splitlines()[-1].removeprefix("^C").removeprefix("^D\b\b")


def test_control_c_is_noticed_whenever_it_comes() -> None:
    assert {_answered("\x03") for _ in range(size("INTERRUPTED_QUESTIONS", 5))} == {"interrupted"}


def test_a_line_is_read_as_it_was_typed() -> None:
    assert _answered("abx\x7fc\r") == "read 'abc'"
    assert _answered("\r") == "read ''"
    assert _answered("\x04") == "ended"
