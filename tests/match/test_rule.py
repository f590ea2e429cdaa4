"""When a trigger fires: first all calls it must ignore, then those it is for."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.match.call import ToolCall, system_name
from lessons.match.rule import Rule, conditions_hold, in_project, occurs, why_it_fires
from tests.sizes import examples
from tests.tables import table

Arguments = dict[str, object]
PATCH = "*** Begin Patch\n*** Add File: src/a.py\n+print(total)\n*** End Patch\n"


def patterns(*sources: str) -> tuple[re.Pattern[str], ...]:
    return tuple(map(re.compile, sources))


def bash(command: object, **more: str) -> ToolCall:
    return ToolCall("Bash", {"command": command}, **more)


def edit(path: str, new: str = "") -> ToolCall:
    return ToolCall("Edit", {"file_path": path, "old_string": "print(1)", "new_string": new})


COMMAND = Rule(command=patterns("git stash"))
GATED = Rule(tools=("Bash",), command=patterns("git stash"))
INVOCATION = Rule(command=patterns("pytest"), invocation=True)
PATHS = Rule(path=patterns(r"\.py\Z"))
CONTENT = Rule(content=patterns(r"print\("))
BOTH = Rule(path=patterns(r"\.py\Z"), content=patterns(r"print\("))
COMMAND_OR_PATH = Rule(command=patterns("git stash"), path=patterns(r"\.py\Z"))
ERROR = Rule(error=patterns("no matches found"))
TOOL = Rule(tools=("Bash",))
SCRIPT = Rule(command=patterns(r"yaml\.load\("), unless=patterns("Loader="), script=True)
SERVER = Rule(tools=("mcp__tracker__create",), command=patterns("urgent"))

QUIET = [
    (Rule(), bash("git stash")),
    (Rule(unless=patterns("x")), bash("git stash")),
    (Rule(projects=("/shop",)), bash("git stash", cwd="/shop")),
    (COMMAND, bash("git status")),
    (COMMAND, bash(None)),
    (COMMAND, bash(["git", 1])),
    (COMMAND, ToolCall("Bash", "git stash")),
    # Without a tool name a command pattern looks at shells only.
    (COMMAND, ToolCall("mcp__tracker__create", {"text": "git stash"})),
    (COMMAND, ToolCall("Grep", {"pattern": "git stash"})),
    (COMMAND, ToolCall("Write", {"file_path": "/a", "content": "git stash"})),
    (COMMAND, ToolCall("apply_patch", {"command": "git stash"})),
    (COMMAND, edit("/a/git stash")),
    # Beside patterns the tools are a gate: neither alone is enough.
    (GATED, bash("ls")),
    (GATED, bash("")),
    (GATED, ToolCall("Grep", {"pattern": "git stash"})),
    (Rule(tools=("Bash",), path=patterns(r"\.py\Z")), edit("/a/b.py")),
    (Rule(tools=("Bash",), error=patterns("x")), bash("ls")),
    (Rule(tools=("Write",), content=patterns("x")), edit("/a", "x")),
    (TOOL, edit("/a")),
    (TOOL, ToolCall("BashOutput", {})),
    (Rule(tools=("PowerShell",)), bash("ls")),
    (Rule(tools=("NotebookEdit",)), edit("/a")),
    (SERVER, ToolCall("mcp__tracker__create", {"title": "later"})),
    (SERVER, ToolCall("mcp__tracker__create", {"urgent": "later"})),
    (SERVER, ToolCall("mcp__tracker__create_many", {"title": "urgent"})),
    (SERVER, bash("urgent")),
    # Each pattern only looks at what it is about.
    (PATHS, bash("cat a.py")),
    (PATHS, edit("/a/b.pyc")),
    (PATHS, edit("/a/b.txt", "b.py")),
    (CONTENT, bash("echo 'print(1)'")),
    (CONTENT, edit("/a/print(1)", "x = 1")),
    (CONTENT, ToolCall("Edit", {"file_path": "/a", "old_string": "print(1)", "new_string": 5})),
    # A path pattern is a gate for content patterns.
    (BOTH, edit("/a/b.py", "x = 1")),
    (BOTH, edit("/a/b.txt", "print(1)")),
    (BOTH, ToolCall("Read", {"file_path": "/a/b.py"})),
    (BOTH, ToolCall("Write", {"content": "print(1)"})),
    (COMMAND_OR_PATH, bash("cat a.py")),
    # Only the real start of an invocation counts there.
    (INVOCATION, bash("cat pytest.ini")),
    (INVOCATION, bash("pip install pytest")),
    (INVOCATION, bash("rg -n pytest src")),
    (INVOCATION, bash("git commit -m 'run pytest'")),
    (INVOCATION, bash("ls # pytest")),
    (INVOCATION, bash("cat <<X\npytest\nX")),
    (INVOCATION, bash("")),
    (Rule(command=patterns("--no-verify"), invocation=True), bash("git commit --no-verify")),
    # Code is what an interpreter gets, nothing else of the line.
    (SCRIPT, bash("yaml.load(x)")),
    (SCRIPT, bash("grep 'yaml.load(' x.py")),
    (SCRIPT, bash("cat <<E > x.py\nyaml.load(x)\nE")),
    (SCRIPT, bash("python x.py 'yaml.load(x)'")),
    (SCRIPT, bash("python -c 'yaml.load(x, Loader=y)'")),
    (SCRIPT, ToolCall("Write", {"file_path": "/a.py", "content": "yaml.load(x)"})),
    # A variable is no program.
    (Rule(command=patterns("python"), invocation=True), bash('python="3.12"')),
    (Rule(command=patterns("^python\\b"), invocation=True), bash("python=3.12 make")),
    (Rule(command=patterns("python"), invocation=True), bash("python+=x ls; export python=1")),
    # A veto sees the command with its options before the sub-command and without them.
    (Rule(command=patterns("git .*reset"), unless=patterns("-C /copy"), invocation=True), bash("git -C /copy reset")),
    (Rule(command=patterns("git "), unless=patterns("^git log"), invocation=True), bash("git --no-pager log")),
    (Rule(command=patterns("git reset"), invocation=True), bash("git -C reset log")),
    (Rule(command=patterns("git reset")), bash("git -C /repo reset")),
    # A redirection is no part of a command, nor a veto.
    (Rule(command=patterns("git stash >"), invocation=True), bash("git stash > out")),
    (Rule(command=patterns("git stash$"), invocation=True), bash("git stash 2>&1 -u")),
    # Errors are for calls that have failed, and such calls for errors.
    (ERROR, bash("echo no matches found")),
    (ERROR, bash("ls *.x", error="No such file")),
    (ERROR, bash("ls *.x", error="")),
    (COMMAND, bash("git stash", error="git stash failed")),
    (TOOL, bash("ls", error="x")),
    (PATHS, ToolCall("Read", {"file_path": "/a.py"}, error="/a.py is gone")),
    (Rule(tools=("Edit",), error=patterns("x")), bash("ls", error="x")),
    # What is shown at the start of a session is not shown at a call.
    (Rule(command=patterns("git stash"), session_start=True), bash("git stash")),
    (Rule(tools=("Bash",), session_start=True), bash("git stash")),
    # A veto is as strong as any pattern.
    (Rule(command=patterns("git stash"), unless=patterns("-u")), bash("git stash -u")),
    (Rule(command=patterns("git stash", "stash"), unless=patterns("-u")), bash("git stash -u")),
    (Rule(tools=("Bash",), unless=patterns("^ls")), bash("ls")),
    (Rule(tools=("Write",), unless=patterns("generated")), ToolCall("Write", {"file_path": "/a/generated.py"})),
    (Rule(tools=("Write",), unless=patterns("generated")), ToolCall("Write", {"content": "generated"})),
    (Rule(path=patterns(r"\.py\Z"), unless=patterns("test_")), edit("/a/test_b.py")),
    (Rule(content=patterns("print"), unless=patterns("noqa")), edit("/a", "print()  # noqa")),
    (Rule(path=patterns(r"\.py\Z"), content=patterns("print"), unless=patterns("test_")), edit("/test_a.py", "print")),
    (Rule(error=patterns("failed"), unless=patterns("expected")), bash("x", error="failed as expected")),
    (
        Rule(command=patterns("pytest"), unless=patterns("--no-header"), invocation=True),
        bash("cd x && FOO=1 python -m pytest --no-header"),
    ),
]


@table(("rule", "call"), QUIET)
def test_leaves_alone(rule: Rule, call: ToolCall) -> None:
    assert why_it_fires(rule, call) is None


FIRES = [
    (COMMAND, bash("git stash"), "commandPatterns[0]"),
    (COMMAND, bash("cd x && git stash pop"), "commandPatterns[0]"),
    (COMMAND, bash("echo 'git stash'"), "commandPatterns[0]"),
    (COMMAND, ToolCall("run_shell_command", {"command": "git stash"}), "commandPatterns[0]"),
    (COMMAND, ToolCall("shell", {"command": ["bash", "-lc", "git stash"]}), "commandPatterns[0]"),
    (COMMAND, ToolCall("shell", {"command": ["git", "stash"]}), "commandPatterns[0]"),
    (COMMAND, ToolCall("PowerShell", {"command": "git stash"}), "commandPatterns[0]"),
    (Rule(command=patterns("x", "stash")), bash("git stash"), "commandPatterns[1]"),
    (GATED, bash("git stash"), "commandPatterns[0]"),
    (Rule(tools=("Bash", "Grep"), command=patterns("stash")), ToolCall("Grep", {"pattern": "stash"}),
     "commandPatterns[0]"),
    (Rule(tools=("Glob",), command=patterns(r"^\*\*")), ToolCall("Glob", {"pattern": "**/*"}), "commandPatterns[0]"),
    (Rule(tools=("WebFetch",), command=patterns("^http:")), ToolCall("WebFetch", {"url": "http://a"}),
     "commandPatterns[0]"),
    (Rule(tools=("NotebookEdit",), command=patterns("^%pip")), ToolCall("NotebookEdit", {"new_source": "%pip"}),
     "commandPatterns[0]"),
    (SERVER, ToolCall("mcp__tracker__create", {"labels": [{"name": "urgent"}]}), "commandPatterns[0]"),
    (SERVER, ToolCall("@tracker/create", {"title": "urgent"}), "commandPatterns[0]"),
    # Not a shell: the whole text is searched, whatever a lesson says of invocations.
    (Rule(tools=("mcp__a__b",), command=patterns("b"), invocation=True), ToolCall("mcp__a__b", {"x": "a b"}),
     "commandPatterns[0]"),
    (INVOCATION, bash("pytest tests/"), "commandPatterns[0]"),
    (Rule(command=patterns("git stash$"), invocation=True), bash("git stash 2>&1"), "commandPatterns[0]"),
    (Rule(command=patterns("git stash$"), invocation=True), bash("cd x && git stash >/dev/null 2>&1 | cat"),
     "commandPatterns[0]"),
    (Rule(command=patterns("git stash >")), bash("git stash > out"), "commandPatterns[0]"),
    (Rule(command=patterns("^git reset --hard"), invocation=True), bash("sudo /usr/bin/git -C /repo reset --hard"),
     "commandPatterns[0]"),
    (Rule(command=patterns("git -C /repo reset"), invocation=True), bash("git -C /repo reset --hard"),
     "commandPatterns[0]"),
    (INVOCATION, bash("cd x && FOO=1 timeout 60 python -m pytest -q"), "commandPatterns[0]"),
    (INVOCATION, bash("bash -c 'pytest -q'"), "commandPatterns[0]"),
    (INVOCATION, bash("pytest=1 pytest"), "commandPatterns[0]"),
    (SCRIPT, bash("cd x && python3 -c 'import yaml; yaml.load(x)'"), "commandPatterns[0]"),
    (SCRIPT, bash("python - <<'E'\nimport yaml\nyaml.load(x)\nE"), "commandPatterns[0]"),
    (SCRIPT, bash("python -c 'yaml.load(x, Loader=y)'; python -c 'yaml.load(x)'"), "commandPatterns[0]"),
    (Rule(command=patterns("HUSKY=0 git"), invocation=True), bash("HUSKY=0 git commit"), "commandPatterns[0]"),
    (Rule(command=patterns("HUSKY="), invocation=True), bash("HUSKY=0 git commit"), "commandPatterns[0]"),
    (Rule(command=patterns("x", "timeout 60 pytest"), invocation=True), bash("timeout 60 pytest"),
     "commandPatterns[1]"),
    # A veto looks at one invocation: another one of the line still fires.
    (Rule(command=patterns("pytest"), unless=patterns("-q"), invocation=True), bash("pytest -q; pytest"),
     "commandPatterns[0]"),
    (Rule(command=patterns("git stash"), unless=patterns("-u")), bash("git stash"), "commandPatterns[0]"),
    (PATHS, edit("/a/b.py"), "pathPatterns[0]"),
    (PATHS, ToolCall("Read", {"file_path": "/a/b.py"}), "pathPatterns[0]"),
    (PATHS, ToolCall("Edit", {"file_path": "C:\\a\\b.py"}), "pathPatterns[0]"),
    (PATHS, ToolCall("apply_patch", {"command": PATCH}, cwd="/w"), "pathPatterns[0]"),
    (PATHS, ToolCall("read_many_files", {"paths": ["a.txt", "b.py"]}), "pathPatterns[0]"),
    (CONTENT, edit("/a", "print(1)"), "contentPatterns[0]"),
    (CONTENT, ToolCall("NotebookEdit", {"notebook_path": "/a", "new_source": "print(1)"}), "contentPatterns[0]"),
    (CONTENT, ToolCall("apply_patch", {"command": PATCH}), "contentPatterns[0]"),
    (BOTH, edit("/a/b.py", "print(1)"), "contentPatterns[0]"),
    (BOTH, ToolCall("apply_patch", {"command": PATCH}, cwd="/w"), "contentPatterns[0]"),
    (COMMAND_OR_PATH, bash("git stash"), "commandPatterns[0]"),
    (COMMAND_OR_PATH, edit("/a/b.py"), "pathPatterns[0]"),
    (Rule(tools=("Write",), path=patterns(r"\.py\Z")), ToolCall("apply_patch", {"command": PATCH}),
     "pathPatterns[0]"),
    (Rule(path=patterns(r"\.py\Z"), unless=patterns("test_")), ToolCall("Read", {"paths": ["test_a.py", "b.py"]}),
     "pathPatterns[0]"),
    (ERROR, bash("ls *.x", error="zsh: no matches found: *.x"), "errorPatterns[0]"),
    (ERROR, edit("/a"), None),
    (Rule(tools=("Bash",), error=patterns("x")), bash("ls", error="x"), "errorPatterns[0]"),
    (Rule(command=patterns("ls"), error=patterns("x")), bash("ls", error="x"), "errorPatterns[0]"),
    (Rule(command=patterns("ls"), error=patterns("x")), bash("ls"), "commandPatterns[0]"),
    (TOOL, bash("ls"), "toolNames"),
    (TOOL, bash(None), "toolNames"),
    (TOOL, ToolCall("Bash", None), "toolNames"),
    (TOOL, ToolCall("execute_bash", {}), "toolNames"),
    (Rule(tools=("Edit",)), ToolCall("NotebookEdit", {}), "toolNames"),
    (Rule(tools=("PowerShell",)), ToolCall("PowerShell", {}), "toolNames"),
    (Rule(tools=("mcp__a__b",)), ToolCall("mcp__a__b", []), "toolNames"),
    (Rule(tools=("Bash",), unless=patterns("^ls")), bash("cat"), "toolNames"),
    (Rule(tools=("Bash",), projects=("/shop",)), bash("ls", cwd="/shop/src"), "toolNames"),
]  # fmt: skip


@table(("rule", "call", "why"), FIRES)
def test_fires_and_says_why(rule: Rule, call: ToolCall, why: str | None) -> None:
    assert why_it_fires(rule, call) == why


@table(
    ("when", "holds"),
    [
        ({}, True),
        ({"os": ["linux"]}, False),
        ({"os": ["windows"]}, False),
        ({"os": ["macos"]}, True),
        ({"os": ["Darwin"]}, True),
        ({"os": ["osx", "linux"]}, True),
        ({"os": []}, False),
        ({"shell": ["bash"]}, False),
        ({"shell": ["zsh", "bash"]}, True),
        ({"agents": ["codex"]}, False),
        ({"agents": ["claude-code"]}, True),
        ({"models": ["haiku"]}, False),
        ({"models": ["claude-opus"]}, True),
        ({"models": ["haiku", "opus"]}, True),
        ({"os": ["macos"], "shell": ["bash"]}, False),
        ({"os": ["macos"], "weather": ["rain"]}, False),  # of a later version
        ({"weather": []}, False),
        ({"os": ["macos"], "shell": ["zsh"], "agents": ["claude-code"], "models": ["opus"]}, True),
    ],
)
def test_conditions_on_the_surroundings(when: dict[str, list[str]], holds: bool) -> None:
    call = bash("ls", operating_system="macos", shell="zsh", agent="claude-code", model="claude-opus-5")
    assert conditions_hold(when, call) is holds
    assert (why_it_fires(Rule(tools=("Bash",), when=when), call) is not None) is holds


@table("when", [{"os": ["macos"]}, {"shell": ["zsh"]}, {"agents": ["codex"]}, {"models": ["opus"]}])
def test_what_is_unknown_does_not_hold(when: dict[str, list[str]]) -> None:
    assert not conditions_hold(when, bash("ls"))


@table(
    ("projects", "cwd", "inside"),
    [
        (("/shop",), "/shopping", False),
        (("/shop",), "/", False),
        (("/shop",), "", False),
        (("/shop/api",), "/shop", False),
        (("/shop",), "/home/shop", False),
        ((), "", True),
        ((), "/anywhere", True),
        (("/shop",), "/shop", True),
        (("/shop/",), "/shop", True),
        (("/shop",), "/shop/", True),
        (("/shop",), "/shop/src/deep", True),
        (("/a", "/shop"), "/shop/src", True),
        (("/",), "/shop", True),
        (("C:/shop",), "C:\\shop\\src", True),
        (("C:\\shop",), "C:\\shop\\src", True),
        (("C:\\shop",), "C:\\shopping", False),
        (("C:\\shop",), "D:\\shop", False),
        (("C:\\shop",), "C:\\Shop", False),
        (("/odd\\name",), "/odd/name", False),
        (("c:\\shop\\",), "C:/shop/src", True),
        (("C:/shop",), "c:\\shop", True),
        (("\\\\server\\shop",), "\\\\server\\shop\\src", True),
    ],
)
def test_projects(projects: tuple[str, ...], cwd: str, inside: bool) -> None:
    assert in_project(projects, cwd) is inside


def test_systems_are_called_as_people_call_them() -> None:
    names = ("linux", "darwin", "win32", "cygwin", "freebsd14")
    assert [system_name(name) for name in names] == ["linux", "macos", "windows", "windows", "freebsd14"]


# In a text too long to be searched at once: what is not there, wherever the pieces begin and end.
ABSENT = [
    ("x$", "a" * 8191 + "x" + "b" * 5000),
    (r"x\Z", "a" * 8191 + "x" + "b" * 5000),
    (r"\Ax", "a" * 6144 + "x" * 9000),
    ("(?<!a)x", "a" * 6144 + "x" + "a" * 9000),
    (r"\bend\b", "weekend" * 3000),
    ("xy", "x" * 20_000),
    ("git [^|]*$", "git " + "a" * 9000 + " | cat"),
    ("pytest(?!.*--no-header)", "pytest " + "a" * 9000 + " --no-header"),
    ("(?s)\\A(?!.*Copyright)", "x = 1\n" * 2000 + "# Copyright\n"),
]


# And what is there, wherever the pieces meet.
PRESENT = [
    ("xy", "a" * 8191 + "xy" + "b" * 9000),
    ("(?<=x)y", "a" * 8191 + "xy" + "b" * 9000),
    ("x{2000}", "a" * 7000 + "x" * 2000 + "b" * 9000),
    ("(?m)^x", "a" * 8191 + "\nx" + "b" * 9000),
    ("(?m)x$", "a" * 8191 + "x\n" + "b" * 9000),
    ("b$", "a" * 20_000 + "b"),
    ("pytest(?!.*--no-header)", "pytest " + "a" * 9000 + "\n --no-header"),
    (r"(?<!\n)\Z", "a" * 20_000),
]


@table(("pattern", "text"), PRESENT)
def test_where_pieces_meet_nothing_is_missed(pattern: str, text: str) -> None:
    assert occurs(re.compile(pattern), text)


def test_the_very_end_of_a_text_is_looked_at() -> None:
    assert all(occurs(re.compile(r"(?<!\n)\Z"), "a" * 4096 * times) for times in range(1, 13))


@table(("pattern", "text"), ABSENT)
def test_the_end_of_a_piece_is_not_the_end_of_the_text(pattern: str, text: str) -> None:
    assert not occurs(re.compile(pattern), text)


@given(
    st.sampled_from(
        ["git push", r"\bgit\b", "(?m)^git", "git$", "(?i)GIT +push", "push|pull", r"(?<=\s)push\s", "[^a ]"]
    ),
    st.lists(st.tuples(st.integers(0, 9000), st.sampled_from(["git push", "git", "\ngit\n", "pull", "Git  push "]))),
    st.sampled_from(["a", "a ", "agit"]),
    st.integers(0, 9000),
)
@settings(max_examples=examples(80), deadline=None)
def test_a_long_text_is_searched_as_a_whole(
    pattern: str, parts: list[tuple[int, str]], filling: str, rest: int
) -> None:
    text = "".join((filling * 9000)[:length] + part for length, part in parts) + (filling * 9000)[:rest]
    assert occurs(re.compile(pattern), text) is (re.search(pattern, text) is not None)
