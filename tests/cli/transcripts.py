"""A few sessions for the tests of the scan, where Claude Code would have left them."""

from pathlib import Path

from tests.builders.client_lines import REJECTED
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine

SHOP, GARDEN = "/home/somebody/shop", "/home/somebody/garden"


def projects(lessons: CommandLine) -> Path:
    return lessons.person / ".claude" / "projects"


def shop_session(name: str = "one", cwd: str = SHOP) -> Session:
    """Three calls: one went well, one failed, one was refused; one tag."""
    session = Session(name, cwd)
    session.prompt("sell something")
    session.result(session.call("Bash", {"command": "make shop"}), "done")
    session.result(session.call("Bash", {"command": "make till"}), "Exit code 2\nno rule", error=True)
    edit = {"file_path": f"{cwd}/a.py", "old_string": "a", "new_string": "b"}
    session.result(session.call("Edit", edit), REJECTED, denial="user-rejected", permission=None)
    session.say("#lesson\nproblem: The till has no rule.\nsolution: Write one.\n#/lesson")
    return session


def write(lessons: CommandLine, name: str = "one", cwd: str = SHOP) -> Path:
    return shop_session(name, cwd).write(projects(lessons))
