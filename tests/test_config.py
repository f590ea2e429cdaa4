"""Settings: wrong values are refused by name; environment, then file, then defaults."""

import json
import os
import re
from pathlib import Path

import pytest

import lessons
from lessons import config
from lessons.errors import DamagedFile, NotFound, Refused
from lessons.settings import variable_for
from tests.tables import table

DEFAULTS: dict[str, object] = {
    "injectionBudgetBytes": 4096, "maxLessonsPerInjection": 3, "minConfidence": 0.5, "minPriority": 1,
    "compactionReinjectionThreshold": 7, "scanPaths": ["~/.claude/projects/"], "autoScanIntervalHours": 24,
    "maxCandidatesPerScan": 50, "miningWindowCalls": 8, "scoring.multiSessionBonus": 2,
    "scoring.multiProjectBonus": 1, "scoring.hangTimeoutBonus": 1, "scoring.userCorrectionBonus": 1,
    "scoring.singleOccurrencePenalty": -1, "dedupScope": "context", "autoPromote": False,
    "lessonProtocol": "recovery", "weeklyLine": True, "repeatLine": False, "tendLine": True, "memory": True,
    "holdoutRate": 0, "maxTriggerShare": 0.05, "excludeProjects": [], "watchMode": "auto", "watchPollSeconds": 2,
    "historyDays": 0, "watchQuietSeconds": 120,
}  # fmt: skip

SOURCE = "".join(
    file.read_text("utf-8")
    for file in Path(lessons.__file__).parent.rglob("*.py")
    if file.name not in ("config.py", "settings.py")
)


def write(home: Path, document: object) -> str:
    (home / "config.json").write_text(json.dumps(document))
    return str(home)


REFUSED: list[tuple[dict[str, object], str, str]] = [
    ({"injectionBudgetBytes": -1}, "injectionBudgetBytes", "is -1: write a whole number from 0 to 1000000."),
    ({"injectionBudgetBytes": "4096"}, "injectionBudgetBytes", 'is "4096": write a whole number'),
    ({"injectionBudgetBytes": None}, "injectionBudgetBytes", "is null: write a whole number"),
    ({"injectionBudgetBytes": 1.5}, "injectionBudgetBytes", "is 1.5: write a whole number"),
    ({"maxLessonsPerInjection": True}, "maxLessonsPerInjection", "is true: write a whole number"),
    ({"minConfidence": 1.1}, "minConfidence", "is 1.1: write a number from 0 to 1."),
    ({"minConfidence": False}, "minConfidence", "is false: write a number from 0 to 1."),
    ({"minPriority": 0}, "minPriority", "is 0: write a whole number from 1 to 10."),
    ({"compactionReinjectionThreshold": 11}, "compactionReinjectionThreshold", "is 11: write a whole number"),
    ({"scanPaths": "~/x"}, "scanPaths", 'is "~/x": write a list of folders'),
    ({"scanPaths": [""]}, "scanPaths", 'is [""]: write a list of folders'),
    ({"autoScanIntervalHours": -1}, "autoScanIntervalHours", "is -1: write a number from 0 to 8760."),
    ({"maxCandidatesPerScan": 10**9}, "maxCandidatesPerScan", "is 1000000000: write a whole number"),
    ({"miningWindowCalls": 0}, "miningWindowCalls", "is 0: write a whole number from 1 to 100."),
    ({"miningWindowCalls": 101}, "miningWindowCalls", "is 101: write a whole number from 1 to 100."),
    ({"scoring": {"multiSessionBonus": 11}}, "scoring.multiSessionBonus", "is 11: write a whole number from -10"),
    ({"scoring": 3}, "scoring", "is 3: write an object"),
    ({"dedupScope": "project"}, "dedupScope", 'is "project": write "context" or "session".'),
    ({"autoPromote": 1}, "autoPromote", "is 1: write true or false."),
]  # fmt: skip


@table(("document", "key", "sentence"), REFUSED)
def test_a_wrong_value_in_the_file_is_refused(
    tmp_path: Path, document: dict[str, object], key: str, sentence: str
) -> None:
    home = write(tmp_path, document)
    with pytest.raises(Refused) as refused:
        config.load(home, {})
    assert str(refused.value).startswith(f"{key} in {home}/config.json {sentence}")


@table(
    ("name", "text"),
    [
        ("LESSONS_MIN_PRIORITY", "eleven"),
        ("LESSONS_MIN_PRIORITY", "11"),
        ("LESSONS_MIN_CONFIDENCE", "NaN"),
        ("LESSONS_DEDUP_SCOPE", "never"),
        ("LESSONS_AUTO_PROMOTE", "maybe"),
        ("LESSONS_SCAN_PATHS", "[1]"),
    ],
)
def test_a_wrong_value_in_the_environment_names_the_variable(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(Refused, match=f"^{name} is .*: write "):
        config.load(str(tmp_path), {name: text})


def test_a_damaged_file_is_named_with_its_place_and_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text('{"minPriority": 2,\n}')
    with pytest.raises(DamagedFile, match=r"config\.json is not valid JSON at line \d, column \d.*move the file"):
        config.load(str(tmp_path), {})
    assert file.read_text() == '{"minPriority": 2,\n}'


def test_without_a_file_every_setting_has_its_default(tmp_path: Path) -> None:
    rows = config.listing(str(tmp_path / "home"), {})
    assert {row.key: row.value for row in rows} == DEFAULTS
    assert {row.source for row in rows} == {"default"}
    assert not (tmp_path / "home").exists()


def test_the_typed_settings_hold_every_key(tmp_path: Path) -> None:
    loaded = config.load(str(tmp_path), {})
    assert loaded.injection_budget_bytes == 4096
    assert loaded.scoring.single_occurrence_penalty == -1
    fields = len(loaded.__struct_fields__) - 1 + len(loaded.scoring.__struct_fields__)
    assert fields == len(config.SETTINGS) == len(DEFAULTS)


OTHER_VALUES = {
    "scanPaths": (os.pathsep.join(["/a", "~/b"]), ["/a", "~/b"]), "excludeProjects": ("~/secret", ["~/secret"]),
    "dedupScope": ("session", "session"), "autoPromote": ("1", True), "lessonProtocol": ("always", "always"),
    "weeklyLine": ("off", False), "repeatLine": ("on", True), "minConfidence": ("0.25", 0.25),
    "maxTriggerShare": ("0.5", 0.5), "tendLine": ("off", False), "memory": ("error", "error"),
    "holdoutRate": ("0.1", 0.1), "watchMode": ("polling", "polling"),
}  # fmt: skip


@table("key", DEFAULTS)
def test_each_setting_is_read_from_the_file_and_the_environment_wins(tmp_path: Path, key: str) -> None:
    text, value = OTHER_VALUES.get(key, ("4", 4))
    in_file: dict[str, object] = {}
    config.put(in_file, key, DEFAULTS[key])
    home = write(tmp_path, in_file)
    from_file = {row.key: row for row in config.listing(home, {})}[key]
    from_environment = {row.key: row for row in config.listing(home, {variable_for(key): text})}[key]
    assert (from_file.value, from_file.source) == (DEFAULTS[key], "file")
    assert (from_environment.value, from_environment.source) == (value, "environment")


def test_get_answers_for_a_key_and_for_a_group(tmp_path: Path) -> None:
    home = write(tmp_path, {"scoring": {"multiSessionBonus": 3}})
    assert config.get(home, "scoring.multiSessionBonus", {}) == 3
    assert config.get(home, "scoring", {}) == {
        "multiSessionBonus": 3,
        "multiProjectBonus": 1,
        "hangTimeoutBonus": 1,
        "userCorrectionBonus": 1,
        "singleOccurrencePenalty": -1,
    }


@table(("key", "hint"), [("minPriorty", "minPriority"), ("zzz", "lessons config list"), ("", "lessons config")])
def test_an_unknown_key_is_not_found_and_the_nearest_is_named(tmp_path: Path, key: str, hint: str) -> None:
    with pytest.raises(NotFound) as missing:
        config.get(str(tmp_path), key, {})
    assert hint in str(missing.value)


def test_unknown_keys_in_the_file_are_warned_about_and_known_ones_are_not(tmp_path: Path) -> None:
    document = {
        "$schema": "x",
        "minPriorty": 2,
        "scoring": {"multiSessionBonus": 1, "extra": 1},
        "minPriority": 2,
    }
    home = write(tmp_path, document)
    sentences = config.warnings(home)
    assert [sentence.partition(" ")[0] for sentence in sentences] == ["minPriorty", "scoring.extra"]
    assert "perhaps minPriority is meant" in sentences[0]
    assert config.load(home, {}).min_priority == 2


@table("key", DEFAULTS)
def test_every_setting_is_read_by_some_code(key: str) -> None:
    """By its attribute, or by its name handed to a function; `config.py` and `settings.py` only declare it."""
    name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key.rpartition(".")[2])
    assert re.search(rf'\.{name}\b|[(, \[]"{re.escape(key)}"[\]),]', SOURCE)
