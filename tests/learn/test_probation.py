"""Probation: what costs a learned lesson its trigger at the call, and what does not."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lessons.learn.accept import activate, take
from lessons.learn.answer import answers_in
from lessons.learn.probation import STEP, ended
from lessons.promote import catalog
from lessons.promote.undo import undo_change
from lessons.prove.update import after_scan
from lessons.scan.run import Options, run
from lessons.store import lesson_file
from tests.builders.learnable import RIGHT, write_sessions
from tests.builders.transcript import Session
from tests.flows.scanning import scan
from tests.learn.test_learning import exported
from tests.tables import table


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("accepted")
    write_sessions(folder / "projects", sessions=3)
    scan(folder / "home", folder / "projects")
    [dossier] = [each for each in exported(folder / "home") if "--stat" in each["calls"][0]["command"]]
    told = take(str(folder / "home"), answers_in(json.dumps({"id": dossier["id"], "lesson": RIGHT})), "toy")
    activate(str(folder / "home"), {each.id for each in told.accepted})
    return folder


@pytest.fixture
def home(accepted: Path, tmp_path: Path) -> Path:
    shutil.copytree(accepted, tmp_path, dirs_exist_ok=True)
    return tmp_path / "home"


def works(home: Path, *commands: str) -> None:
    """Another session in which these calls succeed, and a scan."""
    session = Session(f"later {len(commands)} {commands[0]}")
    for command in commands:
        session.result(session.call("Bash", {"command": command}), "done")
    session.write(home.parent / "projects")
    options = Options([str(home.parent / "projects")], processes=1, agents=("claude-code",))
    run(str(home), options, then=lambda history: [*after_scan(history)])


def triggers(home: Path) -> dict[str, Any]:
    file = lesson_file.read(str(home))
    [record] = [file.find(each.slug) for each in file.lessons()]
    assert isinstance(record["triggers"], dict)
    return record["triggers"]


def acts_at_call(home: Path) -> bool:
    return bool(triggers(home).get("commandPatterns"))


# What costs nothing.


@table(
    "commands",
    [
        ("gh pr diff 1 --stat",),
        ("gh pr diff 1 --name-only", "gh pr diff 2 --name-only"),
        ("git diff --stat", "git diff --stat HEAD"),
    ],
)
def test_one_good_call_or_others_cost_nothing(commands: tuple[str, ...], home: Path) -> None:
    works(home, *commands)
    assert acts_at_call(home) and ended(str(home)) == []


def test_what_a_person_changed_is_theirs(home: Path) -> None:
    [slug] = [each.slug for each in lesson_file.read(str(home)).lessons()]
    catalog.edit(str(home), slug, {"triggers": {"commandPatterns": ["gh pr diff .*--stat"]}})
    works(home, "gh pr diff 1 --stat", "gh pr diff 2 --stat")
    assert acts_at_call(home)


# What costs the trigger.


def test_two_good_calls_cost_the_trigger_at_the_call_and_undo_restores_it(home: Path) -> None:
    before = triggers(home)
    works(home, "gh pr diff 1 --stat", "gh pr diff 2 --stat")
    assert {key: value for key, value in triggers(home).items() if value} == {"errorPatterns": before["errorPatterns"]}
    [step] = ended(str(home))
    assert (step.step, step.action) == (STEP, "tended")
    assert step.reason == "It fired on 2 calls that worked: it now acts only at the error."
    undo_change(str(home), step.id)
    assert triggers(home) == before and ended(str(home)) == []
    works(home, "gh pr diff 3 --stat", "gh pr diff 4 --stat", "gh pr diff 5 --stat")
    assert acts_at_call(home), "a person who takes it back decides for good"
