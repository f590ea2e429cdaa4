"""Lessons for a call: the same from index and manifest, and a broken one does not stop the others."""

import json
from pathlib import Path

import pytest

from lessons.hook.lookup import matching, session_start_lessons
from lessons.match.call import ToolCall
from lessons.settings import number, protocol, setting, switch
from lessons.store import claims, logs, manifest
from tests.builders.home import DataHome, context_of
from tests.builders.lessons import blocking, lesson
from tests.builders.payloads import session_start, subagent_start
from tests.conftest import SetVariable
from tests.tables import table

STASH = {"commandRegexSources": [{"source": "git stash", "flags": ""}]}


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


def put(home: DataHome, **entries: object) -> None:
    document = {"type": manifest.TYPE, "version": 1, "config": {"dedupScope": "session"}, "lessons": entries}
    (home.folder / "lesson-manifest.json").write_text(json.dumps(document), encoding="utf-8")


def fired(home: DataHome, command: str = "git stash", **more: str) -> list[str]:
    call = ToolCall("Bash", {"command": command}, **more)
    return [each.slug for each, _ in matching(home.path, "PreToolUse", call)[1]]


def test_without_a_manifest_nothing_is_said_and_nothing_is_wrong(home: DataHome) -> None:
    assert matching(home.path, "PreToolUse", ToolCall("Bash", {"command": "ls"})) == ({}, [])
    assert session_start_lessons(home.path) == ({}, [])
    assert logs.read_faults(home.path) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"lessons": 4}', "[" * 50_000])
def test_an_unusable_manifest_silences_and_is_noted(home: DataHome, text: str) -> None:
    (home.folder / "lesson-manifest.json").write_text(text)
    assert fired(home) == []
    assert "lesson-manifest.json is unusable" in logs.read_faults(home.path)[0]
    with pytest.raises(manifest.UnusableManifest):
        session_start_lessons(home.path)


BROKEN: dict[str, dict[str, object]] = {
    "no regex": {"commandRegexSources": [{"source": "(", "flags": ""}]},
    "flag of another language": {"commandRegexSources": [{"source": "git", "flags": "y"}]},
    "unless no regex": {**STASH, "unlessRegexSources": [{"source": "[", "flags": ""}]},
    "too deep": {"commandRegexSources": [{"source": "(" * 5000 + ")" * 5000, "flags": ""}]},
    "retired": {**STASH, "stage": "retired"},
    "nothing at all": {},
    "wrong types": {"slug": 5, "priority": "high", "toolNames": "Bash", "commandRegexSources": "git", "when": []},
    "null": dict.fromkeys(("slug", "toolNames", "commandRegexSources", "pathRegexSources", "when", "block")),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_lesson_keeps_no_other_from_acting(home: DataHome, name: str) -> None:
    put(home, broken={"slug": "broken", **BROKEN[name]}, sound={"slug": "sound", **STASH}, text="not a lesson")
    assert fired(home) == ["sound"]


@pytest.mark.parametrize("when", [{"os": None}, {"os": [5]}, {"shell": 5}, {"agents": True}, {"models": [5]}])
def test_conditions_of_the_wrong_type_keep_no_other_from_acting(home: DataHome, when: dict[str, object]) -> None:
    put(home, broken={"slug": "broken", **STASH, "when": when}, sound={"slug": "sound", **STASH})
    assert fired(home, model="opus", shell="zsh", agent="claude-code") == ["sound"]


def test_patterns_of_another_language_are_understood(home: DataHome) -> None:
    sources = [{"source": r"GIT\/(?<what>stash)", "flags": "iu"}]
    put(
        home, js={"slug": "js", "commandRegexSources": sources}, plain={"slug": "plain", "commandRegexSources": ["git"]}
    )
    assert fired(home, "git/STASH") == ["js", "plain"]


def test_what_must_be_blocked_comes_first_then_by_priority(home: DataHome) -> None:
    triggers = {"commandPatterns": ["git"], "matchOn": "command"}
    home.publish(
        lesson("low", priority=1, triggers=triggers),
        lesson("high", priority=10, triggers=triggers),
        lesson("b-same", priority=10, triggers=triggers),
        blocking("block", priority=1, triggers=triggers),
    )
    assert fired(home) == ["block", "b-same", "high", "low"]
    (home.folder / "hook-index").unlink()
    assert fired(home) == ["block", "b-same", "high", "low"]


def test_the_settings_that_were_published_come_along(home: DataHome) -> None:
    home.publish(lesson(), injectionBudgetBytes=100)
    call = ToolCall("Bash", {"command": "nothing fires"})
    by_index = matching(home.path, "PreToolUse", call)[0]
    (home.folder / "hook-index").unlink()
    assert by_index == matching(home.path, "PreToolUse", call)[0]
    assert by_index["injectionBudgetBytes"] == 100


def test_the_model_that_a_session_named_counts_at_its_calls(home: DataHome) -> None:
    home.publish(lesson(triggers={"commandPatterns": ["git stash"], "when": {"models": ["opus"]}}))
    claims.remember(home.path, "s1", "model", "claude-opus-5")
    assert fired(home, session="s1") == ["stash-leaves-files"]
    assert fired(home, session="s2") == []
    assert fired(home, session="s1", model="claude-haiku-5") == []
    assert fired(home, session="s2", model="claude-opus-5") == ["stash-leaves-files"]


def test_lessons_for_the_start_of_a_session(home: DataHome) -> None:
    home.publish(
        lesson(), lesson("start", triggers={"sessionStart": True}), lesson("tool", triggers={"toolNames": ["X"]})
    )
    by_index = session_start_lessons(home.path)
    (home.folder / "hook-index").unlink()
    by_manifest = session_start_lessons(home.path)
    assert [each.slug for each in by_index[1]] == [each.slug for each in by_manifest[1]] == ["start"]
    assert by_index[0] == by_manifest[0]


NUMBERS: list[tuple[object, int]] = [
    (None, 7), ("many", 7), ("", 7), ([], 7), ({}, 7), (float("inf"), 7), (float("nan"), 7), (12, 12), ("12", 12),
    (12.9, 12), (0, 0),
]  # fmt: skip


@table(("value", "expected"), NUMBERS)
def test_a_setting_is_a_whole_number_whatever_stands_there(value: object, expected: int) -> None:
    assert number({"compactionReinjectionThreshold": value}, "compactionReinjectionThreshold") == expected


def test_the_environment_wins(variable: SetVariable) -> None:
    variable("LESSONS_INJECTION_BUDGET_BYTES", "99")
    variable("LESSONS_MAX_LESSONS_PER_INJECTION", "plenty")
    variable("LESSONS_DEDUP_SCOPE", "session")
    config: dict[str, object] = {"injectionBudgetBytes": 5, "maxLessonsPerInjection": 5}
    assert number(config, "injectionBudgetBytes") == 99
    assert number(config, "maxLessonsPerInjection") == 3
    assert number({}, "compactionReinjectionThreshold") == 7
    assert setting({}, "dedupScope") == "session"
    variable("LESSONS_WEEKLY_LINE", "off")
    assert not switch({}, "weeklyLine")


@pytest.mark.parametrize(
    ("value", "expected"), [(True, True), (False, False), ("no", False), (0, False), ({}, True), (None, True)]
)
def test_a_switch_is_on_whatever_stands_there(value: object, expected: bool) -> None:
    assert switch({"weeklyLine": value}, "weeklyLine") is expected
    assert switch({}, "weeklyLine")


@table(
    "config, environment, expected",
    [
        ({}, "", "recovery"),
        ({"lessonProtocol": True}, "", "recovery"),
        ({"lessonProtocol": "recovery"}, "", "recovery"),
        ({"lessonProtocol": "sometimes"}, "", "recovery"),
        ({"lessonProtocol": "always"}, "", "always"),
        ({"lessonProtocol": False}, "", ""),
        ({"lessonProtocol": False}, "Always", "always"),
        ({"lessonProtocol": "always"}, "1", "recovery"),
        ({}, "off", ""),
    ],
)
def test_how_an_agent_is_asked_for_notes(
    config: dict[str, object], environment: str, expected: str, variable: SetVariable
) -> None:
    variable("LESSONS_LESSON_PROTOCOL", environment or None)
    assert protocol(config) == expected


def test_a_start_asks_for_notes_only_if_told_to(home: DataHome) -> None:
    at_start = lesson("at-start", triggers={"sessionStart": True})
    home.publish(at_start)
    told = context_of(home.run(session_start("startup"))) or ""
    assert "#lesson" not in told and told.startswith("## Lesson: ")
    assert home.run(subagent_start()) == (0, None)
    home.publish(at_start, lessonProtocol="always")
    for start in (session_start("startup"), session_start("clear"), session_start("compact"), subagent_start()):
        assert "#lesson" in context_of(home.run(start))
