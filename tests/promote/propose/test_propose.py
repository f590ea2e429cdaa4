"""Proposed triggers: what must be refused or left alone, what is proposed, and what holds for any calls."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.model import Lesson, Triggers
from lessons.promote.intake.intake import check
from lessons.promote.propose.error import error_trigger, place_trigger
from lessons.promote.propose.mistake import Mistake
from lessons.promote.propose.propose import propose, propose_for
from lessons.promote.publish.entry import entry_of, start_warnings
from lessons.promote.publish.examples import rule_of
from tests.sizes import examples
from tests.tables import table


class Group(NamedTuple):
    name: str
    failures: Sequence[str]
    fixes: Sequence[str] = ()
    successes: Sequence[str] = ()
    error: str | None = None
    others: Sequence[str] = ()


def shell(command: str, error: str | None = None) -> ToolCall:
    return ToolCall("Bash", {"command": command}, error=error)


def calls(commands: Sequence[str]) -> list[ToolCall]:
    return [shell(command) for command in commands]


def proposed(group: Group) -> Triggers | None:
    failures = [shell(command, group.error) for command in group.failures]
    return propose(failures, calls(group.fixes), calls([*group.fixes, *group.successes]), calls(group.others)).triggers


def lesson_of(triggers: Triggers) -> Lesson:
    words = "A text that is long enough for intake."
    return Lesson(id="L1", slug="l-1", summary=words, problem=words, solution=words[::-1], triggers=triggers)


def fires(triggers: Triggers, call: ToolCall) -> bool:
    return why_it_fires(rule_of(entry_of(lesson_of(triggers)).entry), call) is not None


def assert_passes_intake(triggers: Triggers) -> None:
    lesson = lesson_of(triggers)
    assert check(lesson) == ([], [])
    published = entry_of(lesson)
    assert published.left_out == []
    assert start_warnings(lesson, published.entry) == []


REFUSED = [
    Group("nothing failed", []),
    Group("the same call also worked", ["lamp on"], [], ["lamp on"] * 30),
    Group("only the path differs", ["lamp read a/b.txt"], ["lamp read c/d.txt"], ["lamp read e.txt"] * 5),
    Group("only a number differs", ["lamp dim 300"], ["lamp dim 100"], ["lamp dim 20"] * 5),
    Group("only a hash differs", ["git show 1f2e3d4c5b"], ["git show 9a8b7c6d5e"], ["git show HEAD"] * 5),
    Group("only the commit message differs", ['git commit -m "One thing"'], ['git commit -m "Other"']),
    Group("only the branch differs", ["git push origin fix/one-thing"], ["git push origin fix/other-thing"]),
    Group("only the order differs", ["lamp run hall -p 8"], ["lamp run -p 8 hall"], [], 'exec: "-p": cannot be run'),
    Group("and an option more", ["lamp run hall -p 8"], ["lamp run -d -p 8 hall"], [], 'exec: "-p": cannot be run'),
    Group("the order of options", ["lamp -i a -s 3"], ["lamp -s 3 -i a"], [], "lamp: -s cannot be applied to it"),
    Group("a step was missing", ["make deploy"] * 3, ["make deploy"], ["make deploy"] * 9),
    Group("one failure, no fix", ["lamp read --loud x.txt"], [], ["lamp read y.txt"]),
    Group("the fix only goes on", ["git rebase topic"], ["git rebase --continue"]),
    Group("a filter behind the pipe", ["lamp read | head -5"], ["lamp read --all"], ["lamp read | wc -l"] * 5),
    Group("a word of the output", ["lamp grep colour x"], [], ["lamp grep size"] * 5, "the colour is in x.txt"),
    Group("a change of folder", ["lamp read src/a.txt"], ["cd /srv/app && lamp read src/a.txt"], ["lamp read b"] * 9),
    Group("a line that only prepares", ["cd /srv/app"] * 2, ["cd /srv/other"]),
    Group("a program that is there", ["lux a.txt"], ["cat a.txt"]),
    Group("a program without sub-commands", ["curl x.org/a"], ["curl -L x.org/a"], ["curl -L x.org/b"] * 9),
    Group("one failure that nothing speaks for", ["lamp glow"]),
    Group("what cleared the way", ["rm -rf out && lamp glow"], [], ["rm -rf tmp"] * 9, "lamp: out of oil"),
    Group("a hook got round", ["git commit -m x"], ["git commit -n -m x"], [], "Please run `lamp gen` first"),
    Group("a hook switched off", ["git commit -m x"], ["HUSKY=0 git commit -m x"], [], "subject may not be empty"),
    Group("a protected branch", ["git push origin main"], ["git push --force origin main"], [], "rejected"),
    Group("a folder", ["rm build"], ["rm -rf build"], [], "rm: build: is a directory"),
    Group("a certificate", ["curl https://a.test/x"], ["curl -k https://a.test/x"], [], "curl: (60) SSL certificate"),
    Group("what is lost", ["git reset HEAD~1 x.py"], ["git reset --hard HEAD~1"], [], "error: cannot do this"),
    Group("the system's own", ["pip install lamp"], ["pip install --break-system-packages lamp"], [], "error: managed"),
    Group("what is there", ["npm publish"], ["npm publish --force"], [], "npm error cannot publish over it"),
]


@table("group", REFUSED)
def test_nothing_is_proposed_where_nothing_tells(group: Group) -> None:
    proposal = propose([shell(c, group.error) for c in group.failures], calls(group.fixes), calls(group.successes))
    assert proposal.triggers is None
    assert proposal.reason.endswith(".")


QUIET = [
    Group(
        "a dropped flag", ["gh pr diff 12 --stat"], ["gh pr diff 12 --name-only", "gh pr diff 3", "gh pr view --stat"]
    ),
    Group("a longer flag", ["lamp list --name x"], ["lamp list --name-only x", "lamp list --names"]),
    Group("a wrapper", ["rtk lamp run a"], ["lamp run a", "rtk git status", 'echo "rtk lamp run"']),
    Group(
        "a missing tool",
        ["lux a.txt"],
        ["cat lux", "luxury a.txt", "pip install lux"],
        error="zsh: command not found: lux",
    ),
    Group("another version", ["python a.py"], ["python3 a.py", "which python"], error="sh: 1: python: not found"),
    Group(
        "a text between backquotes",
        ['lamp note "uses `lux` now"'],
        ["lamp note 'uses `lux` now'", r'lamp note "uses \`lux\` now"', "lux --version"],
        error="zsh: command not found: lux",
    ),
    Group(
        "another part of a workspace",
        ["pnpm add lux", "pnpm add bulb"],
        ["pnpm add -w lux", "pnpm --filter web add lux", "pnpm -C packages/web add lux", "pnpm install"],
        error="ERR_PNPM  This adds the dependency to the workspace root: make that explicit with -w",
    ),
    Group(
        "another verb for the same things",
        ["lamp house rooms list --zone a", "lamp house rooms list --zone b"],
        ["lamp house rooms list --zones a", "lamp house rooms describe hall --zone a"],
        error="ERROR: unrecognized arguments: --zone (did you mean '--zones'?)",
    ),
    Group("no such sub-command", ["lamp frob a"], ["lamp list a", "echo lamp frob", "lamp frobnicate a"]),
]


@table("group", QUIET)
def test_a_proposal_leaves_alone_what_looks_alike(group: Group) -> None:
    failures, quiet = [shell(command, group.error) for command in group.failures], calls(group.fixes)
    found = propose(failures, quiet[:1], quiet)
    assert found.triggers is not None
    assert found.spared == 1
    assert [call.command for call in quiet if fires(found.triggers, call)] == []


OTHERS = [f"lamp read file{number}.txt" for number in range(30)]
PROPOSED = [
    (
        Group("dropped flag", ["gh pr diff 12 --stat", "gh pr diff 7 --stat | cat"], ["gh pr diff 12 --name-only"]),
        (r"^gh pr diff\b.*\s--stat\b", ""),
    ),
    (Group("added flag", ["lamp read x.txt"], ["lamp read --safe x.txt"]), (r"^lamp read\b", r"\s--safe\b")),
    (Group("wrapper", ["rtk lamp read a.txt"], ["lamp read a.txt"], OTHERS), (r"^rtk lamp read\b", "")),
    (
        Group("wrapper missing", ["lamp read a.txt"], ["uv run lamp read a.txt"], ["uv run lamp read b.txt"] * 5),
        (r"(?:^|[;&|(\n] *)lamp read\b", ""),
    ),
    (
        Group("missing tool", ["lux a", "cd /x && lux b"], ["cat a"], [], "bash: line 1: lux: command not found"),
        (r"^lux\b", ""),
    ),
    (Group("program replaced", ["python a.py"], ["python3 a.py"], [], "python: command not found"), (r"^python\b", "")),
    (
        Group("missing wrapper", ["rtk lamp read a", "rtk fuse b"], ["lamp read a"], [], "command not found: rtk"),
        (r"^rtk\b", ""),
    ),
    (Group("no such sub-command", ["lamp frob a.txt"], ["lamp list a.txt"], OTHERS), (r"^lamp frob\b", "")),
    (Group("flag first", ["lamp -C /srv/a read x.txt"], ["lamp read x.txt"], OTHERS), (r"^lamp -C \S+ read\b", "")),
    (
        Group("glob", ["lamp read *.md", "lamp read docs/*.md"], ["lamp read README.md"], OTHERS),
        (r"""(?:^|[;&|(\n] *)lamp read\b[^'"|;&\n]*\*""", ""),
    ),
    (
        Group("quoting", ["lamp read -q 'a != b'", "lamp read -q 'c != 4'"], ["lamp read -q 'a == b'"], OTHERS),
        (r"(?:^|[;&|(\n] *)lamp read\b[^\n]*!=", ""),
    ),
    (
        Group("host", ["curl http://old.example.org/a"], ["curl http://new.example.org/a"], ["curl x.org/b"] * 5),
        (r"^curl\b.*\s\S*old\.example\.org(?![\w.-])", ""),
    ),
    (
        Group("folder", ["lamp add a.txt dist/b.css", "lamp add dist/c/d.css"], ["lamp add a.txt"], ["lamp add c"]),
        (r"^lamp add\b.*\sdist/", ""),
    ),
    (
        Group("two words", ["lamp add -a -b x", "lamp add -a -b y"], ["lamp add -a x"], ["lamp add -b z"]),
        (r"^lamp add\b.*\s-a\b.*\s-b\b", ""),
    ),
    (
        Group("moved with `--`", ["kubectl exec web ls -n a"], ["kubectl exec -n a web -- ls"], [],
              "Exit code 2\nls: unrecognized option: n\ncommand terminated with exit code 1"),
        (r"^kubectl exec\b.*\sls\b.*\s-n\b", ""),
    ),
    (
        Group("named value", ["lamp set -f x=true"], ["lamp set -F x=1"], ["lamp set -f y=2"], '"true" is not a word'),
        (r"^lamp set\b.*\s\S+=true\b", ""),
    ),
    (
        Group("cleared before", ["rm -rf out && lamp run glow"], ["lamp run shine"], [], 'lamp: missing script "glow"'),
        (r"^lamp run glow\b", ""),
    ),
    (
        Group("copied before", ["cp a.env .env && lamp glwo"], ["cp a.env .env && lamp glow"], [], "no command glwo"),
        (r"^lamp glwo\b", ""),
    ),
    (
        Group("made before", ["touch a && pip install --usr x"], ["pip install --user x"], [], "no such option: --usr"),
        (r"^pip install\b.*\s--usr\b", ""),
    ),
    (
        Group("pulled before", ["git pull && npx lamp --oot x"], ["npx lamp --out x"], [], "unknown option '--oot'"),
        (r"^lamp\b.*\s--oot\b", ""),
    ),
    (
        Group("staged before", ["git add -A && git commit --signof"], ["git commit -s"], [], "unknown option `signof'"),
        (r"^git commit\b.*\s--signof\b", ""),
    ),
    (
        Group("the set-up itself", ["cp -Z a b && lamp glow"], ["cp a b"], [], "cp: illegal option -- Z"),
        (r"^cp\b.*\s-[A-Za-z]*Z", ""),
    ),
    (
        Group("a number in it", ["sky s3api make x"], ["sky s3api make --at eu x"], others=["sky s3 ls"] * 3),
        (r"^sky s3api make\b", r"\s--at\b"),
    ),
    (
        Group("a target", ["make web"], ["make -C services/api web"], others=["make test"] * 3),
        (r"^make web\b", r"\s-C\b"),
    ),
    (
        Group("beside an option", ["lamp -av --dir-x a"], ["lamp -av --dir a"], OTHERS, "lamp: unknown option --dir-x"),
        (r"^lamp\b.*\s--dir-x\b", ""),
    ),
    (
        Group("file ending", ["lamp src/a.ts"], ["npx lux src/a.ts"], ["lamp src/b.js"] * 5, 'Unknown ending ".ts"'),
        (r"^lamp\b.*\s\S+\.ts\b", ""),
    ),
    (
        Group("leading dash", ['rg -n "- a" b'], ['rg -n "a" b'], ['rg -n "c" b'], "rg: unrecognized flag -"),
        (r"""(?:^|[;&|(\n] *)rg\b[^'"|;&\n]*["']--? """, ""),
    ),
    (
        Group("all below", ["lamp -l ./a/b/..."], ["lamp -l a"], ["lamp -l c"] * 5, "stat ./a/b/...: no such file"),
        (r"^lamp\b.*\s\S*/\.\.\.", ""),
    ),
    (
        Group("a lock that is gone", ["rm .git/a.lock && git pull"], ["git pull", "rm -f .git/a.lock && git pull"],
              ["rm b.txt && ls"] * 3, "rm: .git/a.lock: No such file or directory"),
        (r"""(?:^|[;&\n] *)rm (?!-\w*f)[^;&|\n]*\.lock[\"']? *&&""", ""),
    ),
    (
        Group("url with brackets", ["curl -s x.org/a?b[]=1"], ["curl -sg 'x.org/a?b[]=1'"], [], "bad range in URL"),
        (r"""(?:^|[;&|(\n] *)curl\b[^'"|;&\n]*\[""", ""),
    ),
    (
        Group("ran a text", ['lamp find "a|to `lux`, b"'], ["lamp find 'a|to `lux`, b'"], [], 'zsh:1: unmatched "'),
        (r"""(?:^|[;&|(\n] *)lamp find\b[^'|;&\n]*"[^"'\n]*(?<!\\)`""", ""),
    ),
    (
        Group("blamed command", ["lamp read x | cat -A"], ["lamp read x | od -c"], OTHERS, "cat: illegal option -- A"),
        (r"^cat\b.*\s-[A-Za-z]*A", ""),
    ),
]  # fmt: skip


@table(("group", "expected"), PROPOSED)
def test_the_simplest_pattern_is_proposed(group: Group, expected: tuple[str, str]) -> None:
    triggers = proposed(group)
    assert triggers is not None
    assert (triggers.command_patterns, triggers.unless) == ([expected[0]], [expected[1]] if expected[1] else [])
    assert all(fires(triggers, call) for call in calls(group.failures))
    assert_passes_intake(triggers)


def test_an_option_that_another_command_takes_over_is_named_in_its_error() -> None:
    said = "Select-Lamp: A parameter cannot be found that matches parameter name '{}'."
    failure = ToolCall("PowerShell", {"command": "Select-Lamp lux -Deep"}, error=said.format("Deep"))
    fix = ToolCall("PowerShell", {"command": "Get-Lamp -Deep | Select-Lamp lux"})
    triggers = propose_for(Mistake([failure], [fix], successes=[fix], kind="wrong-flag")).triggers
    assert triggers is not None
    assert re.search(triggers.error_patterns[0], said.format("Deep"))
    assert not re.search(triggers.error_patterns[0], said.format("Other"))


def test_what_fires_on_other_calls_of_the_program_is_refused() -> None:
    failures, fixes = calls(["lamp read --all a", "lamp read --all b"]), calls(["lamp read a"])
    others = calls([f"lamp list {number} && lamp read --all x" for number in range(3)] + ["lamp dim 3"] * 20)
    assert propose(failures, fixes, fixes).triggers is not None
    assert propose(failures, fixes, fixes, others[3:]).triggers is not None
    assert propose(failures, fixes, fixes, others).triggers is None


@table(
    ("error", "fix", "scope"),
    [
        ('Error: lamps "web" not found', "lamp logs web -n shop", "project"),
        ("You must specify a room", "lamp logs web --room shop", "global"),
        ("lamp: it went wrong", "lamp logs web --follow", "global"),
    ],
)
def test_a_value_that_no_error_asks_for_is_of_one_project(error: str, fix: str, scope: str) -> None:
    failures, good = [shell("lamp logs web", error)], calls(["lamp list"])
    found = propose_for(Mistake(failures, [shell(fix)], (), good, kind="wrong-flag", projects=["/srv/shop"]))
    assert (found.acts_at, found.scope.type) == ("call", scope)


def test_without_a_remedy_only_what_the_error_calls_wrong_is_met_at_the_call() -> None:
    said = 'For the property draft, "true" is not a boolean'
    value = [shell(f"lamp api rooms/{number} -f draft=true", said) for number in (1, 2)]
    option = [shell(f"lamp api rooms/{number} --drft", "unknown flag: --drft") for number in (1, 2)]
    good = calls([f"lamp api rooms/{number}" for number in range(9)])
    for failures, at_call in ((value, "error"), (option, "call")):
        assert propose_for(Mistake(failures, successes=good, has_remedy=False)).acts_at == at_call
        assert propose_for(Mistake(failures, successes=good)).acts_at == "call"


def test_what_works_more_often_than_it_fails_is_refused() -> None:
    failures, fixes = calls(["lamp -C /a read x", "lamp -C /a read y"]), calls(["lamp read x"])
    failures = [shell(call.command or "", "unexpected argument '-C' found") for call in failures]
    good, others = calls(["lamp -C /a read z"] * 2 + ["lamp read z"] * 60), calls(["lamp -C /a list"] * 2)
    rest = calls(["lamp list"] * 60)
    wide = propose(failures, fixes, good, rest).triggers
    narrow = propose(failures, fixes, good, [*others, *rest]).triggers
    assert wide is not None
    assert narrow is None or not any(fires(narrow, call) for call in others)


def test_it_tells_how_much_is_caught_and_spared() -> None:
    failures = calls([f"lamp add --old file{number}" for number in range(9)] + ["lamp add file"])
    successes = calls([f"lamp add file{number}" for number in range(99)] + ["lamp add --old file"])
    found = propose(failures, [], successes)
    assert found.triggers is not None
    assert found.triggers.command_patterns == [r"^lamp add\b.*\s--old\b"]
    assert (found.caught, found.spared, found.reason) == (0.9, 0.99, "")


def test_of_many_failures_some_are_looked_at_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Mistake] = []
    alone = Mistake.alone

    def counted(mistake: Mistake, place: int) -> Mistake:
        asked.append(mistake)
        return alone(mistake, place)

    monkeypatch.setattr(Mistake, "alone", counted)
    words = [("warm", "wram"), ("cold", "cldo"), ("blue", "bleu")]
    failures = [shell(f"lamp dim {wrong} {n}", f"lamp: no '{wrong}'") for n in range(70) for _, wrong in words]
    found = propose_for(Mistake(failures, successes=calls([f"lamp dim {good} 1" for good, _ in words] * 9)))
    assert len(asked) < 50
    assert found.triggers is not None
    assert sum(fires(found.triggers, shell(call.command or "")) for call in failures) == len(failures)


def tool(**arguments: object) -> ToolCall:
    return ToolCall("mcp__lamp__shine", arguments)


def test_a_tool_is_not_proposed_where_it_also_worked() -> None:
    assert propose([tool(level=1), tool(level=2)], [], [tool(level=3)]).triggers is None
    assert propose([tool(text="a b c")], [tool(text="d e f")], [tool(text="g")]).triggers is None
    assert propose([tool(mode="warm"), shell("lamp shine")], [], []).triggers is None


def test_arguments_of_a_tool() -> None:
    by_value = propose([tool(mode="warm", ref="e1")], [tool(mode="cold", ref="e1")], [tool(mode="blue")] * 5)
    by_place = propose([tool(paths=["/tmp/a.txt"]), tool(paths=["/tmp/b"])], [tool(paths=["/srv/app/a.txt"])], [])
    never = propose([tool(mode="warm"), tool(mode="cold")], [], [])
    for proposal, patterns in ((by_value, ["^warm$"]), (by_place, ["^/tmp/"]), (never, [])):
        assert proposal.triggers is not None
        assert proposal.triggers.tool_names == ["mcp__lamp__shine"]
        assert proposal.triggers.command_patterns == patterns
        assert_passes_intake(proposal.triggers)


PLAIN = (
    "lamp rtk uv run git -C add read --stat --name-only -a x=true *.md 'a != b' \"$X\" src/a.txt 12 && | ; ( ` ' $( é"
)
ODD = ["", "\\", "\n", "http://a.example/b", "^", "[", "\x00", "lamp.add+x"]
WORDS = st.sampled_from([*PLAIN.split(" "), *ODD])
COMMANDS = st.lists(WORDS, max_size=8).map(" ".join)
ERRORS = st.one_of(st.none(), st.text(max_size=60), st.just("unknown option --stat"))


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(COMMANDS, max_size=4), st.lists(COMMANDS, max_size=3), st.lists(COMMANDS, max_size=12), ERRORS)
def test_any_commands(failing: list[str], fixing: list[str], working: list[str], error: str | None) -> None:
    failures = [shell(command, error) for command in failing]
    fixes, successes = calls(fixing), calls([*fixing, *working])
    found = propose(failures, fixes, successes)
    if found.triggers is None:
        assert found.reason
        return
    hits = sum(fires(found.triggers, call) for call in successes)
    caught = [call for call in calls(failing) if fires(found.triggers, call)]
    assert not any(fires(found.triggers, call) for call in fixes)
    assert len(caught) >= 0.9 * len(failures)
    assert hits <= 0.05 * len(successes)
    assert found.caught == len(caught) / len(failures)
    assert not fires(found.triggers, shell("whoami"))
    assert_passes_intake(found.triggers)


def powershell(command: str, error: str | None = None) -> ToolCall:
    return ToolCall("PowerShell", {"command": command}, error=error)


@table(
    ("command", "said", "fix", "pattern"),
    [
        ("lamp on && lamp dim", "The token '&&' is not a valid statement separator", "lamp on; lamp dim", "&&"),
        (
            "LUX=7 lamp on",
            "LUX=7 : The term 'LUX=7' is not recognized as the name of a cmdlet",
            "$env:LUX=7; lamp on",
            r"^\s*[A-Za-z_]\w*=\S* +\S",
        ),
    ],
)
def test_signs_that_only_powershell_does_not_know(command: str, said: str, fix: str, pattern: str) -> None:
    good = calls([command.replace("lamp", "lux"), "lamp on"]) * 3
    found = propose([powershell(command, said)], [powershell(fix)], good)
    assert found.triggers is not None
    assert (found.triggers.tool_names, found.triggers.command_patterns) == (["PowerShell"], [pattern])
    assert fires(found.triggers, powershell(command))
    assert not fires(found.triggers, shell(command))
    assert propose([shell(command, said)], [shell(fix)], []).triggers != found.triggers


@table(
    ("command", "said", "pattern"),
    [
        ("lamp a.txt", "lamp: /srv/a.txt: Permission denied", ""),
        ("cat /srv/a.txt", "cat: /srv/a.txt: No such file or directory", ""),
        ("lamp on", "fuse: No such file or directory", ""),
        ("rm /srv/a.lock && lamp", "rm: /srv/a.lock: No such file or directory",
         r"\brm: [^\n]*: No such file or directory"),
        ("./lux on", "bash: line 1: ./lux: Permission denied", r"(?<![\w/.-])\./lux: Permission denied"),
        ("make -C lib/lux", "make: *** lib/lux: No such file or directory.  Stop.",
         r"(?<![\w/.-])lib/lux: No such file or directory"),
    ],
)  # fmt: skip
def test_what_the_system_says_of_any_file_tells_with_the_file(command: str, said: str, pattern: str) -> None:
    triggers = place_trigger([shell(command, said)])
    assert (triggers.error_patterns if triggers else []) == ([pattern] if pattern else [])


NO_ERROR_TRIGGER = [
    [],
    [""],
    ["Exit code 1"],
    ["Exit code 1\nError"],
    ["cat: /srv/a.txt: No such file or directory"],
    ["Exit code 2\nlamp: no bulb in the socket", "Exit code 2\nfuse: cannot find the current"],
    ["Warning: this cannot be what you want"],
    ["Unknown setting 'lux' for the lamp. This property will be ignored."],
    ["error: found 3 error"],
    ['ERROR:  syntax error at or near "lux"'],  # any statement may be wrong in this way
    ["The term 'lux' is not recognized as the name of a cmdlet, function, script file, or operable program."],
    ["the bulb of the lamp in the hall\nthe socket of the lamp in the kitchen"],  # no line tells more than another
    ["\x1b[31m" * 2000],
    ['{"a": {"b": 1}}'],
    ['  File "<string>", line 1\n    for x in y print(x)\n             ^^^^^\nSyntaxError: invalid syntax'],
    ["SyntaxError: invalid syntax. Perhaps you forgot a comma?", "SyntaxError: invalid syntax"],
    ["\x1b[31merror\x1b[39m: \x1b[1mcould not compile\x1b[0m `lamp` due to previous error"],
]


@table("errors", NO_ERROR_TRIGGER)
def test_an_error_that_says_too_little(errors: list[str]) -> None:
    assert error_trigger(errors) is None


@table(
    ("errors", "pattern"),
    [
        (["Exit code 1\nunknown flag: --stat"], "unknown flag: --stat"),
        (["zsh: command not found: lux"], "zsh: command not found: lux"),
        (["ERROR: usage: lamp [options] [a_file] [more_files]\nlamp: error: unrecognized arguments: -n"],
         "lamp: error: unrecognized arguments: -n"),
        (["Exit code 3\nlamp: bulb '40W' is not in socket 7"], r"lamp: bulb .+ is not in socket"),
        (["a: 1\nlamp: cannot read /srv/a by day", "lamp: cannot read /b by day\n"], r"lamp: cannot read \S+ by day"),
        (["Blocked: sleep 180 followed by: lamp list 'a'. Do not do this"], r"Blocked: sleep \S+ followed by:"),
        # The innermost layer names the cause, however long the line is.
        (["lampd: cannot light the room: cannot create the bulb: cannot create the thread of the bulb: cannot start its"
          ' process: exec: "--dim": executable file not found in the hall'],
         "cannot create the thread of the bulb: cannot start its"
         r' process: exec: "--dim": executable file not found in the hall'),
        # An option in quotes stays one, an argument none, and a keyword of a shell itself.
        (["error: unexpected argument 'lux' found here"], "error: unexpected argument '[^-].*' found here"),
        (["error: unexpected argument '--lux' found here"], "error: unexpected argument '--lux' found here"),
        (["error: cannot run '--lux' as a program"], "error: cannot run '--lux' as a program"),
        (["error: cannot run '--lux=7' as a program"], "error: cannot run '-.+ as a program"),
        (["lamp version 6.1 Copyright (c) the developers of it: no error\nthe bulb of this lamp exists already"],
         "the bulb of this lamp exists already"),
        (["lamp version 6.1 (build 7) is installed here\nthe bulb of this lamp exists already"],
         "the bulb of this lamp exists already"),
        (["Bulb version 3.8 is not supported by this lamp, use 3.11 or later"],
         r"Bulb version \S+ is not supported by this lamp, use \S+ or later"),
        (["flag provided but not defined: -lux\nthe manual of it has more"],
         "flag provided but not defined: -lux"),
        (['sh: 1: Syntax error: "do" unexpected in this line'], 'Syntax error: "do" unexpected in this line'),
        # No usual word of an error, but nothing else was said.
        (["ERR_LAMP  Running this command will add the bulb to the root of the house, which might surprise you"],
         "ERR_LAMP  Running this command will add the bulb to the root of the house, which might surprise you"),
        (["lamp: cannot dim the light in this house - if you do not want to see this warning again, set quiet"],
         "cannot dim the light in this house - if you do not want to see this warning again, set quiet"),
        (["zsh: no matches found: .[dev]", "(eval):1: no matches found: a?b"], "no matches found"),
        # Colour codes are part of the text that a hook sees.
        (["\x1b[31m│\x1b[0m \x1b[1mError: \x1b[0m\x1b[1mInconsistent lamp and bulb file\x1b[0m"],
         "Inconsistent lamp and bulb file"),
        # The line that says most, not the one that sums up.
        (["lamp: The bulbs were given after any of the rooms\nlamp: Exiting with failure status due to errors"],
         "The bulbs were given after any of the rooms"),
        # No line is the same in both, but one has the other inside.
        (["lux: Could not resolve to a room with the name 'a'",
          "Lamp: Could not resolve to a room with the name 'b' (1)"],
         "Could not resolve to a room with the name"),
        (["<tool_use_error>No such tool: shine (try help)</tool_use_error>"], r"No such tool: shine \(try help\)"),
    ],
)  # fmt: skip
def test_the_line_that_errors_share(errors: list[str], pattern: str) -> None:
    triggers = error_trigger(errors)
    assert triggers is not None
    assert triggers.error_patterns == [pattern]
    assert all(fires(triggers, shell("lamp", error)) for error in errors)
    assert_passes_intake(triggers)


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(
        st.text(alphabet="ab '\"./\\[](){}*+?|^$0\n\x1b<>é:-", max_size=80).map(lambda t: f"cannot do this {t}"),
        min_size=1,
        max_size=3,
    )
)
def test_any_errors(errors: list[str]) -> None:
    triggers = error_trigger(errors)
    if triggers is not None:
        assert sum(fires(triggers, shell("lamp", error)) for error in errors) >= 0.9 * len(errors)
        assert_passes_intake(triggers)
