"""The trigger of a tag: agents write how a command begins, sometimes a regex, sometimes nonsense."""

from lessons.model import Triggers, document_from_triggers
from lessons.promote.proposals import triggers_from_tag
from lessons.promote.publish.examples import fires
from tests.tables import table


@table(
    ("tool", "trigger"),
    [
        ("Bash", ""),
        ("Bash", "   "),
        ("Bash", "git\nstash"),
        ("Bash", "x" * 201),
        ("Bash", r"^(a+)+$"),
        ("Bash", r"git (?stash"),
        ("Bash", r".*"),
        ("Edit", "{a,b}" * 20),
    ],
)
def test_what_is_no_trigger(tool: str, trigger: str) -> None:
    assert triggers_from_tag(tool, trigger) is None


@table(
    ("tool", "trigger", "fires_on", "quiet_on"),
    [
        ("Bash", "git stash", "git stash -q", "git stashes"),
        ("", "git stash", "cd x && git stash", "echo git stash"),
        ("bash", "pnpm run build:web", "pnpm run build:web", "pnpm run build"),
        ("Bash", "rm *.txt", "rm *.txt", "rm atxt"),
        ("Bash", "ls a[0]", "ls a[0] -l", "ls a0"),
        ("Bash", r"npm (install|i)\b.*--force", "npm i x --force", "npm i x"),
        ("some tool", "make  gen", "make gen", "make"),
    ],
)
def test_commands(tool: str, trigger: str, fires_on: str, quiet_on: str) -> None:
    triggers = triggers_from_tag(tool, trigger)
    assert triggers is not None
    document: dict[str, object] = {
        "summary": "",
        "problem": "",
        "solution": "",
        "triggers": document_from_triggers(triggers),
    }
    assert fires(document, {"command": fires_on})
    assert not fires(document, {"command": quiet_on})


@table(
    ("error", "unless"),
    [("", ""), ("two\nlines", ""), ("x" * 201, ""), (r"(a+)+$", ""), ("no such flag", "two\nlines"), (r"err (?x", "")],
)
def test_what_is_no_trigger_at_the_error(error: str, unless: str) -> None:
    assert triggers_from_tag("Bash", "", error, unless) is None


def test_words_of_an_error_and_what_is_meant_otherwise() -> None:
    alone = triggers_from_tag("Bash", "", "unknown flag: --stat")
    assert alone == Triggers(tool_names=["Bash"], error_patterns=[r"unknown flag: --stat\b"])
    both = triggers_from_tag("Bash", "gh pr diff", "unknown flag", "--name-only")
    assert both == Triggers(
        tool_names=["Bash"],
        command_patterns=[r"gh pr diff\b"],
        error_patterns=[r"unknown flag\b"],
        unless=[r"--name-only\b"],
        match_on="invocation",
    )
    assert triggers_from_tag("Bash", ".*", "unknown flag") == Triggers(
        tool_names=["Bash"], error_patterns=[r"unknown flag\b"]
    )
    assert triggers_from_tag("Bash", "gh pr diff", "(a+)+$") == triggers_from_tag("Bash", "gh pr diff")


def test_paths_and_other_tools() -> None:
    assert triggers_from_tag("Write", "src/generated/") == Triggers(
        tool_names=["Write"], path_patterns=["src/generated/"]
    )
    assert triggers_from_tag("mcp__web__open", "http://") == Triggers(
        tool_names=["mcp__web__open"], command_patterns=["http://"]
    )
