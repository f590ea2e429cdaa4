"""The back-test and the hook agree on every call, whatever the trigger and however the call is written."""

import json
import tempfile
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons import config
from lessons.agents.claude_code import wire
from lessons.hook.lookup import matching
from lessons.model import Lesson, Scope, Triggers
from lessons.promote.backtest import compiled
from lessons.promote.matching import hits
from lessons.promote.publish.build import write_lessons
from lessons.promote.publish.entry import entry_of
from tests.builders.past import SHOP, Past, history_of

# Words, and the same words as nobody writes them.
WORDS = (
    "git", "push", "GIT", "Push", 'g"i"t', "p\\ush", "gi\\\nt", "'git push'", "$'git'", '"git"', "/usr/bin/git", "git.",
    "g\u0131t", "pu\u017fh", "\u212a", "k", "kit", "-x", "--force", "12", "FOO=1", "timeout 5", "npx", "python -m",
    "bash -c 'git push'", "ssh host git push", "eval", "xargs git", "$(git push)", "`git push`", "if", "then", "time",
    "for x in", "do", "done", "case", "esac", "in", "{", "}", "# git push", "2>&1", "<<E\ngit push\nE\n", "\0", "写",
    "git -C x push", "git -c a=b --no-pager", "-C", "--no-pager",
    "echo git push |", "| bash", "bash", "bash <<E\ngit push\nE\n", "ssh host", "docker exec c", "X='git push';", "$X",
    "docker run --entrypoint git i push", "adb shell", "cat <<E | sh\ngit push\nE\n", "<<< 'git push'", "tee x |",
    "$x = git push", "$x=git push", "git `\n push", "& 'git.exe' push", "pwsh -c 'git push'", "cmd /c git push", "gi`t",
    "git.exe", '"C:\\a b\\git.exe" push', "Start-Process git -Args push", "'git push' | iex", "cmd /c gi^t push",
    "{ git", "python -c 'git push'", 'node -e "gi\\"t push"', "python - <<E\ngit\npush\nE\n", "| python3", "ruby -egit",
    "x" * 40, "=", "~", "!", "(", ")", "[[", "]]", "\\\r\n", "\r\n", "\t",
)  # fmt: skip
# Every way to write two of them.
SPELLED = (
    "git",
    'g"i"t',
    "gi\\\nt",
    "$'git'",
    "g\u0131t",
    "GIT",
    "push",
    "p\\ush",
    "'push'",
    "pu\u017fh",
    "Push",
    "-x",
)
GAPS = (" ", " ", " ", "", "  ", " && ", " || ", " | ", ";", "; ", " & ", "\n")
SOURCES = (
    "git", "git push", "git +push", r"\bgit\b", "GIT", "(?i)git", "(?i:KIT)", "push$", "^git", r"git\s+push", "g.t",
    r"\d+", "git|push", "(?:git|kit) push", "[gk]it", r"(?<!x)push", "x{3,}", "--force", "写", r"\x67it", r"\x47IT",
    r"git.*\| *bash", "push.*--force",
    "=", "^$", "(?!push).*git", "git.*12", r"\\\\", "'", '"', r"git\.", "k", r"\u0067it", "pu[s]h", "(?x) git # GIT",
)  # fmt: skip
PATHS = (
    "src/git.py",
    "./src/../push.py",
    f"{SHOP}/src/git.py",
    "/etc/git",
    "push",
    "~/git",
    "C:\\git\\push.py",
    "写/a",
)
GLOBS = ("**/*.py", "src/**", "git", "/etc/*", "**/git*", f"{SHOP}/*", "写/*", "*.{py,ts}")
TOOLS = ("Bash", "shell", "powershell", "Write", "Edit", "Read", "Grep", "apply_patch", "mcp__a__b", "@a/b", "Ask")
FILE_KEYS = ("file_path", "path", "notebook_path", "content", "new_string", "question")

lines = st.one_of(
    st.lists(st.sampled_from(WORDS + GAPS), max_size=8).map("".join),
    st.lists(st.sampled_from(SPELLED), max_size=3).map(" ".join),
)
texts = st.one_of(lines, st.sampled_from(PATHS))
arguments = st.one_of(
    st.dictionaries(st.sampled_from((*FILE_KEYS, "command", "cmd")), texts, max_size=3),
    st.fixed_dictionaries({"paths": st.lists(st.sampled_from(PATHS), max_size=2)}),
    st.fixed_dictionaries({"input": st.sampled_from(("*** Update File: src/git.py\n+git push\n", "+git\n"))}),
)
written = lines.filter(bool)  # the history does not tell an empty line from none
shell_calls = st.builds(Past, command=written, tool=st.sampled_from(("Bash", "Bash", "shell", "powershell")))
other_calls = st.builds(Past, tool=st.sampled_from(TOOLS), arguments=arguments, escaped=st.booleans())
failed_calls = st.builds(Past, command=written, outcome=st.sampled_from(("failed", "refused", "ok")), error=lines)
calls = st.lists(st.one_of(shell_calls, other_calls, failed_calls), min_size=1, max_size=12)


def some(sources: Sequence[str], most: int = 2) -> st.SearchStrategy[list[str]]:
    return st.one_of(st.just([]), st.lists(st.sampled_from(sources), min_size=1, max_size=most))


triggers = st.builds(
    Triggers,
    command_patterns=some(SOURCES),
    path_patterns=some(GLOBS),
    content_patterns=some(SOURCES),
    error_patterns=some(SOURCES),
    unless=some(SOURCES, 1),
    tool_names=some(TOOLS),
    match_on=st.sampled_from((None, "command", "invocation", "script")),
)
command_triggers = st.builds(
    Triggers,
    command_patterns=st.lists(st.sampled_from(SOURCES), min_size=1, max_size=2),
    unless=some(SOURCES, 1),
    match_on=st.sampled_from((None, "command", "invocation", "script")),
)
scopes = st.sampled_from((Scope(type="global"), Scope(type="project", path=SHOP), Scope(type="project", path="/x")))


def fired(home: str, past: Past) -> bool:
    """Whether the hook itself has anything to say: before the call, or after it failed."""
    payload: dict[str, object] = {
        "session_id": past.session,
        "cwd": past.cwd,
        "tool_name": past.tool,
        "tool_input": json.loads(json.dumps(past.given)),
    }
    before = wire.parse("PreToolUse", payload)
    after = wire.parse("PostToolUseFailure", {**payload, "error": past.error or "none"})
    assert before and before.call and after and after.call
    if matching(home, "PreToolUse", before.call)[1]:
        return True
    return past.outcome == "failed" and bool(past.error and matching(home, "PostToolUseFailure", after.call)[1])


def check(triggers: Triggers, scope: Scope, acts: bool, made: list[Past]) -> None:
    lesson = Lesson(
        id="L1", slug="l1", summary="", problem="", solution="", triggers=triggers, scope=scope, stop_once=acts
    )
    with tempfile.TemporaryDirectory() as home, history_of(*made) as history:
        write_lessons(home, config.load(home, {}), {"L1": entry_of(lesson).entry}, "2026-01-01T00:00:00Z")
        found = {past.tool_use_id for past in hits(history, compiled(triggers, scope, acts).rule)}
        assert found == {f"t{number}" for number, past in enumerate(made) if fired(home, past)}


def can_fire(triggers: Triggers) -> bool:
    patterns = (triggers.command_patterns, triggers.path_patterns, triggers.content_patterns, triggers.error_patterns)
    return bool(triggers.tool_names) or any(patterns)


@pytest.mark.parametrize(
    ("pattern", "line", "tool", "is_hit"),
    [
        ("^FOO", "FOO=1 git push", "Bash", False),  # a variable is no command
        (r"^\d+", "12 git push", "powershell", False),  # nor is a number in PowerShell
        ("^git =", "git = push", "powershell", False),
        (r"^\d+", "12 git push", "Bash", True),
        ("^git push", "FOO=1 git push", "Bash", True),
        ("^git push", "git push && ls", "powershell", True),
        ("^git push", "cmd /c gi^t push", "Bash", True),
    ],
)
def test_a_line_that_begins_like_a_match_is_read_with_care(pattern: str, line: str, tool: str, is_hit: bool) -> None:
    triggers, made = Triggers(command_patterns=[pattern], match_on="invocation"), Past(command=line, tool=tool)
    check(triggers, Scope(type="global"), False, [made])
    with history_of(made) as history:
        assert bool(list(hits(history, compiled(triggers, Scope(type="global"), False).rule))) == is_hit


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(triggers.filter(can_fire), scopes, st.booleans(), calls)
def test_any_trigger_hits_what_the_hook_fires_on(
    triggers: Triggers, scope: Scope, acts: bool, made: list[Past]
) -> None:
    check(triggers, scope, acts, made)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(command_triggers, st.booleans(), st.lists(shell_calls, min_size=1, max_size=20))
def test_a_command_trigger_hits_what_the_hook_fires_on(triggers: Triggers, acts: bool, made: list[Past]) -> None:
    check(triggers, Scope(type="global"), acts, made)
