"""How a call ended: first what only looks like a failure or a refusal, then every shape that the client writes."""

import json

import msgspec

from lessons.agents.claude_code.outcome import ResultDetails, TaskEnd, hook_reason, started_task, task_ends, verdict
from lessons.agents.events import DENIED_BY_HOOK, Verdict
from tests.tables import table

OK = Verdict("ok", None)
FAILED = Verdict("failed", None)
REFUSED = Verdict("refused", None)
CANCELLED = Verdict("cancelled", None)
INTERRUPTED = Verdict("interrupted", None)
UNKNOWN = Verdict("unknown", None)
NO = "The user doesn't want to proceed with this tool use. The tool use was rejected."
SHELL = {"stdout": "x", "stderr": "", "interrupted": False, "isImage": False}


def details(**fields: object) -> ResultDetails:
    return msgspec.json.decode(json.dumps(fields), type=ResultDetails)


@table("is_error", [False, None])
@table(
    "text",
    [
        "",
        "Exit code 1\nis what the log says",
        "Error: cannot find the thing",
        "Command timed out after 2m",
        NO,
        "Claude requested permissions to write to a.txt, but you haven't granted it yet.",
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        "PreToolUse:Bash hook error: no",
        "[Request interrupted by user] is what people see",
        "A note about <error>Command was aborted before completion</error> in the middle",
        "The log: Command running in background with ID: b1",
    ],
)
def test_what_a_call_printed_is_no_failure(text: str, is_error: bool | None) -> None:
    assert verdict(is_error, text, None, None, None) == OK
    assert verdict(is_error, text, details(**SHELL), None, None) == Verdict("ok", 0)
    assert verdict(is_error, text, details(filePath="a.txt"), None, {"decision": "accept"}) == OK


@table(
    "text",
    [
        f"Exit code 1\n{NO}",
        f"a test expected: {NO}",
        "Exit code 1\nPreToolUse:Bash hook error: no",
        "boom\n<tool_use_error>Sibling tool call errored</tool_use_error>",
        "cat: notes\n[Request interrupted by user]",
        "Permission to use, copy, modify and distribute this software",
        "Cancelled: the order was taken back",
        "some lines\nls in '/x' was blocked. For security, Claude Code may only list files here",
        "<tool_use_error>Blocked: sleep 60 followed by: make</tool_use_error>",
        "<tool_use_error>String to replace not found in file.</tool_use_error>",
    ],
)
def test_a_failure_that_quotes_the_client_is_still_a_failure(text: str) -> None:
    assert verdict(True, text, None, None, None).outcome == "failed"


@table(
    ("text", "code"),
    [
        ("Exit code 2\nboom", 2),
        ("Exit code 127", 127),
        ("Error: Exit code 1\nboom", 1),
        ("Exit code -1\n", -1),
        ("Exit code 3221225786\n", 3221225786),
        ("Exit code 137\nKilled", 137),
        ("Exit code 143\nCommand timed out after 2m 0s", 143),
        ("Exit code 124", 124),
        ("Exit code 1x", None),
        ("Exit code " + "9" * 5000, None),
        ("Command timed out after 2m", None),
        ("EISDIR: illegal operation on a directory, read", None),
        ("", None),
    ],
)
def test_failures(text: str, code: int | None) -> None:
    assert verdict(True, text, None, None, None) == Verdict("failed", code)


@table(
    "text",
    [
        NO,
        f"Error: {NO}",
        "The user doesn't want to take this action right now. STOP.",
        "Claude requested permissions to use Fetch, but you haven't granted it yet.",
        "Permission to use Bash with command git push\n has been denied.",
        "Permission to use mcp__a__b has been denied because Claude Code is running in don't ask mode.",
        "Permission for this tool use was denied. It requires approval.",
        "Permission for this action was denied by the Claude Code auto mode classifier. Reason: far away.",
        "This command requires approval",
        "This Bash command contains multiple operations. The following part requires approval: make",
        "ls in '/etc' was blocked. For security, Claude Code may only list files in '/w'.",
        "Output redirection to '/w/a' needs approval. The path is inside the working directories",
        "<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>",
    ],
)
def test_refusals_by_their_words(text: str) -> None:
    assert verdict(True, text, None, None, None) == REFUSED


BY_HOOK = {"decision": "reject", "source": "hook", "reasonType": "hook", "reasonCode": "hook:PreToolUse"}
ASKED = {"decision": "reject", "source": "config", "reasonCode": "hook:PreToolUse"}
HOOK_ERROR = "PreToolUse:Bash hook error: no"


@table(
    ("text", "denial", "permission", "expected"),
    [
        # What is no denial by a hook.
        ("Use the other one", "user-rejected", ASKED, REFUSED),
        (HOOK_ERROR, "user-rejected", None, REFUSED),
        (HOOK_ERROR, "permission-rule", {"decision": "reject", "source": "config"}, REFUSED),
        ("Permission to use Bash with command x has been denied.", "permission-rule", None, REFUSED),
        ("File is in a directory that is denied by your permission settings.", "permission-rule", None, REFUSED),
        ("", "permission-rule", None, REFUSED),
        ("Permission for this action was denied by the auto mode classifier.", "automode-blocked", None, REFUSED),
        ("The model is temporarily unavailable, so auto mode cannot decide.", "automode-unavailable", None, REFUSED),
        (f"Exit code 1\n{HOOK_ERROR}", None, {"decision": "accept", "source": "hook"}, Verdict("failed", 1)),
        (f"The log: {HOOK_ERROR}", None, None, FAILED),
        # What is one.
        (HOOK_ERROR, "permission-rule", BY_HOOK, DENIED_BY_HOOK),
        (HOOK_ERROR, "permission-rule", None, DENIED_BY_HOOK),
        ("no", None, BY_HOOK, DENIED_BY_HOOK),
        ("Use the other one", "permission-rule", None, DENIED_BY_HOOK),
        (HOOK_ERROR, None, None, DENIED_BY_HOOK),
        (f"Error: {HOOK_ERROR}", None, None, DENIED_BY_HOOK),
        ("PreToolUse:Bash hook error: [sh guard.sh]: no", None, None, DENIED_BY_HOOK),
        ("Hook PreToolUse:Write denied this tool", None, None, DENIED_BY_HOOK),
    ],
)
def test_denials_by_hooks(
    text: str, denial: str | None, permission: dict[str, object] | None, expected: Verdict
) -> None:
    assert verdict(True, text, None, denial, permission) == expected


@table(
    ("text", "reason"),
    [
        ("no", "no"),
        ("Hook PreToolUse:Write denied this tool", "Hook PreToolUse:Write denied this tool"),
        ("PreToolUse:Bash hook error: ", "PreToolUse:Bash hook error: "),
        ("PreToolUse:Bash hook error: Use x: [a]: b", "Use x: [a]: b"),
        ("Error: PreToolUse:mcp__a__b hook error: Use x.\n\nAnd y.", "Use x.\n\nAnd y."),
        ("PreToolUse:Bash hook error: [sh guard.sh 'a b']: Use x.\n", "Use x."),
    ],
)
def test_a_hooks_reason_has_no_frame(text: str, reason: str) -> None:
    assert hook_reason(text) == reason


def test_refusals_by_their_fields() -> None:
    assert verdict(True, "Exit code 1", None, "user-rejected", {"decision": "accept"}) == REFUSED
    assert verdict(True, "why", None, None, {"decision": "reject", "source": "config"}) == REFUSED
    assert verdict(True, "it broke", None, None, {"decision": "accept"}) == FAILED
    assert verdict(True, "it broke", None, "", {"decision": ["reject"]}) == FAILED
    assert verdict(True, NO, None, "interrupted", None) == INTERRUPTED
    assert verdict(True, "not run", None, "cancelled", None) == CANCELLED


@table(
    ("text", "expected"),
    [
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", CANCELLED),
        ("<tool_use_error>Cancelled: parallel tool call Bash(make) errored</tool_use_error>", CANCELLED),
        ("<tool_use_error>Error: Streaming fallback - tool execution discarded</tool_use_error>", CANCELLED),
        ("Tool permission request failed: AbortError: Tool permission stream closed", CANCELLED),
        ("[Request interrupted by user for tool use]", INTERRUPTED),
        ("half\n<error>Command was aborted before completion</error>", INTERRUPTED),
        ("Exit code 137\n[Request interrupted by user for tool use]\nhalf", Verdict("interrupted", 137)),
        ("[Tool result missing due to internal error]", UNKNOWN),
    ],
)
def test_calls_that_never_ran_or_were_stopped(text: str, expected: Verdict) -> None:
    assert verdict(True, text, None, None, None) == expected


@table(
    ("fields", "text", "expected"),
    [
        (SHELL | {"returnCodeInterpretation": "No matches found"}, "", OK),
        (SHELL | {"returnCodeInterpretation": ""}, "", Verdict("ok", 0)),
        (SHELL | {"interrupted": True}, "half", INTERRUPTED),
        (SHELL | {"interrupted": True}, "half\nCommand timed out after 2m", FAILED),
        (SHELL | {"backgroundTaskId": "b1"}, "", UNKNOWN),
        ({"isAsync": True, "status": "async_launched", "agentId": "a1"}, "", UNKNOWN),
        ({"status": "teammate_spawned"}, "", UNKNOWN),
        ({"status": "completed", "agentId": "a1"}, "done", OK),
        ({"shellId": "b1", "status": "running", "stdout": "", "exitCode": None}, "", OK),
    ],
)
def test_what_the_details_add(fields: dict[str, object], text: str, expected: Verdict) -> None:
    assert verdict(None, text, details(**fields), None, None) == expected


@table(
    ("text", "task"),
    [
        ("Command running in background with ID: bash_1", "bash_1"),
        ("Command running in background with ID: b1. Output is being written to: /t/b1.output", "b1"),
        ("Command did not complete within its 600s timeout and was moved to the background (ID: b2). More", "b2"),
        ("Async agent launched successfully.\nagentId: a3 (internal)", "a3"),
    ],
)
def test_a_subagent_tells_in_words_alone_what_runs_on(text: str, task: str) -> None:
    assert started_task(text) == task
    assert verdict(False, text, None, None, None) == UNKNOWN
    assert verdict(False, "[Request interrupted by user]", None, None, None) == INTERRUPTED


def test_which_task_runs_on_and_which_was_stopped() -> None:
    assert details(agentId="a1", status="completed").task_id == ""
    assert details(agentId="a1", isAsync=True).task_id == "a1"
    assert details(backgroundTaskId="b1", interrupted=False).task_id == "b1"
    assert details(backgroundTaskId=7).task_id == ""
    assert details(task_id="b1", message="No such task").stopped_task == ""
    assert details(task_id="b1", message="Successfully stopped task: b1 (make)").stopped_task == "b1"
    assert details(shell_id="b2", message="Successfully killed shell: b2").stopped_task == "b2"
    assert [details(interrupted=value).is_shell for value in (None, "yes", True)] == [False, False, True]


def note(*lines: str) -> str:
    return "\n".join(["<task-notification>", *lines, "</task-notification>"])


@table(
    "text",
    [
        "",
        "what is <task-notification><task-id>b</task-id><status>failed</status></task-notification>",
        note("<task-id>b</task-id>", '<summary>Monitor event: "poll"</summary>', "<event>x</event>"),
        note("<task-id>b</task-id>", "<status>running</status>"),
        note("<status>failed</status>"),
        note("<task-id>b</task-id>", "<result>", "<status>failed</status>", "</result>"),
    ],
)
def test_what_is_no_end_of_a_task(text: str) -> None:
    assert task_ends(text) == []


@table(
    ("status", "summary", "expected"),
    [
        ("completed", 'Background command "make" completed (exit code 0)', Verdict("ok", 0)),
        ("completed", 'Background command "find exit code 3" completed', OK),
        ("completed", 'Background command "make" completed (exit code 2)', Verdict("failed", 2)),
        ("completed", 'Agent "look" finished', OK),
        ("failed", 'Background command "make" failed with exit code 2', Verdict("failed", 2)),
        ("failed", 'Agent "look" failed', FAILED),
        ("failed", 'Background command "serve" failed with exit code 143', Verdict("interrupted", 143)),
        ("failed", 'Background command "serve" failed with exit code 137', Verdict("interrupted", 137)),
        ("killed", 'Background command "serve" was stopped', INTERRUPTED),
        ("stopped", "", INTERRUPTED),
    ],
)
def test_ends_of_tasks(status: str, summary: str, expected: Verdict) -> None:
    text = note("<task-id>b1</task-id>", f"<status>{status}</status>", f"<summary>{summary}</summary>")
    assert task_ends(text) == [TaskEnd("b1", "", expected, summary)]
    assert task_ends(text.removesuffix("</task-notification>")) == [TaskEnd("b1", "", expected, summary)]


def test_several_ends_in_one_text() -> None:
    first = note(
        "<task-id>a</task-id>",
        "<tool-use-id>toolu_1</tool-use-id>",
        "<status>completed</status>",
        '<summary>Agent "A &amp; B" completed</summary>',
        "<result>quoted:\n<task-notification><task-id>z</task-id><status>failed</status></result>",
    )
    second = note("<task-id>b</task-id>", "<status>killed</status>")
    found = task_ends(f"{first}\nRead the output file to retrieve the result: /t/a.output\n{second}")
    assert found == [TaskEnd("a", "toolu_1", OK, 'Agent "A & B" completed'), TaskEnd("b", "", INTERRUPTED, "")]


STOP = "[Request interrupted by user for tool use]"


@table(
    ("text", "expected"),
    [
        (f"Exit code 1\nsome output\n{STOP}", Verdict("failed", 1)),
        (f"Exit code 130\nthe sentence {STOP}", Verdict("failed", 130)),
        (f"Exit code 130\n{STOP}\nwas printed", Verdict("interrupted", 130)),
        (f"Exit code 130\na\n{STOP}\nwas printed", Verdict("failed", 130)),
        ("Request was aborted. The server is busy.", FAILED),
        ("boom\nRequest was aborted.", FAILED),
        ("boom\nUser declined to answer questions", FAILED),
        (f"Exit code 130\nsome output\n{STOP}", Verdict("interrupted", 130)),
        (f"Exit code 137\nsome output\n{STOP}\n", Verdict("interrupted", 137)),
        ("Request was aborted.", INTERRUPTED),
        ("<tool_use_error>Request was aborted.</tool_use_error>", INTERRUPTED),
        ("Error: Request was aborted.\n", INTERRUPTED),
        ("User declined to answer questions", REFUSED),
        ("Error: User declined to answer questions", REFUSED),
    ],
)
def test_more_ways_in_which_a_person_ends_a_call(text: str, expected: Verdict) -> None:
    assert verdict(True, text, None, None, None) == expected
