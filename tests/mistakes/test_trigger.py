"""Proposed triggers: first what must not be proposed, then what is, and what holds for any calls."""

import re
import time
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.match.call import ToolCall
from lessons.match.rule import why_it_fires
from lessons.mistakes.good_calls import GoodCalls
from lessons.mistakes.patterns import patterns_of
from lessons.mistakes.trigger import Group, Proposal, propose
from lessons.model import Lesson, Triggers
from lessons.promote.intake import check
from lessons.promote.publish.entry import entry_of, start_warnings
from lessons.promote.publish.examples import rule_of
from lessons.promote.publish.slow import find_danger
from tests.sizes import examples
from tests.tables import table


class Case(NamedTuple):
    name: str
    failures: Sequence[str]
    fixes: Sequence[str] = ()
    good: Sequence[str] = ()
    error: str = "it failed"


def shell(command: str, error: str | None = None) -> ToolCall:
    return ToolCall("Bash", {"command": command}, error=error)


def proposed(case: Case, projects: Sequence[str] = (), is_here: bool = False) -> Proposal:
    good = GoodCalls.of_calls(map(shell, [*case.fixes, *case.good]))
    failures = [shell(command, case.error) for command in case.failures]
    group = Group(failures, [shell(command) for command in case.fixes], good, projects)
    return propose(group, is_here=lambda program: is_here)


def lesson_of(triggers: Triggers) -> Lesson:
    words = "A text that is long enough for intake."
    return Lesson(id="L1", slug="l-1", summary=words, problem=words, solution=words[::-1], triggers=triggers)


def fires(triggers: Triggers, call: ToolCall) -> bool:
    return why_it_fires(rule_of(entry_of(lesson_of(triggers)).entry), call) is not None


def assert_passes_intake(triggers: Triggers) -> None:
    lesson = lesson_of(triggers)
    assert check(lesson) == ([], [])
    published = entry_of(lesson, find_danger)
    assert published.left_out == []
    assert start_warnings(published.entry) == []


NOTHING_AT_THE_CALL = [
    Case("nothing failed", []),
    Case("the same call also worked", ["lamp on"], [], ["lamp on"] * 30),
    Case("the option also worked", ["lamp on --all", "lamp on --all x"], ["lamp on"], ["lamp on --all"] * 3),
    Case("only the path differs", ["lamp read a/b.txt"], ["lamp read c/d.txt"], ["lamp read e.txt"] * 5),
    Case("only a number differs", ["lamp dim 300"], ["lamp dim 100"], ["lamp dim 20"] * 5),
    Case("only a hash differs", ["git show 1f2e3d4c5b"], ["git show 9a8b7c6d5e"], ["git show HEAD"] * 5),
    Case("only the message differs", ['git commit -m "One thing"'], ['git commit -m "Other"']),
    Case("only the branch differs", ["git push origin fix/one-thing"], ["git push origin fix/other-thing"]),
    Case("only the order differs", ["lamp -i a -s 3"], ["lamp -s 3 -i a"]),
    Case("a step was missing", ["make deploy"] * 3, ["make deploy"], ["make deploy"] * 9),
    Case("one failure, no fix", ["lamp read --loud x.txt"], [], ["lamp read y.txt"]),
    Case("a filter behind the pipe", ["lamp read | head -5"], ["lamp read --all"], ["lamp read | wc -l"] * 5),
    Case("a word of the output", ["lamp grep colour x"], [], ["lamp grep size"] * 5, "the colour is in x.txt"),
    Case("every call of a program", ["lux a.txt", "lux b.txt"], ["cat a.txt"]),
    Case("one failure that nothing speaks for", ["lamp glow"]),
    Case("a hook got round", ["git commit -m x"], [], ["git commit --no-verify -m x"], "Please run it first"),
    Case("more than once", ["git commit -m x", "git commit -m y"], [], ["git commit --no-verify -m x"]),
    Case("a hook switched off", ["git commit -m x"], [], ["HUSKY=0 git commit -m x"], "subject may not be empty"),
    Case("a protected branch", ["git push origin a", "git push origin b"], [], ["git push --force origin a"]),
    Case("a certificate", ["curl https://a.test/x"], [], ["curl -k https://a.test/x"], "curl: (60) SSL certificate"),
]


@table("case", NOTHING_AT_THE_CALL)
def test_nothing_is_proposed_at_the_call_where_nothing_separates(case: Case) -> None:
    found = proposed(case)
    assert found.acts_at != "call"
    assert found.triggers is not None or found.reason.endswith(".")


QUIET = [
    Case("a longer option", ["lamp list --name x", "lamp list --name y"], ["lamp list --name-only x"]),
    Case("a wrapper", ["rtk lamp run a", "rtk lamp run b"], ["lamp run a", "rtk git status", 'echo "rtk lamp run"']),
    Case("no such sub-command", ["lamp frob a"], ["lamp list a", "lamp frobnicate a"], [], "unknown command: frob"),
    Case("a quoted glob", ["ls *.a", "ls *.b"], ["ls src", "ls '*.a'"], [], "zsh: no matches found: *.a"),
    Case(
        "signs of a regex", ["lamp '+x(a' --a.b", "lamp '+x(b' --a.b"], ["lamp --aXb", "lamp"], [], "bad option --a.b"
    ),
    Case("not ASCII", ["lämp an --größe 3"], ["lämp an", "lämp an --größer"], [], "unknown option: --größe"),
]


@table("case", QUIET)
def test_a_proposal_leaves_alone_what_looks_alike(case: Case) -> None:
    triggers = proposed(case).triggers
    assert triggers is not None
    assert_passes_intake(triggers)
    assert all(fires(triggers, shell(command)) for command in case.failures)
    assert not any(fires(triggers, shell(command)) for command in case.fixes)


PROPOSED = [
    (
        Case("an option", ["gh pr diff 1 --stat"], ["gh pr diff 1"], ["gh pr list x"] * 9, "unknown flag: --stat"),
        r"^gh pr\b.*\s--stat(?![\w-])",
        "global",
    ),
    (
        Case("a letter", ["cat -An x"], ["cat x"], ["cat -n y"] * 9, "cat: illegal option -- A"),
        r"^cat\b.*\s-[A-Za-z]*A",
        "global",
    ),
    (
        Case("a sub-command", ["lamp frob a"], [], ["lamp list a"] * 9, "lamp: unknown command 'frob'"),
        r"^lamp frob\b",
        "global",
    ),
    (
        Case("a script", ["npm run lint"], [], ["npm run test"] * 9, "npm error Missing script: 'lint'"),
        r"^npm run lint\b",
        "project",
    ),
    (
        Case("a path", ["git add web/out/a"], [], ["git add src/a"] * 9, "web/out paths are ignored: not added"),
        r"^git add\b.*\s(?:\./)?web/out/",
        "project",
    ),
    (
        Case("a module", ["python3 - <<'E'\nimport yaml\nE"], [], ["python3 -c 'import os'"], "No module named 'yaml'"),
        r"\b(?:import|from|require\(['\"]?)\s*yaml(?![\w-])",
        "machine",
    ),
    (
        Case("a shape of a path", ["lamp api a/1/b", "lamp api a/2/b"], ["lamp api a/b/3"], ["lamp api c"] * 9),
        r"^lamp\b.*[\s/]a/\d+/b(?![\w/-])",
        "global",
    ),
    (
        Case("a variable", ["MODE=x lamp on", "MODE=y lamp off"], ["lamp on"], ["lamp off"] * 9),
        r"^(?:\w+=\S* )*MODE=",
        "global",
    ),
]


@table(("case", "pattern", "scope"), PROPOSED)
def test_the_feature_that_separates(case: Case, pattern: str, scope: str) -> None:
    found = proposed(case, ["/srv/app"] * len(case.failures))
    assert found.triggers is not None
    assert (found.triggers.command_patterns, found.scope.type, found.acts_at) == ([pattern], scope, "call")
    assert_passes_intake(found.triggers)


def test_an_option_that_was_missing() -> None:
    failures = ["lamp deploy a", "lamp deploy b"]
    triggers = proposed(Case("", failures, ["lamp deploy --zone x a"], ["lamp deploy --zone y b"] * 9)).triggers
    assert triggers is not None
    assert triggers.unless == [r"\s--zone(?![\w-])"]
    assert fires(triggers, shell("lamp deploy c"))
    assert not fires(triggers, shell("lamp deploy --zone z c"))


def test_errors_that_each_name_another_word() -> None:
    failures = [shell(f"lamp on --{name}", f"unknown flag: --{name}") for name in ("aa", "bb", "cc")]
    triggers = propose(Group(failures, good=GoodCalls.of_calls([shell("lamp on")] * 9))).triggers
    assert triggers is not None
    assert len(triggers.command_patterns) == 3


def test_at_the_error_with_its_changing_parts_open() -> None:
    case = Case("", ["make deploy"] * 2, [], ["make deploy"] * 9, "error: quota of 12 builds exceeded for '/srv/x'")
    found = proposed(case)
    assert (found.triggers, found.acts_at) == (
        Triggers(error_patterns=[r"error: quota of \S+ builds exceeded for"]),
        "error",
    )
    others = ["error: quota of 3 builds exceeded for 'b'"] * 9
    failures = [shell(command, case.error) for command in case.failures]
    assert propose(Group(failures), lambda scope: others).triggers is None


@pytest.mark.parametrize(("is_here", "times"), [(False, 1), (True, 1), (True, 3)])
def test_a_missing_program_only_hints_while_it_is_missing(is_here: bool, times: int) -> None:
    found = proposed(Case("", ["lux a"] * times, [], [], "zsh: command not found: lux"), is_here=is_here)
    assert found.triggers is not None and found.scope.type == "machine"
    assert found.acts_at == ("error" if is_here and times < 3 else "call")
    assert bool(found.triggers.when) != is_here
    assert_passes_intake(found.triggers)


def test_a_program_that_a_container_lacks() -> None:
    found = proposed(Case("", ["docker exec web lux a"], [], [], 'exec: "lux": executable file not found in $PATH'))
    assert found.acts_at == "error"


def test_tools_other_than_shells() -> None:
    def calls(*paths: str, error: str | None = None) -> list[ToolCall]:
        return [ToolCall("mcp__web__open", {"path": path, "mode": "x"}, error=error) for path in paths]

    failures = calls("/tmp/a/1", "/tmp/b/2", error="access denied")
    found = propose(Group(failures, [], GoodCalls.of_calls(calls("/srv/a", "/srv/b"))))
    assert found.triggers is not None
    assert found.triggers.tool_names == ["mcp__web__open"] and len(found.triggers.command_patterns) == 1
    assert all(fires(found.triggers, call) for call in calls("/tmp/c"))
    assert not any(fires(found.triggers, call) for call in calls("/srv/c"))
    never = propose(Group(failures)).triggers
    assert never is not None and never.tool_names == ["mcp__web__open"]


def test_calls_of_several_tools() -> None:
    failures = [shell("lamp on", "bad"), ToolCall("Read", {"file_path": "/a"}, error="worse")]
    assert propose(Group(failures)).triggers is None


def test_a_fact_is_noted_at_the_start() -> None:
    group = Group([shell("make deploy", "no")], projects=["/srv/app"], is_fact=True)
    found = propose(group)
    assert (found.triggers, found.acts_at, found.scope.path) == (Triggers(session_start=True), "start", "/srv/app")


HOSTILE = ("--a" * 1400, "x(" * 2000, "lamp " + "-a " * 1300, "\\" * 4000, "é" * 4000, "a=" * 2000, "\x1b[31m" * 800)


@table("text", HOSTILE)
def test_hostile_texts_take_little_time(text: str) -> None:
    failures = [shell(f"lamp {text} {number}", f"unknown option {text}") for number in range(2)]
    propose(Group(failures, [shell("lamp")]))  # loads what is needed
    failures = [shell(f"lamp {text} {number}", f"unknown option {text}") for number in range(2)]
    start = time.process_time()
    propose(Group(failures, [shell("lamp")], GoodCalls.of_calls([shell(f"lamp {text}")])))
    assert time.process_time() - start < 0.5


WORDS = st.sampled_from(["lamp", "on", "--all", "-x", "*.py", "a/b", "http://a", "'q r'", "$V", "[x]", "é", "M=1", ";"])


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=4), st.lists(WORDS, max_size=5))
def test_any_proposal_fires_on_its_failures_and_not_on_its_fix(failures: list[list[str]], fix: list[str]) -> None:
    calls = [shell(" ".join(words), "lamp: unknown option --all, bad value on") for words in failures]
    found = propose(Group(calls, [shell(" ".join(fix))]))
    if found.triggers is None or found.acts_at != "call":
        return
    assert_passes_intake(found.triggers)
    assert any(fires(found.triggers, shell(" ".join(words))) for words in failures)
    assert not fires(found.triggers, shell(" ".join(fix)))


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(["option", "words", "word", "path", "name", "escape", "value", "module"]), st.text(max_size=30))
def test_every_text_gives_a_valid_regex(family: str, text: str) -> None:
    for pattern in patterns_of(f"{family}:lamp {text}"):
        assert all(re.compile(source) for source in pattern.triggers.command_patterns)
