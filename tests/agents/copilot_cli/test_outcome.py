"""How calls of Copilot CLI ended; `success: true` may come with any exit code."""

from lessons.agents.copilot_cli.outcome import outcome_of
from lessons.agents.copilot_cli.shell_result import split_exit
from lessons.agents.outcomes import DENIED_BY_HOOK, Verdict
from tests.tables import table


@table(
    "printed",
    [
        "",
        "completed with exit code 3",
        "<shellId: 1 completed with exit code 3> and more",
        "<shellId: 1 completed with exit code x>",
        "<shellId: 1 completed with exit code 3>\nlast line",
        "<" + "x" * 300 + " completed with exit code 3>",
    ],
)
def test_other_texts_tell_no_exit_code(printed: str) -> None:
    assert split_exit(printed) == (printed, None)


@table(
    ("printed", "found"),
    [
        ("a\nb\n<shellId: 12 completed with exit code 3>", ("a\nb", 3)),
        ("<shellId: 0 completed with exit code 0>\n", ("", 0)),
        ("a\n<exited with exit code 127>", ("a", 127)),
        ("a\n<shellId: 1 completed with exit code -1>", ("a", -1)),
    ],
)
def test_the_last_line_tells_the_exit_code(printed: str, found: tuple[str, int]) -> None:
    assert split_exit(printed) == found


BY_HOOK = "Denied by preToolUse hook"
GUIDED = 'boom\n<shellId: 7 completed with exit code 4>\n\nTool "bash" succeeded. Additional guidance from postToolUse'


@table(
    ("data", "verdict", "printed"),
    [
        ({}, Verdict("ok", None), ""),
        ({"success": True, "result": {"content": "x"}}, Verdict("ok", None), "x"),
        ({"success": True, "result": 5, "toolTelemetry": [], "shellExecution": "x"}, Verdict("ok", None), ""),
        ({"success": True, "shellExecution": {"exitCode": 4}, "result": {"content": "x"}}, Verdict("failed", 4), "x"),
        ({"success": True, "toolTelemetry": {"metrics": {"exit_code": 3.0}}}, Verdict("failed", 3), ""),
        ({"success": True, "result": {"content": f"{GUIDED} hooks:\nuse x"}}, Verdict("failed", 4), "boom"),
        ({"success": False, "error": {"message": "m", "code": "failure"}}, Verdict("failed", None), "m"),
        ({"success": False, "error": "m"}, Verdict("failed", None), "m"),
        ({"success": False, "error": {"message": "m", "code": "denied"}}, Verdict("refused", None), "m"),
        ({"success": False, "error": {"message": f"{BY_HOOK}: m"}}, Verdict("failed", None), f"{BY_HOOK}: m"),
        ({"success": False, "error": {"message": f"{BY_HOOK}: m", "code": "denied"}}, DENIED_BY_HOOK, "m"),
        (
            {"success": False, "error": {"message": f"{BY_HOOK} from x", "code": "denied"}},
            DENIED_BY_HOOK,
            f"{BY_HOOK} from x",
        ),
        ({"success": False, "error": {"message": "m", "code": "aborted"}}, Verdict("interrupted", None), "m"),
    ],
)
def test_the_verdict(data: dict[str, object], verdict: Verdict, printed: str) -> None:
    found = outcome_of(data)
    assert (found.verdict, found.printed) == (verdict, printed)


def test_a_hooks_words_are_told_apart() -> None:
    found = outcome_of({"success": True, "result": {"content": f"{GUIDED} hooks:\nuse x"}})
    assert (found.event, found.guidance) == ("PostToolUse", "use x")


def test_a_shell_that_goes_on_is_not_known_yet() -> None:
    running = "out\n<command with shellId: 22 is still running after 30 seconds. Use read_bash to wait.>"
    found = outcome_of({"success": True, "result": {"content": running}})
    assert (found.verdict.outcome, found.task) == ("unknown", "shell-22")


@table(
    ("properties", "printed", "end"),
    [
        ({"shell_operation": "read"}, "x\n<shellId: 22 completed with exit code 1>", Verdict("failed", 1)),
        ({"shell_operation": "read"}, "nothing yet", None),
        ({"shell_status": "stopped"}, "<command with id: 22 stopped>", Verdict("interrupted", None)),
    ],
)
def test_who_asks_after_a_shell_may_be_told_its_end(properties: object, printed: str, end: Verdict | None) -> None:
    found = outcome_of({"success": True, "result": {"content": printed}, "toolTelemetry": {"properties": properties}})
    assert (found.verdict, found.end) == (Verdict("ok", None), end)
    assert found.ended == ("shell-22" if end else "")
