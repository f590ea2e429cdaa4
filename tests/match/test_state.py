"""Conditions on the machine's state: first where a lesson must stay quiet, then where it must fire."""

import re
from typing import Any

from lessons.match.call import ToolCall
from lessons.match.rule import Rule, why_it_fires
from lessons.match.state import AsWanted, KnownState, Verdict, filled, judge, names_in, values_here
from tests.tables import table

ROOT = "/p"
# A repository in /p; the calls run in /p/web unless told otherwise.
THERE = ("/p/.git", "/p/web/src/app.ts", "/p/api/main.py", "/p/README.md", "/p/web/old/web", "/home/me/notes")
YES, NO, UNKNOWN = "yes", "no", "unknown"


def world(**changes: Any) -> KnownState:
    programs = {"npx": True, "pytest": False}
    return KnownState(dict.fromkeys(THERE, True), programs, ROOT, **{"other_paths": False, **changes})


def rule(*patterns: str, folder: Any = (), **state: Any) -> Rule:
    compiled = tuple(map(re.compile, patterns))
    return Rule(command=compiled, invocation=True, state=state, folder=tuple(map(re.compile, folder)))


def bash(command: str, cwd: str = "/p/web", probe: object = None, **more: str) -> ToolCall:
    call = ToolCall("Bash", {"command": command}, cwd=cwd, **more)
    call.probe = probe or world()  # type: ignore[assignment]
    return call


def said(verdict: Verdict) -> str:
    return YES if verdict.why else UNKNOWN if verdict.is_unknown else NO


CD = rule(r"cd ([^-\s]\S*)", absent=["{1}"], present=["{above}/{1}"])
READ = rule(r"(?:cat|ls) (?P<paths>.+)", absent=["{paths}"], present=["{root}/{paths}"])
MISSING = rule(r"(?:pytest|npx)(?: |$)", missing=["pytest"])


@table(
    ("command", "verdict"),
    [
        ("cd src", NO),  # it is there
        ("cd nowhere", NO),  # it is nowhere
        ("cd ..", NO),
        ("cd /p/api", NO),
        ("cd src && cat app.ts", NO),
        ("cd $DIR", UNKNOWN),
        ("cd src*", UNKNOWN),
        ("cd ~me/x", UNKNOWN),
        ("cd $(git rev-parse --show-toplevel)", UNKNOWN),
        ("cd \"$PWD/api\"", UNKNOWN),
        ("(cd api)", UNKNOWN),
        ("cd api || true", UNKNOWN),
        ("cd api 2>/dev/null", UNKNOWN),
        ("mkdir api && cd api", UNKNOWN),
        ("[ -d api ] && cd api", UNKNOWN),
        ("ssh host 'cd api'", UNKNOWN),
        ("bash -c 'cd api'", UNKNOWN),
        ("for x in 1 2; do cd api; done", UNKNOWN),
        ("cd nowhere; cd api", UNKNOWN),  # nobody knows where the second one runs
        ("echo cd api", NO),
        ("cd api", YES),
        ("cd web", YES),  # the folder that the shell is in
        ("cd ./api", YES),
        ("cd api && ls", YES),
        ("echo first; cd api", YES),
        ("cd src; cd api", YES),
        ("cd src && cd api && make", YES),
        ("cd 'api'", YES),
    ],
)  # fmt: skip
def test_cd_to_a_folder_that_is_elsewhere(command: str, verdict: str) -> None:
    assert said(judge(CD, bash(command))) == verdict
    assert (why_it_fires(CD, bash(command)) is not None) is (verdict == YES)


@table(
    ("command", "verdict", "word"),
    [
        ("cat src/app.ts", NO, ""),
        ("cat nowhere", NO, ""),
        ("cat -n nowhere", NO, ""),
        ("cat", NO, ""),
        ("cat $X", UNKNOWN, ""),
        ("cat *.md", UNKNOWN, ""),
        ("docker exec box cat README.md", UNKNOWN, ""),
        ("ssh host cat README.md", UNKNOWN, ""),
        ("touch README.md; cat README.md", UNKNOWN, ""),
        ("cat README.md || true", UNKNOWN, ""),
        ("cat README.md", YES, "README.md"),
        ("cat -n src/app.ts api/main.py | head", YES, "api/main.py"),
        ("cat $X README.md", YES, "README.md"),
        ("cd src && cat api/main.py", YES, "api/main.py"),
        ("timeout 5 cat README.md", YES, "README.md"),
    ],
)
def test_words_of_a_group_are_tried_one_by_one(command: str, verdict: str, word: str) -> None:
    found = judge(READ, bash(command))
    assert said(found) == verdict
    assert found.values.get("paths", "") == word


RESET = rule(r"git reset (?:\S+ )*--hard", dirty=["tracked"])


@table(
    ("command", "dirty", "verdict"),
    [
        ("git reset --hard", (), NO),
        ("git reset --hard", ("untracked",), NO),
        ("git reset --soft", ("tracked",), NO),
        ("git fetch && git reset --hard", (), NO),
        ("git reset --hard", None, UNKNOWN),  # git gave no answer
        ("git -C ../other reset --hard", ("tracked",), UNKNOWN),  # another repository
        ("ssh host 'git reset --hard'", ("tracked",), UNKNOWN),
        ("docker exec c git reset --hard", ("tracked",), UNKNOWN),
        ("cd $DIR && git reset --hard", ("tracked",), UNKNOWN),
        ("git -C src reset --hard", (), NO),
        ("git -C $DIR reset --hard", ("tracked",), UNKNOWN),
        ("ssh host 'git -C src reset --hard'", ("tracked",), UNKNOWN),
        ("git -C src reset --hard", ("tracked",), YES),
        ("git fetch && git -C ./src reset --hard", ("tracked",), YES),
        ("git reset --hard", ("tracked",), YES),
        ("git fetch origin && git reset --hard origin/main", ("tracked", "untracked"), YES),
        ("cd src && git reset --hard", ("tracked",), YES),
    ],
)
def test_what_git_would_lose(command: str, dirty: tuple[str, ...] | None, verdict: str) -> None:
    call = bash(command, probe=world(dirty=dirty))
    assert said(judge(RESET, call)) == verdict
    assert (why_it_fires(RESET, call) is not None) is (verdict == YES)


@table(
    ("command", "verdict"),
    [
        ("npx tsc", YES),  # both patterns ask about the same program
        ("pytest -q", YES),
        ("echo pytest", NO),
        ("./venv/bin/pytest", UNKNOWN),
        ("python -m pytest", UNKNOWN),
        ("source venv/bin/activate && pytest", UNKNOWN),
        ("pip install pytest && pytest", UNKNOWN),
        ("PATH=venv/bin:$PATH pytest", UNKNOWN),
        ("which pytest && pytest", UNKNOWN),
        ("pytest || python -m pytest", UNKNOWN),
        ("docker run box pytest", UNKNOWN),
    ],
)
def test_missing_program(command: str, verdict: str) -> None:
    assert said(judge(MISSING, bash(command))) == verdict


@table(
    ("state", "verdict"),
    [
        ({"missing": ["npx"]}, NO),
        ({"missing": ["npx", "pytest"]}, NO),
        ({"missing": ["pytest", "unheard-of"]}, UNKNOWN),
        ({"missing": ["bin/pytest"]}, UNKNOWN),
        ({"absent": ["src"]}, NO),
        ({"absent": ["dist", "src"]}, NO),
        ({"present": ["dist"]}, NO),
        ({"present": ["src", "dist"]}, NO),
        ({"present": ["{root}/dist"]}, NO),
        ({"absent": []}, NO),  # a condition of the wrong type in a foreign file
        ({"present": ["{1}"]}, UNKNOWN),  # a group that the pattern lacks
        ({"present": ["//server/share"]}, UNKNOWN),
        ({"absent": ["\\\\server\\share"]}, UNKNOWN),
        ({"missing": ["pytest"], "absent": ["src"]}, NO),
        ({"missing": ["pytest"], "absent": ["dist"], "present": ["src", "{root}/api"]}, YES),
        ({"present": ["../api", "/p/README.md"]}, YES),
        ({"present": ["~/notes"]}, NO),  # this probe knows no such home
    ],
)
def test_conditions_are_combined(state: dict[str, list[str]], verdict: str) -> None:
    assert said(judge(rule("make", **state), bash("make test"))) == verdict


@table(
    ("cwd", "verdict"),
    [("/p", NO), ("/p/website", NO), ("/elsewhere/web", UNKNOWN), ("", UNKNOWN), ("web", UNKNOWN), ("/p/gone", UNKNOWN),
     ("/p/web", YES), ("/p/web/", YES), ("/p/web/src", YES)],
)  # fmt: skip
def test_folder_of_the_call(cwd: str, verdict: str) -> None:
    there = dict.fromkeys((*THERE, "/p/website/x", "/elsewhere/web"), True)
    probe = KnownState(there, {}, ROOT, other_paths=False)
    assert said(judge(rule("make", folder=(r"\A/web(?:/|\Z)",)), bash("make", cwd, probe))) == verdict


def test_folder_of_the_root_itself() -> None:
    assert said(judge(rule("make", folder=(r"\A/\Z",)), bash("make", "/p"))) == YES
    assert said(judge(rule("make", folder=(r"\A/\Z",)), bash("cd web && make", "/p"))) == NO
    assert said(judge(rule("make", folder=(r"\A/web\Z",)), bash("cd web && make", "/p"))) == YES


def test_without_a_probe_all_is_unknown() -> None:
    call = ToolCall("Bash", {"command": "cd api"}, cwd="/p/web")
    assert said(judge(CD, call)) == UNKNOWN
    assert why_it_fires(CD, call) is None


def test_other_conditions_come_first() -> None:
    elsewhere = rule(r"cd (\S+)", absent=["{1}"])
    elsewhere.projects = ("/q",)
    assert said(judge(elsewhere, bash("cd api"))) == NO
    vetoed = rule(r"cd (\S+)", absent=["{1}"])
    vetoed.unless = (re.compile("api"),)
    assert said(judge(vetoed, bash("cd api"))) == NO


def test_names_in_texts() -> None:
    assert judge(CD, bash("cd web")).values == {"1": "web", "folder": "/p/web", "root": "/p", "above": "/p"}
    nested = judge(CD, bash("cd src", "/p/web/old/web")).values
    assert nested["above"] == "/p/web"  # the nearest folder from which it would be right


@table(
    ("pattern", "command", "verdict"),
    [
        (r"cat (\S+)", "cat README.md", YES),
        (r"cat (\S+)", "cd .. && cat README.md", NO),
        (r"cat (\S+)", "cd ../api && cat README.md", YES),
        (r"cat (\S+)", "cat src/app.ts; cat README.md", YES),
        (r"cat (\S+)", "(cat README.md)", UNKNOWN),
        (r"cat (\S+)", "ls\r\ncat README.md", UNKNOWN),
        (r"cat (\S+)", "x" * 9000 + " cat README.md", YES),
    ],
)
def test_pattern_on_the_whole_line(pattern: str, command: str, verdict: str) -> None:
    whole = rule(pattern, absent=["{1}"], present=["{root}/{1}"])
    whole.invocation = False
    assert said(judge(whole, bash(command))) == verdict


def test_error_pattern() -> None:
    error = Rule(error=(re.compile(r"No module named '(\w+)'"),), state={"present": ["{root}/{1}"]})
    told = {"error": "ModuleNotFoundError: No module named 'api'"}
    assert said(judge(error, bash("python x.py", **told))) == YES
    assert said(judge(error, bash("cd old && python x.py", **told))) == UNKNOWN
    assert said(judge(error, bash("python x.py"))) == NO


def test_conditions_of_a_call_do_not_silence_the_error() -> None:
    """The error itself shows the state."""
    pathspec = (re.compile(r"pathspec '(.+)' did not match"),)
    told = {"error": "pathspec 'web/x' did not match any files"}
    for state in ({"absent": ["{1}"]}, {"missing": ["git"]}, {"present": ["{root}/no-such-file"]}):
        of_command = Rule(command=(re.compile(r"git add (\S+)"),), error=pathspec, state=state)
        assert said(judge(of_command, bash("cd old && git add web/x", **told))) == YES
    of_error = Rule(error=pathspec, state={"absent": ["{1}"], "present": ["{root}/no-such-file"]})
    assert said(judge(of_error, bash("git add web/x", **told))) == NO


def test_other_tools() -> None:
    writing = Rule(tools=("Write",), path=(re.compile("config"),), state={"absent": ["{root}/config.lock"]})
    call = ToolCall("Write", {"file_path": "/p/config.json", "content": ""}, cwd="/p/web")
    call.probe = world()
    assert said(judge(writing, call)) == YES
    any_use = Rule(tools=("Bash",), state={"present": ["src"]})
    assert [said(judge(any_use, bash(line))) for line in ("make", "cd src && make")] == [YES, UNKNOWN]


def test_start_of_a_session() -> None:
    start = Rule(session_start=True, state={"present": ["{root}/README.md"]})
    assert values_here(start, bash("", "/p/web")) == {"folder": "/p/web", "root": "/p"}
    assert values_here(start, bash("", "/elsewhere")) is None
    assert said(judge(start, bash("make"))) == NO


def test_probe_to_which_all_is_as_wanted() -> None:
    probe = AsWanted()
    for wanted in (CD, READ, MISSING, rule("make", folder=("x",))):
        command = {CD: "cd x", READ: "cat x", MISSING: "pytest"}.get(wanted, "make")
        assert said(judge(wanted, bash(command, probe=probe))) == YES
    assert said(judge(CD, bash("cd $X", probe=probe))) == UNKNOWN


def test_number_of_questions_is_bounded() -> None:
    class Counting(KnownState):
        asked = 0

        def exists(self, path: str) -> bool | None:
            Counting.asked += 1
            return super().exists(path)

    line = "cat " + " ".join(f"file{number}" for number in range(5000))
    judge(READ, bash(line, probe=Counting(dict.fromkeys(THERE, True), {}, ROOT, other_paths=False)))
    assert Counting.asked < 100


@table(
    ("text", "wanted"),
    [
        ("", []), ("{}", []), ("{a b}", []), ("{a,b}", []), ("{", []), ("}{", []), ("${x", []), ("{²}", []),
        ("{root}/{1}", ["root", "1"]), ("{{name}}", ["name"]), ("a{x}b{y}", ["x", "y"]),
    ],
)  # fmt: skip
def test_names(text: str, wanted: list[str]) -> None:
    assert names_in(text) == wanted


@table(
    ("text", "wanted"),
    [
        ("", ""), ("{unknown} {", "{unknown} {"), ("{a,b} ${x}", "{a,b} ${x}"), ("}{1}{", "}one{"),
        ("{1}{root}", "one{1}"),  # what a value says is not replaced again
        ("{{1}}", "{one}"),
    ],
)  # fmt: skip
def test_values(text: str, wanted: str) -> None:
    assert filled(text, {"1": "one", "root": "{1}"}) == wanted
