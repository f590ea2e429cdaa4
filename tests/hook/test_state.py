"""Conditions on the machine's state, by the installed hook in a real project: working calls are left alone."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lessons.promote.starter import pack
from tests.builders import payloads
from tests.builders.home import DataHome, context_of, reason_of
from tests.builders.lessons import lesson
from tests.builders.project_tree import make_tree
from tests.hook.state_calls import good, wrong

ZORK = lesson(
    "no-zork",
    solution="zork is not installed: use the long form in its place.",
    triggers={"commandPatterns": ["zork(?: |$)"], "when": {"missing": ["zork"]}},
)
LEAST_GOOD_CALLS = 200
_numbers = iter(range(1_000_000))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> DataHome:
    """With the whole starter pack, and a lesson about a program that nobody has."""
    home = DataHome(tmp_path_factory.mktemp("home"))
    starter = [{"id": f"starter-{number}", **record} for number, record in enumerate(pack())]
    report = home.publish(*starter, ZORK)
    assert report.included == len(starter) + 1
    return home


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tree(tmp_path_factory.mktemp("tree") / "shop")


def call(folder: Path, command: str) -> payloads.Payload:
    """Each in a session of its own, so that nothing is quiet only because it was said before."""
    return payloads.bash(command, session=f"session-{next(_numbers)}", cwd=str(folder))


def alarms(home: DataHome, project: Path) -> Iterator[str]:
    for where, command in good():
        folder = (project / where).resolve()
        answer = home.run(call(folder, command))
        done = subprocess.run(
            ["/bin/bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
        )
        assert done.returncode == 0, f"not a good call: {where}: {command}\n{done.stderr.decode()}"
        if answer != (0, None):
            yield f"{where}: {command}: {reason_of(answer) or context_of(answer)}"


def test_no_alarm_at_calls_that_work(home: DataHome, project: Path) -> None:
    assert len(good()) >= LEAST_GOOD_CALLS
    assert list(alarms(home, project)) == []
    assert home.faults() == ""


def test_calls_in_the_wrong_folder_are_caught(home: DataHome, project: Path) -> None:
    missed = []
    for slug, where, command, words in wrong():
        answer = home.run(call((project / where).resolve(), command))
        told = reason_of(answer) or context_of(answer)
        fired = home.log()[-1].get("slug", "") if home.log() else "nothing"
        if fired != slug or words.format(root=project) not in told:
            missed.append(f"{slug} {where}: {command}: {fired} {told}")
    assert missed == []
    assert home.faults() == ""


def test_outside_of_a_repository_nothing_is_said(home: DataHome, tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "Makefile").write_text("all:\n")
    for command in ("cd a", "cat a/x", "make"):
        assert home.run(call(tmp_path / "a" / "b", command)) == (0, None)


def test_folder_that_is_gone_is_unknown(home: DataHome, project: Path) -> None:
    for command in ("cd web", "cat README.md", "make"):
        assert home.run(call(project / "gone", command)) == (0, None)


def test_program_is_missing_wherever_a_call_runs(home: DataHome, project: Path) -> None:
    code, answer = home.run(call(project / "gone", "zork"))
    assert (code, "zork is not installed" in str(answer)) == (0, True)


def test_a_reset_is_stopped_once_only_where_it_loses_something(home: DataHome, project: Path) -> None:
    payload = call(project, "git fetch -q; git reset --hard")
    assert home.run(payload) == (0, None)
    file = project / "README.md"
    text = file.read_text()
    file.write_text("work in progress")
    try:
        assert "git-reset-hard-discards-uncommitted-work" in reason_of(home.run(payload))
        assert home.run({**payload, "tool_use_id": "toolu_again"})[1] is None
    finally:
        file.write_text(text)
