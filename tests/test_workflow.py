"""The GitHub Actions workflow: runs the Makefile on three systems, with read permission only."""

import re
import subprocess
from pathlib import Path

from tests.tables import table

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
# There is no YAML parser here: the file keeps to keys, values and lists of them, two spaces deeper each.
_LINE = re.compile(r"(?P<depth>(?:  )*)(?P<item>- )?(?P<key>[\w-]+):(?: (?P<value>\S.*))?")


def lines() -> list[re.Match[str]]:
    found = [_LINE.fullmatch(line) for line in TEXT.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert all(found), "a line that is neither a key nor an item of a list"
    return [line for line in found if line]


def job(name: str) -> str:
    return re.split(r"^  (?=\w)", TEXT.partition("\njobs:\n")[2].partition(f"  {name}:\n")[2], flags=re.MULTILINE)[0]


def commands(name: str) -> list[str]:
    return re.findall(r"- run: (.+)", job(name))


def recipe(target: str) -> list[str]:
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert found, target
    return [line.strip().replace("$(BIN)/", "") for line in found[1].splitlines()]


def test_it_is_sound() -> None:
    assert "\t" not in TEXT
    depths = [len(line["depth"]) + len(line["item"] or "") for line in lines()]
    assert depths[0] == 0
    for line, following, depth, next_depth in zip(lines(), lines()[1:], depths, depths[1:], strict=False):
        opens = line["value"] is None
        assert next_depth <= depth + (2 if opens else 0) + (2 if following["item"] else 0), following[0]
    names = [line["key"] for line in lines() if len(line["depth"]) == 2 and line.start() == 0 and not line["item"]]
    assert {"posix", "windows", "e2e"} <= set(names)


def test_it_may_only_read() -> None:
    assert re.findall(r"permissions:\n((?:  .*\n)+)", TEXT) == ["  contents: read\n"]
    assert "secrets." not in TEXT
    assert TEXT.count("actions/checkout@") == TEXT.count("persist-credentials: false")


def test_every_action_is_one_of_githubs_own_with_its_major_version() -> None:
    used = re.findall(r"uses: (.+)", TEXT)
    assert used
    assert all(re.fullmatch(r"actions/(?:checkout|setup-python|setup-node)@v\d+", action) for action in used), used


@table(("name", "systems"), [("posix", "[ubuntu-latest, macos-latest]"), ("windows", "[windows-latest]")])
def test_the_systems_and_their_pythons(name: str, systems: str) -> None:
    assert f"os: {systems}\n" in job(name)
    assert 'python: ["3.11", "3.13"]\n' in job(name)
    assert "fail-fast: false" in job(name)


def test_it_runs_what_the_makefile_runs() -> None:
    assert commands("posix") == ["make test"]
    assert commands("e2e")[-1] == "make e2e"
    checks = [line.removesuffix(" --platform linux") for line in commands("windows")]
    rules = [*recipe("lint"), *recipe("types")]
    assert checks[-1 - len(rules) : -1] == rules
    # With the attacks, which have a rule of their own elsewhere.
    assert checks[-1] == "pytest -q -n auto --dist worksteal --ignore tests/e2e"
    assert "python -m pip install --quiet --disable-pip-version-check -e '.[dev]'" in checks


@table("target", ["unit", "quick", "stress", "stress-short"])
def test_every_file_that_the_makefile_names_exists(target: str) -> None:
    """pytest runs no test at all if one of its arguments is missing."""
    shown = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    named = set(re.findall(r"(?<![\w=/])tests/[\w/]+(?:\.py)?", shown))
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
