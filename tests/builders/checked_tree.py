"""A tree of many files and the lessons that are checked on them."""

import random
from pathlib import Path
from typing import Any

from tests.builders.lessons import lesson

WORDS = "order till coin bill price total count print close open read write parse value index table row".split()


def rule_lessons(count: int) -> list[dict[str, Any]]:
    """Lessons with a content pattern each, some of them behind a path pattern."""
    return [_rule(number) for number in range(count)]


def _rule(number: int) -> dict[str, Any]:
    pattern = (
        rf"\blegacy_call_{number}\s*\(",
        rf"(?:old|former)_name_{number}\b",
        rf"print\(.*secret_{number}\)",
        rf"import\s+module_{number}\b",
    )[number % 4]
    triggers: dict[str, Any] = {"contentPatterns": [pattern]}
    if number % 10 == 0:
        triggers["pathPatterns"] = ["**/*.py"]
    words = {
        "summary": f"Do not use the old thing number {number} any more",
        "problem": f"Old thing {number} is slow here.",
    }
    return lesson(f"rule-{number}", triggers=triggers, solution=f"Use the new thing {number} instead.", **words)


def write_tree(root: Path, files: int, lines: int, seed: int = 5) -> int:
    """Returns how many bytes there are; every hundredth file breaks a rule."""
    chance, size = random.Random(seed), 0
    for number in range(files):
        folder = root / f"part{number % 50}"
        folder.mkdir(parents=True, exist_ok=True)
        text = "\n".join(f"    {' '.join(chance.choices(WORDS, k=7))} = {chance.random()}" for _ in range(lines))
        if number % 100 == 0:
            text += f"\nlegacy_call_{4 * (number // 100 % 25)}()\n"
        (folder / f"file{number}.py").write_text(text, encoding="utf-8")
        size += len(text)
    return size
