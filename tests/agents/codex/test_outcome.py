"""How a call ended, by the text that the model got."""

from lessons.agents.codex.outcome import ending_of
from tests.tables import table

HEAD = "Chunk ID: ff6462\nWall time: 0.0000 seconds\n{}\nOriginal token count: 2\nOutput:\n"
SHORT = "Wall time: 0.1 seconds\n{}Output:\n"
IN_JSON = '{"output":"no\\n","metadata":{"exit_code":2,"duration_seconds":0.1}}'
PATCHED = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA new.txt\n"


@table(
    "name, text, outcome, code, printed",
    [
        # What must not be taken for a failure.
        ("printed words", "Process exited with code 1\n", "ok", None, "Process exited with code 1\n"),
        ("zero", HEAD.format("Process exited with code 0") + "Exit code: 3\n", "ok", 0, "Exit code: 3\n"),
        ("a patch", PATCHED, "ok", 0, "Success. Updated the following files:\nA new.txt\n"),
        ("a server's tool", "Wall time: 0.0107 seconds\nOutput:\n3", "ok", None, "3"),
        ("a plan", "Plan updated", "ok", None, "Plan updated"),
        ("nothing", "", "ok", None, ""),
        ("a script", "Script completed\nWall time 0.2 seconds\nOutput:\nexit_code 7", "ok", None, None),
        ("running", HEAD.format("Process running with session ID 9144"), "unknown", None, ""),
        ("ended with the client", HEAD.format("Process exited with code -1"), "unknown", None, ""),
        ("blocked", "Command blocked by a policy", "refused", None, None),
        ("rejected", "exec command rejected by user", "refused", None, None),
        ("rejected patch", "patch rejected by user", "refused", None, None),
        ("aborted", "aborted by user after 3.1s", "interrupted", None, None),
        # Failures.
        ("a code", HEAD.format("Process exited with code 3") + "boom\n", "failed", 3, "Exit code 3\nboom\n"),
        ("without an id", SHORT.format("Process exited with code 1\n") + "no", "failed", 1, "Exit code 1\nno"),
        ("older", "Exit code: 127\nWall time: 0.1 seconds\nOutput:\nsh: x: not found", "failed", 127, None),
        ("in JSON", IN_JSON, "failed", 2, "Exit code 2\nno\n"),
        ("half a pair in JSON", IN_JSON.replace("no", "no \\ud800"), "failed", 2, "Exit code 2\nno ?\n"),
        ("a patch in a line", SHORT.format("") + "Exit code: 1\nWall time: 0 seconds\nOutput:\nx", "failed", 1, None),
        ("no such lines", "apply_patch verification failed: Failed to find expected lines", "failed", None, None),
        (
            "denied",
            "Command blocked by PreToolUse hook: Use x. It works. Command: ls",
            "failed",
            None,
            "Use x. It works",
        ),
        ("unknown tool", "unsupported call: foo", "failed", None, None),
        ("arguments", "failed to parse function arguments: missing field `cmd`", "failed", None, None),
    ],
)
def test_how_it_ended(name: str, text: str, outcome: str, code: int | None, printed: str | None) -> None:
    ending = ending_of(text)
    assert (ending.verdict.outcome, ending.verdict.exit_code) == (outcome, code)
    assert printed is None or ending.text == printed


def test_a_process_that_goes_on_is_named() -> None:
    assert ending_of(HEAD.format("Process running with session ID 9144")).process == "9144"
