"""A session full of secrets, wherever a text can stand: after a scan none of them is in any file of the data home."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects
from tests.redact.cases import TRUE_CASES
from tests.redact.continued import CONTINUED, Form
from tests.sizes import size

# An even sample: tests/redact tries each of them.
CASES = TRUE_CASES[:: max(1, len(TRUE_CASES) // size("SCANNED_SECRETS", 40))]
SECRETS = {secret for _, secret in CASES}
# Half of a long one is as bad.
HALVES = {half for secret in SECRETS if len(secret) >= 32 for half in (secret[:16], secret[-16:])}


def full_of_secrets(form: Form = str) -> Session:
    session = Session("secrets")
    for number, text in enumerate(form(text) for text, _ in CASES):
        session.prompt(text)
        failing = session.call("Bash", {"command": text, "description": text})
        session.hook_context(failing, text)
        session.result(failing, f"Exit code 1\n{text}", error=True)
        session.result(session.call("Bash", {"command": f"make | tail -{number}"}), f"error: it failed\n{text}")
        session.result(session.call("Write", {"file_path": f"/a/{number}", "content": text}), text)
        session.result(session.call("mcp__shop__sell", {"deep": [{"list": [text]}]}), text, error=True)
        session.say(f"#lesson\nproblem: {text}\nsolution: {text}\ntool: Bash\nsummary: {text}\n#/lesson")
        slow = session.call("Bash", {"command": "make", "run_in_background": True})
        session.result(slow, "Running.", background=f"b{number}")
        session.notify(f"b{number}", "failed", 2, slow, description=text)
        session.title(text).queue(text)
    return session


def on_continued_lines() -> Session:
    return full_of_secrets(CONTINUED)


def far_into_texts() -> Session:
    """Each lies across a place where its text may be cut, seen from the beginning or from the end."""
    session = Session("secrets at a cut")
    for number, (text, secret) in enumerate(CASES):
        limit = (1024, 4096)[number % 2]
        middle = text.index(secret) + len(secret) // 2
        before = "x " * ((limit - middle - len("Exit code 1")) // 2)
        after = " y" * ((limit - len(text) + middle) // 2)
        for padded in (f"{before}\n{text}\n{after * 2}", f"{before * 2}\n{text}{after}"):
            session.prompt(padded)
            session.result(session.call("Bash", {"command": padded}), f"Exit code 1\n{padded}", error=True)
    return session


def found_in(home: Path) -> list[str]:
    """Every secret in the raw bytes of a file, in small letters as the search index writes words."""
    wanted = {secret.lower() for secret in SECRETS | HALVES}
    wanted |= {secret.replace("\n", "\\n") for secret in wanted}
    found = []
    for path in sorted(home.rglob("*")):
        if path.is_file():
            data = path.read_bytes().lower()
            found += [f"{secret} in {path.name}" for secret in wanted if secret.encode() in data]
    return found


@pytest.mark.parametrize("session", [full_of_secrets, on_continued_lines, far_into_texts])
def test_no_secret_is_stored(lessons: CommandLine, session: Callable[[], Session]) -> None:
    lessons("scan")
    session().write(projects(lessons))
    with closing(sqlite3.connect(lessons.home / "history.db")) as reader:
        # As long as somebody reads, SQLite keeps what was written in the file beside the database.
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM calls").fetchone()
        stored = lessons.json("scan")["calls"]["total"]
        assert stored >= len(CASES)
        assert (lessons.home / "history.db-wal").stat().st_size > 10_000
        assert found_in(lessons.home) == []
    if session is not full_of_secrets:
        return
    assert lessons.json("scan", "--full")["calls"]["total"] == stored
    lessons("scan", "--auto", LESSONS_AUTO_SCAN_INTERVAL_HOURS="0")
    assert found_in(lessons.home) == []
    assert b"[redacted:" in (lessons.home / "history.db").read_bytes()
