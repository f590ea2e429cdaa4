"""No package outgrows its row of `[tool.lessons.budget]` in pyproject.toml."""

import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["lessons"]
BUDGET, CEILING = SETTINGS["budget"], SETTINGS["ceiling"]


def sizes() -> tuple[Counter[str], Counter[str]]:
    """Returns the files and the lines of each package; `.` is the modules beside the packages."""
    files, lines = Counter[str](), Counter[str]()
    package = ROOT / "src" / "lessons"
    for path in package.rglob("*.py"):
        parts = path.relative_to(package).parts
        name = parts[0] if len(parts) > 1 else "."
        files[name] += 1
        lines[name] += len(path.read_text(encoding="utf-8").splitlines())
    return files, lines


def test_every_package_keeps_to_its_budget() -> None:
    files, lines = sizes()
    assert files.keys() <= BUDGET.keys(), "every package has a row"
    over = [
        f"{name}: {files[name]} files of {row['files']}, {lines[name]} lines of {row['lines']}"
        for name, row in BUDGET.items()
        if files[name] > row["files"] or lines[name] > row["lines"]
    ]
    assert over == [], "delete first"


def test_the_house_has_a_ceiling() -> None:
    """Whoever raises the row of one package lowers that of another one."""
    files, lines = sizes()
    assert (files.total() <= CEILING["files"], lines.total() <= CEILING["lines"]) == (True, True), "delete first"
