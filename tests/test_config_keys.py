"""Every setting is read by some code: an unused key would have no effect."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import lessons
from lessons.config import RULES
from lessons.settings import DEFAULTS

SOURCE = Path(lessons.__file__).parent
# The settings of the data model, with their defaults.
TABLE: dict[str, object] = {
    "injectionBudgetBytes": 4096,
    "maxLessonsPerInjection": 3,
    "minConfidence": 0.5,
    "minPriority": 1,
    "compactionReinjectionThreshold": 7,
    "scanPaths": ["~/.claude/projects/"],
    "autoScanIntervalHours": 24,
    "maxCandidatesPerScan": 50,
    "scoring.multiSessionBonus": 2,
    "scoring.multiProjectBonus": 1,
    "scoring.hangTimeoutBonus": 1,
    "scoring.userCorrectionBonus": 1,
    "scoring.singleOccurrencePenalty": -1,
}


def snake(key: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key.rpartition(".")[2])


def names_read(tree: ast.AST) -> Iterator[str]:
    """Attributes, and texts handed to a function or used as an index; `"key": config.key` only hands a value on."""
    handed_on = {
        value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(value, ast.Attribute) and snake(str(key.value)) == value.attr
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node not in handed_on:
            yield node.attr
        texts = node.args if isinstance(node, ast.Call) else [node.slice] if isinstance(node, ast.Subscript) else []
        yield from (each.value for each in texts if isinstance(each, ast.Constant) and isinstance(each.value, str))


@pytest.fixture(scope="module")
def read() -> set[str]:
    files = [file for file in SOURCE.rglob("*.py") if file != SOURCE / "config.py"]
    return {name for file in files for name in names_read(ast.parse(file.read_bytes()))}


def test_the_table_is_there_with_its_defaults() -> None:
    assert {key: DEFAULTS[key] for key in TABLE} == TABLE


def test_handing_on_is_not_reading() -> None:
    source = 'document = {"minPriority": config.min_priority, "other": config.min_confidence}; number(config, "a")'
    assert set(names_read(ast.parse(source))) == {"min_confidence", "a"}


@pytest.mark.parametrize("key", RULES)
def test_every_key_is_read(key: str, read: set[str]) -> None:
    assert {key, snake(key)} & read != set()
