"""A denial by a hook is a failure with its reason, unless the hook was ours."""

import sqlite3
from contextlib import closing
from pathlib import Path

from lessons.prove.update import update_ledger
from lessons.scan.run import Options, run
from tests.builders.copilot import CopilotSession
from tests.builders.transcript import Session
from tests.store.history.test_hook_log import line
from tests.tables import table

REFUSED = ("refused", "")
STOPPED = "Use x.\n\n(Stopped once by the user's lesson `a` so that this is read before the call runs. A changed call"
OF_PROJECT = "From the lessons of the project `p`, which the user trusts:\n> Use x."


def outcomes(home: Path, folder: Path, *, full: bool = False) -> list[tuple[str, str]]:
    run(str(home), Options([str(folder)], processes=1, full=full), then=update_ledger)
    with closing(sqlite3.connect(home / "history.db")) as history:
        return history.execute("SELECT outcome, error FROM calls ORDER BY time, position").fetchall()


def denied(folder: Path, reason: str) -> str:
    session = Session("one")
    call = session.call("Bash", {"command": "make x"})
    session.result(call, f"PreToolUse:Bash hook error: {reason}", error=True, denial="permission-rule")
    session.write(folder)
    return call


@table(
    "reason, decision, expected",
    [
        # Our own.
        ("Use x.", "block", REFUSED),
        ("Use x.", "stop", REFUSED),
        (STOPPED, "", REFUSED),
        (OF_PROJECT, "", REFUSED),
        # Those of others.
        ("Use x.", "", ("failed", "Use x.")),
        ("Use x.", "hint", ("failed", "Use x.")),
        ("[sh guard.sh]: Use x.", "", ("failed", "Use x.")),
    ],
)
def test_whose_denial_it_is(tmp_path: Path, reason: str, decision: str, expected: tuple[str, str]) -> None:
    home, folder = tmp_path / "home", tmp_path / "projects"
    home.mkdir()
    call = denied(folder, reason)
    if decision:
        (home / "injections.jsonl").write_text(line(0, session="one", toolUseId=call, decision=decision), "utf-8")
    assert outcomes(home, folder) == [expected]
    assert outcomes(home, folder, full=True) == [expected]


def test_a_log_that_arrives_late_counts_too(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "projects"
    home.mkdir()
    call = denied(folder, "Use x.")
    assert outcomes(home, folder) == [("failed", "Use x.")]
    (home / "injections.jsonl").write_text(line(0, session="one", toolUseId=call, decision="block"), "utf-8")
    assert outcomes(home, folder) == [REFUSED]


@table(
    "seconds, expected",
    [
        ([], ["failed", "failed", "failed"]),
        (["00.05"], ["failed", "failed", "failed"]),  # before any call
        (["00.15"], ["refused", "failed", "failed"]),
        (["00.55"], ["failed", "refused", "failed"]),
        (["00.15", "00.85"], ["refused", "failed", "refused"]),
    ],
)
def test_without_an_id_the_last_denied_call_before_the_line_is_ours(
    tmp_path: Path, seconds: list[str], expected: list[str]
) -> None:
    home, folder = tmp_path / "home", tmp_path / "states"
    home.mkdir()
    session = CopilotSession()
    for name in ("call_1", "call_2", "call_3"):
        session.failure(name, "bash", {"command": name}, "Denied by preToolUse hook: Use x.", "denied")
    session.write(folder)
    more: dict[str, object] = {"session": session.id, "agent": "copilot-cli", "toolUseId": None, "decision": "block"}
    log = [line(0, time=f"2026-01-01T10:00:{second}0Z", **more) for second in seconds]
    (home / "injections.jsonl").write_text("".join(log), "utf-8")
    assert [outcome for outcome, _ in outcomes(home, folder)] == expected
