"""`lessons config`: what a setting is and where it comes from, changed only where the value is allowed."""

import json

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.cli.command_line import CommandLine


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["get", "minPriorty"], "minPriorty is not a setting: perhaps minPriority is meant."),
        (["get", "zzz"], "zzz is not a setting: `lessons config list` shows them all."),
        (["set", "minPriority", "11"], "minPriority is 11: write a whole number from 1 to 10."),
        (["set", "minPriority", "high"], 'minPriority is "high": write a whole number from 1 to 10.'),
        (["set", "minConfidence", "true"], "minConfidence is true: write a number from 0 to 1."),
        (["set", "dedupScope", "world"], 'dedupScope is "world": write "context" or "session".'),
        (["set", "scoring", "1"], "scoring is a group of settings: name one of them"),
    ],
)
def test_what_is_refused_changes_nothing(arguments: list[str], sentence: str, lessons: CommandLine) -> None:
    assert lessons.refused("config", *arguments).startswith(sentence)
    assert not (lessons.home / "config.json").exists()


def test_every_setting_and_where_it_comes_from(lessons: CommandLine) -> None:
    (lessons.home / "config.json").write_text('{"minPriority": 2, "mine": 1, "minPriorty": 3}')
    variables = {"LESSONS_MIN_CONFIDENCE": "0.7", "LESSONS_SCORING_MULTI_SESSION_BONUS": "5"}
    ended = lessons("config", "list", "--json", **variables)
    rows = {row["key"]: (row["value"], row["source"]) for row in json.loads(ended.out)["settings"]}
    assert rows["minPriority"] == (2, "file")
    assert rows["minConfidence"] == (0.7, "environment")
    assert rows["scoring.multiSessionBonus"] == (5, "environment")
    assert rows["injectionBudgetBytes"] == (4096, "default")
    assert [line.split(" in ")[0] for line in ended.error.splitlines()] == ["warning: mine", "warning: minPriorty"]
    assert lessons("config", "--json", **variables).out == ended.out
    lines = lessons("config").out.splitlines()
    assert lines[3].split("\t") == ["minPriority", "2", "file", "LESSONS_MIN_PRIORITY"]


def test_a_setting_goes_back_to_its_default(lessons: CommandLine) -> None:
    file = lessons.home / "config.json"
    assert "zzz is not a setting" in lessons.refused("config", "unset", "zzz")
    assert lessons.ok("config", "unset", "minPriority") == "minPriority is not in config.json. It is 1.\n"
    assert not file.exists()
    file.write_text('{"minPriority": 2, "mine": 1, "scoring": {"multiSessionBonus": 5}}')
    assert lessons.ok("config", "unset", "minPriority") == "Removed minPriority from config.json. It is 1.\n"
    assert lessons.json("config", "unset", "scoring.multiSessionBonus")["key"] == "scoring.multiSessionBonus"
    assert json.loads(file.read_text()) == {"mine": 1}


def test_as_with_git_config_the_sub_command_may_be_left_out(lessons: CommandLine) -> None:
    assert lessons.ok("config", "historyDays", "30") == "historyDays is now 30.\n"
    assert lessons.ok("config", "historyDays") == "30\n"
    assert lessons.json("config", "historyDays") == {"key": "historyDays", "value": 30}
    assert lessons.json("config", "historyDays", "40") == {"key": "historyDays", "value": 40}
    for arguments in (["set", "historyDays", "-5"], ["historyDays", "-5"]):
        assert "historyDays is -5: write a whole number" in lessons.refused("config", *arguments)


def test_a_change_is_written_and_built(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(priority=2))
    (home.folder / "config.json").write_text('{\n    "mine": 1,\n    "minPriority": 1\n}\n')
    assert lessons.ok("config", "set", "minPriority", "3") == "minPriority is now 3.\n"
    assert (home.folder / "config.json").read_text() == '{\n    "mine": 1,\n    "minPriority": 3\n}\n'
    assert (home.manifest()["config"]["minPriority"], home.manifest()["lessons"]) == (3, {})
    ended = lessons("config", "set", "maxLessonsPerInjection", "5", "--json", LESSONS_MAX_LESSONS_PER_INJECTION="1")
    assert json.loads(ended.out) == {"key": "maxLessonsPerInjection", "value": 5}
    assert "LESSONS_MAX_LESSONS_PER_INJECTION is set in this environment and overrides" in ended.error


def test_a_damaged_file_is_named_and_kept(lessons: CommandLine) -> None:
    file = lessons.home / "config.json"
    for content, part in (("{", "is not valid JSON at line 1"), ('{"minPriority": 0}', f"minPriority in {file} is 0")):
        file.write_text(content)
        for arguments in (["list"], ["get", "minPriority"]):
            assert part in lessons.refused("config", *arguments)
        assert file.read_text() == content
    assert 'LESSONS_MIN_PRIORITY is "x"' in lessons.refused("config", "list", LESSONS_MIN_PRIORITY="x")
    file.write_text("{")
    assert "is not valid JSON" in lessons.refused("config", "set", "minPriority", "2")
    assert file.read_text() == "{"
