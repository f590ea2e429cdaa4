"""The rules of the agent's own tools explain themselves; shells and server tools are not among them."""

from lessons.capture.shapes.judgement import judge
from lessons.episode import Step
from tests.capture.shapes.tables import failed
from tests.tables import table


@table(
    "step",
    [
        failed("ls missing", "ls: missing: No such file or directory"),
        failed("mcp__files__read {}", "Error: path is required"),
        Step("t", "local_shell", "ls", "", "ls missing", "", "{}", "failed", "Exit code 1\nls: missing: No such file"),
    ],
)
def test_calls_of_others(step: Step) -> None:
    assert judge(step).shape != "protocol"


@table(
    "step",
    [
        Step("t", "Read", "", "", "", "/srv/x", "{}", "failed", "File does not exist."),
        Step("t", "Edit", "", "", "", "/srv/x", "{}", "failed", "unknown option: replace"),
        Step("t", "Bash", "", "", "sleep 9", "", "{}", "failed", "<tool_use_error>Bad input</tool_use_error>"),
        Step(
            "t", "mcp__a__b", "", "", "", "", "{}", "failed", "<tool_use_error>No such tool available</tool_use_error>"
        ),
    ],
)
def test_the_agents_own_tools(step: Step) -> None:
    assert judge(step).shape == "protocol"


def test_a_command_that_the_client_would_not_start() -> None:
    error = "<tool_use_error>Blocked: sleep 60 followed by: make. Use the background.</tool_use_error>"
    assert judge(Step("t", "Bash", "sleep", "", "sleep 60; make", "", "{}", "failed", error)).shape == "misuse"
    assert judge(Step("t", "Read", "", "", "", "/srv/x", "{}", "failed", error)).shape == "protocol"
