"""A folder in, sessions that each made and fixed a mistake out."""

from pathlib import Path

from tests.builders.transcript import Session

SHOP, GARDEN = "/home/somebody/shop", "/home/somebody/garden"
UNKNOWN = "Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [<number>] [flags]"
TAG = """\
#lesson
tool: Bash
trigger: lamp polish
problem: lamp polish wears the glass away when the lamp is still hot.
solution: Let the lamp cool down first, then use lamp polish --soft.
tags: tool:lamp, severity:data-loss
#/lesson"""


def mistake(name: str, number: int, cwd: str = SHOP, tag: str = "") -> Session:
    """`gh pr diff --stat` fails, `--name-only` does it; between other calls that go well."""
    session = Session(name, cwd)
    session.prompt("look at the change")
    session.result(session.call("Bash", {"command": "git status"}), "clean")
    session.result(session.call("Bash", {"command": f"gh pr diff {number} --stat"}), UNKNOWN, error=True)
    session.result(session.call("Bash", {"command": f"gh pr diff {number} --name-only"}), "a.py")
    session.result(session.call("Bash", {"command": f"gh pr diff {number}"}), "+a")
    if tag:
        session.say(tag)
    return session


def write_mistakes(folder: Path, sessions: int = 8, tag: str = "") -> None:
    """So many sessions of two projects, the last one with a tag."""
    for number in range(sessions):
        last = tag if number == sessions - 1 else ""
        mistake(f"mistake {number}", 10 + number, (SHOP, GARDEN)[number % 2], last).write(folder)
