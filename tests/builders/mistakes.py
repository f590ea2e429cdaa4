"""A folder in, sessions out whose agents repeatedly make the same mistakes and fix them."""

from pathlib import Path
from typing import NamedTuple

from tests.builders.transcript import Session


class Mistake(NamedTuple):
    """What was called (a number takes the place of {}), what the shell said, and what worked instead."""

    failed: str
    error: str
    worked: str
    between: int = 2  # calls before it was mended: what was mended at once is shown first


WRITTEN = "There is no such flag in number {}. I take another one."  # by the agent, after its first mistake
MISTAKES = (
    Mistake("gh pr diff {} --stat", "Exit code 1\nunknown flag: --stat", "gh pr diff {} --name-only"),
    Mistake("timeout {} make", "Exit code 127\n(eval):1: command not found: timeout", "gtimeout {} make", 0),
    Mistake("python tools/till{}.py", "Exit code 127\n(eval):1: command not found: python",
        "python3 tools/till{}.py"),
    Mistake("kubectl get pods --namespaces all -l shop={}", "Exit code 1\nerror: unknown flag: --namespaces",
        "kubectl get pods --all-namespaces -l shop={}", 1),
    Mistake("cargo build --quick -p shop{}", "Exit code 1\nerror: unexpected argument '--quick' found",
        "cargo build --release -p shop{}"),
    Mistake("git push --force-lease origin till-{}", "Exit code 129\nerror: unknown option `force-lease'",
        "git push --force-with-lease origin till-{}"),
    Mistake("rg --type javascript till{}", "Exit code 2\nrg: unrecognized file type: javascript",
        "rg --type js till{}"),
)  # fmt: skip


def write_sessions(folder: Path, sessions: int = 3, mistakes: tuple[Mistake, ...] = MISTAKES) -> None:
    """Every session makes every mistake once and mends it, in one of two projects."""
    for number in range(sessions):
        session = Session(f"errs {number}", cwd=f"/home/somebody/errs-{number % 2}")
        session.prompt("look at the change")
        for mistake in mistakes:
            wrong = session.call("Bash", {"command": mistake.failed.format(number + 10)})
            session.result(wrong, mistake.error, error=True)
            if mistake is MISTAKES[0]:
                session.say(f"{WRITTEN.format(number + 10)} Then I go on.")
            for look in range(mistake.between):
                session.result(session.call("Bash", {"command": f"ls shop-{look}"}), "shop")
            session.result(session.call("Bash", {"command": mistake.worked.format(number + 10)}), "done")
            session.result(session.call("Bash", {"command": f"ls till-{number}"}), "till")
        session.write(folder)
