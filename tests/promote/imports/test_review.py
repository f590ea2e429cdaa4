"""Drafts on their way into the queue: the same intake as for everything, nothing stored twice, nothing secret."""

from pathlib import Path
from typing import Any

import pytest

from lessons import config
from lessons.promote import catalog
from lessons.promote.candidate import Candidate
from lessons.promote.imports.review import Draft, Source, into_review
from lessons.promote.queue import shown
from lessons.redact.texts import redacted
from lessons.store.history import database
from lessons.store.history.history import History
from tests.builders.home import DataHome
from tests.builders.lessons import Document
from tests.builders.shared import hinting, shared

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


def draft(document: Document) -> Draft:
    wanted = ("summary", "problem", "solution", "triggers", "scope", "tags", "confidence")
    return Draft("line 1", str(document["slug"]), {key: document[key] for key in wanted if key in document})


def results(home: DataHome, *documents: Document, dry_run: bool = False, project: str = "") -> list[tuple[str, str]]:
    source = Source("/there/file.json", project, [draft(document) for document in documents])
    return [(line.result, line.reason) for line in into_review(home.path, [source], redacted, dry_run)]


def queue(home: DataHome) -> list[Candidate]:
    with History.for_reading(home.path) as history:
        return shown(history, config.load(home.path, {}), everything=False).candidates


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"summary": "short"}, "write at least 20 characters"),
        ({"problem": "npm writes a second lock\u200b file, and the two drift apart."}, "problem has U+200B"),
        ({"solution": "Call pnpm install; \U000e0041 it does the same."}, "solution has U+E0041"),
        ({"problem": "<what_went_wrong> again and again"}, "placeholder"),
        ({"triggers": {"commandPatterns": ["("]}}, "not a valid regex"),
        ({"triggers": {"commandPatterns": ["^(a+)+$"]}}, "more than 50 ms"),
        ({"triggers": {}}, "triggers is empty"),
        ({"triggers": {"commandPatterns": ["running the tests again"]}}, "a description"),
        ({"triggers": {"commandPatterns": 7}}, "triggers.commandPatterns is 7"),
        ({"triggers": {"commandPatterns": [f"curl {TOKEN}"]}}, "triggers seems to contain a secret"),
        ({"solution": "x" * 40_000}, "larger than 32 KB"),
    ],
)
def test_what_intake_refuses_never_enters(changes: dict[str, Any], reason: str, home: DataHome) -> None:
    [(result, said)] = results(home, hinting(**changes))
    assert result == "refused"
    assert reason in said
    assert not (home.folder / "history.db").exists()


def test_a_dry_run_leaves_no_trace(home: DataHome) -> None:
    before = sorted(home.folder.rglob("*"))
    assert results(home, hinting(), dry_run=True) == [("taken", "")]
    assert sorted(home.folder.rglob("*")) == before


def test_a_history_that_was_only_begun_is_no_hindrance(home: DataHome) -> None:
    (home.folder / "history.db").touch()
    assert results(home, hinting(), dry_run=True) == [("taken", "")]
    assert (home.folder / "history.db").read_bytes() == b""
    assert results(home, hinting()) == [("taken", "")]


def test_what_is_there_is_not_taken_again(home: DataHome) -> None:
    catalog.add(home.path, shared(block=False, blockReason=None))
    assert results(home, shared()) == [("already there", "it is your lesson no-force-push.")]
    assert results(home, hinting(), hinting("again")) == [
        ("taken", ""),
        ("already there", "it is already a candidate."),
    ]
    assert results(home, hinting()) == [("already there", "it is already a candidate.")]
    with database.opened(home.path) as connection:
        connection.execute("UPDATE candidates SET status = 'archived'")
    assert results(home, hinting()) == [("already there", "it was rejected before.")]


def test_what_nearly_says_the_same_is_refused_by_the_name_it_has_there(home: DataHome) -> None:
    other = hinting("again", triggers={"commandPatterns": ["npm install", "npm ci"]})
    alike = {**other, "problem": f"{other['problem']} So it is."}
    [_, (result, reason)] = results(home, hinting(), alike)
    assert result == "refused"
    assert "nearly the same as use-pnpm" in reason


def test_a_bare_word_is_told(home: DataHome) -> None:
    [(result, reason)] = results(home, hinting(triggers={"commandPatterns": ["tsc"]}))
    assert result == "taken" and "a bare word" in reason
    assert queue(home)[0].trigger == r"\btsc\b"


@pytest.mark.parametrize("own", [True, False])
def test_the_same_text_with_another_pattern_is_there_already(home: DataHome, own: bool) -> None:
    other = hinting("again", triggers={"commandPatterns": [r"\bnpm install"]})
    if own:
        home.write({"id": "own", **hinting()})
    told = results(home, *(() if own else (hinting(),)), other)
    assert told[-1] == ("already there", "use-pnpm has the same text.")


def test_what_is_taken_waits_in_the_queue_and_nowhere_else(home: DataHome) -> None:
    assert results(home, hinting(), project="/home/somebody/shop") == [("taken", "")]
    [candidate] = queue(home)
    assert (candidate.tier, candidate.kind, candidate.evidence, candidate.index) == (1, "import", [], 1)
    assert candidate.proposed_trigger == {"commandPatterns": ["npm install"], "matchOn": "invocation"}
    assert (candidate.scope.type, candidate.scope.path) == ("project", "/home/somebody/shop")
    assert (candidate.summary, candidate.solution) == (hinting()["summary"], hinting()["solution"])
    assert candidate.source == "/there/file.json, line 1"
    assert not (home.folder / "lessons.json").exists()
    assert (home.folder / "cross-project-candidates.json").exists()


def test_no_secret_is_stored(home: DataHome) -> None:
    assert results(home, hinting(problem=f"It asks for {TOKEN} each time that it is run."))[0][0] == "taken"
    for file in home.folder.iterdir():
        if file.is_file():
            assert TOKEN.encode() not in file.read_bytes()
    assert "[redacted:" in queue(home)[0].problem
