"""Our hooks are added to and removed from settings of every shape; the user's own text stays unchanged."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.agents import hook_settings
from lessons.agents.hook_lines import line_of
from lessons.agents.hook_settings import Wanted, remove
from lessons.agents.table import AGENTS
from lessons.errors import DamagedFile, Refused
from tests.tables import table

HOOKS = AGENTS["claude-code"].events


def plan(text: str | None, wanted: Mapping[str, Wanted], file: str = "settings.json") -> str:
    return hook_settings.plan(text, wanted, HOOKS, file)


def group(event: str, command: str) -> dict[str, Any]:
    return hook_settings.group_for(HOOKS[event], hook_settings.handlers_for(HOOKS[event], command))


COMMANDS = {e: line_of(e, "/h") for e in HOOKS}
MOVED = {e: line_of(e, "/h 2") for e in HOOKS}

A_PERSONS_OWN = """{
  "permissions": {"allow": ["Bash(ls:*)", "Read"]},
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{"type": "command", "command": "echo lessons hook"}]
      }
    ],
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]
  },
  "model": "opus"
}
"""


def commands_in(text: str) -> dict[str, list[str]]:
    return {
        event: [handler["command"] for group in groups for handler in group["hooks"]]
        for event, groups in json.loads(text.removeprefix("\ufeff"))["hooks"].items()
    }


@table(
    ("text", "error", "words"),
    [
        ("{", DamagedFile, "x.json, line 1, column 2"),
        ('{"a": 1,}', DamagedFile, "line 1"),
        ('{\n  "a": tru\n}', DamagedFile, "line 2, column 8"),
        ("not json", DamagedFile, "line 1, column 1"),
        ("[" * 100_000, DamagedFile, "x.json"),
        ('{"a": ' + "1" * 5000 + "}", DamagedFile, "x.json"),
        ('// note\n{"a": 1}', Refused, "comment"),
        ('{"a": 1} // note', Refused, "comment"),
        ('{\n  // note\n  "a": 1}', Refused, "line 2.*comment"),
        ('{"a": 1, // note\n "b": 2}', Refused, "comment"),
        ('{"a": 1 /* note */, "b": 2}', Refused, "comment"),
        ('{"a": [1, /* note */ 2]}', Refused, "comment"),
        ("[]", Refused, "x.json: the whole file is a list and should be an object"),
        ("null", Refused, "null"),
        ('{"hooks": []}', Refused, "`hooks` is a list and should be an object"),
        ('{"hooks": null}', Refused, "`hooks` is null"),
        ('{"hooks": 5}', Refused, "`hooks` is a number"),
        ('{"hooks": {"SessionStart": {}}}', Refused, "`hooks.SessionStart` is an object and should be a list"),
        ('{"hooks": {"PreToolUse": "echo"}}', Refused, "`hooks.PreToolUse` is a string"),
    ],
)
def test_what_cannot_be_understood_is_refused_with_its_place(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        plan(text, COMMANDS, "x.json")
    with pytest.raises(error, match=words):
        plan("\ufeff" + text, COMMANDS, "x.json")


def test_uninstall_leaves_alone_what_it_cannot_understand() -> None:
    for text in ("{", "[]", '{"hooks": []}', "{} // note"):
        with pytest.raises((DamagedFile, Refused)):
            remove(text)
    for odd in ('{"hooks": {"PreToolUse": "echo", "Stop": [1, {"hooks": 2}, {"hooks": [3]}]}}', "", " \n"):
        assert remove(odd) == odd


def test_the_words_of_a_person_are_not_ours() -> None:
    after = plan(A_PERSONS_OWN, COMMANDS)
    assert commands_in(after)["PreToolUse"] == ["echo lessons hook", COMMANDS["PreToolUse"]]
    assert commands_in(after)["Stop"] == ["say done", COMMANDS["Stop"]]
    assert remove(A_PERSONS_OWN) == A_PERSONS_OWN
    assert remove(after) == A_PERSONS_OWN


@table("nothing", [None, "", "\n"])
def test_a_new_file(nothing: str | None) -> None:
    text = plan(nothing, COMMANDS)
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
    assert json.loads(text) == {"hooks": {e: [group(e, COMMANDS[e])] for e in HOOKS}}
    assert remove(text) == "{}\n"


def test_how_each_event_is_registered() -> None:
    hooks = json.loads(plan("{}", COMMANDS))["hooks"]
    assert {event: (group[0].get("matcher"), group[0]["hooks"][0]["timeout"]) for event, group in hooks.items()} == {
        "PreToolUse": ("*", 5),
        "PostToolUseFailure": ("*", 5),
        "SessionStart": (None, 10),
        "SubagentStart": (None, 5),
        "PreCompact": (None, 10),
        "Stop": (None, 5),
        "SessionEnd": (None, 5),
        "PostToolUse": ("Bash", 5),
    }
    after_commit = hooks.pop("PostToolUse")[0]["hooks"][0]
    assert after_commit.pop("if") == "Bash(git commit:*)"
    assert set(after_commit) == {"type", "command", "timeout"}
    assert all(set(group[0]["hooks"][0]) == {"type", "command", "timeout"} for group in hooks.values())


def test_an_older_version_knew_fewer_events() -> None:
    before = plan(A_PERSONS_OWN, {event: MOVED[event] for event in [*HOOKS][:4]})
    after = plan(before, COMMANDS)
    assert json.loads(after) == json.loads(plan(A_PERSONS_OWN, COMMANDS))
    assert plan(after, COMMANDS) == after
    assert remove(after) == A_PERSONS_OWN


def test_moved_paths_are_replaced_in_place() -> None:
    text = plan(A_PERSONS_OWN, COMMANDS)
    more = text.replace('"timeout": 5', '"timeout": 30').replace('"matcher": "*"', '"matcher": "Bash|Edit"')
    moved = plan(more, MOVED)
    for event in HOOKS:
        more = more.replace(json.dumps(COMMANDS[event]), json.dumps(MOVED[event]))
    assert moved == more


def test_commands_of_other_versions_are_replaced_wherever_they_stand() -> None:
    groups = [
        {"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}, {"command": "lessons hook PreToolUse"}]},
        {"hooks": [{"type": "command", "command": "/p -I /v1/lessons/hook/entry.py PreToolUse", "timeout": 1}]},
    ]
    stale = [{"hooks": [{"type": "command", "command": "lessons hook Notification"}]}]
    value = {"hooks": {"Notification": stale, "PreToolUse": groups}, "z": 1}
    assert commands_in(plan(json.dumps(value), COMMANDS)) == {
        "PreToolUse": ["mine", COMMANDS["PreToolUse"]],
        **{event: [COMMANDS[event]] for event in HOOKS if event != "PreToolUse"},
    }


def test_the_form_with_arguments_becomes_the_shell_form() -> None:
    handler = {"type": "command", "command": "/bin/sh", "args": ["-c", COMMANDS["PreToolUse"]], "timeout": 5}
    after = json.loads(plan(json.dumps({"hooks": {"PreToolUse": [{"hooks": [handler]}]}}), COMMANDS))
    expected = {"type": "command", "command": COMMANDS["PreToolUse"], "timeout": 5}
    assert after["hooks"]["PreToolUse"] == [{"hooks": [expected]}]


def test_repeated_keys_do_not_confuse_it() -> None:
    ours = json.dumps(group("PreToolUse", "lessons hook PreToolUse"))
    text = f'{{"hooks": {{"PreToolUse": [{ours}], "PreToolUse": [{ours}]}}}}'
    after = plan(text, COMMANDS)
    assert commands_in(after)["PreToolUse"] == [COMMANDS["PreToolUse"]]
    assert plan(after, COMMANDS) == after
    assert remove(after) == "{}"


def test_what_was_added_since_stays() -> None:
    text = plan("{}", COMMANDS)
    value = json.loads(text)
    value["hooks"]["PreToolUse"].append({"hooks": [{"type": "command", "command": "mine"}]})
    value["hooks"]["SessionStart"][0]["hooks"].append({"type": "command", "command": "mine too"})
    left = json.loads(remove(json.dumps(value, indent=2)))
    assert left == {
        "hooks": {
            "PreToolUse": [{"hooks": [{"type": "command", "command": "mine"}]}],
            "SessionStart": [{"hooks": [{"type": "command", "command": "mine too"}]}],
        }
    }


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
handlers = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.text(max_size=20)}, optional={"timeout": st.integers(1, 600)}
)
groups = st.fixed_dictionaries({"hooks": st.lists(handlers, max_size=3)}, optional={"matcher": st.text(max_size=8)})
events = st.sampled_from([*HOOKS, "Notification", "Unknown"])
hooks = st.dictionaries(events, st.lists(groups, max_size=3), max_size=5)


@st.composite
def settings_values(draw: st.DrawFn) -> dict[str, Any]:
    keys = st.text(max_size=8).filter(lambda key: key != "hooks")
    pairs = list(draw(st.dictionaries(keys, values, max_size=4)).items())
    if draw(st.booleans()):
        pairs.insert(draw(st.integers(0, len(pairs))), ("hooks", draw(hooks)))
    return dict(pairs)


@st.composite
def settings_texts(draw: st.DrawFn) -> str:
    indent = draw(st.sampled_from([None, 0, 1, 2, 4, "\t"]))
    tight = draw(st.booleans())
    separators = ("," if tight or indent is not None else ", ", ":" if tight else ": ")
    text = json.dumps(draw(settings_values()), indent=indent, separators=separators, ensure_ascii=draw(st.booleans()))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + (text + draw(st.sampled_from(["", "\n"]))).replace("\n", newline)


def merged(value: dict[str, Any], commands: dict[str, str]) -> dict[str, Any]:
    """The same merge on values, to compare with."""
    ours = {**value, "hooks": dict(value.get("hooks", {}))}
    for event, command in commands.items():
        ours["hooks"][event] = [*ours["hooks"].get(event, []), group(event, command)]
    return ours


@settings(deadline=None)
@given(settings_texts())
def test_any_settings_in_and_out(text: str) -> None:
    after = plan(text, COMMANDS)
    value = json.loads(text.removeprefix("\ufeff"))
    # Compared as text: the order of keys has to be the same too.
    assert json.dumps(json.loads(after.removeprefix("\ufeff"))) == json.dumps(merged(value, COMMANDS))
    assert plan(after, COMMANDS) == after
    assert after.endswith("\n") == text.endswith("\n")
    assert ("\r\n" in after) == ("\r\n" in text) or "\n" not in text
    moved = plan(after, MOVED)
    assert moved == plan(text, MOVED)
    assert remove(moved) == remove(after)
    hooks_before = value.get("hooks")
    if hooks_before is None or (hooks_before and all(hooks_before.values())):
        assert remove(after) == text


@settings(deadline=None)
@given(settings_values())
def test_standard_formatting_stays_standard(value: dict[str, Any]) -> None:
    after = plan(json.dumps(value, indent=2, ensure_ascii=False), COMMANDS)
    assert after == json.dumps(merged(value, COMMANDS), indent=2, ensure_ascii=False)
