"""An answer about one project may repeat what a dossier shows of another one: it is forgotten with that."""

import json
from pathlib import Path

import pytest

from lessons.capture.run import Options, run
from lessons.promote.refine.exchange import lines_of
from lessons.promote.refine.refine import dossiers, from_answers, waiting
from lessons.store.forget.forget import forget
from lessons.store.forget.scope import ForgetScope
from tests.builders.promotable import SHOP, mistake
from tests.builders.refinable import not_a_lesson, right
from tests.builders.transcript import Session
from tests.store.forget.forgettable import files_with

CELLAR, GARAGE = "/home/somebody/cellar", "/home/somebody/garage"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A mistake of one project; the program also works in two others."""
    for number in range(4):
        mistake(f"refined {number}", 10 + number, SHOP).write(tmp_path / "projects")
    for folder, word in ((CELLAR, "saffron"), (GARAGE, "petrol")):
        session = Session(word, folder)
        session.result(session.call("Bash", {"command": f"gh pr diff 99 --repo {word}/vault --name-only"}), "a.py")
        session.write(tmp_path / "projects")
    run(str(tmp_path / "home"), Options([str(tmp_path / "projects")]))
    return tmp_path / "home"


@pytest.mark.parametrize("worth", [True, False])
def test_no_byte_of_another_project_stays_in_an_answer(home: Path, worth: bool) -> None:
    [dossier] = [each.document() for each in dossiers(str(home), waiting(str(home)))]
    assert "saffron/vault" in str(dossier["nearestSuccesses"])
    answer = right(dossier) if worth else not_a_lesson(dossier)
    answer["solution" if worth else "reason"] = "Run `gh pr diff 99 --repo saffron/vault --name-only` to list files."
    [told] = from_answers(str(home), lines_of(json.dumps(answer)), "toy")
    assert told.reasons == []
    forget(str(home), ForgetScope(folders=(GARAGE,)))
    assert files_with(home, "saffron", "petrol") == {"history.db": ["saffron"]}
    assert b"to list files" in (home / "history.db").read_bytes(), "it has no word of what went"
    forget(str(home), ForgetScope(folders=(CELLAR,)))
    assert files_with(home, "saffron") == {}
