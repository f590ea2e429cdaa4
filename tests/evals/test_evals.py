"""The whole run over a generated corpus: transcripts are scanned, mined and judged, reproducibly."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evals.mined import Found, mined
from evals.triggers import trials
from tests.builders.candidates import Seen, put_into
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session
from tests.evals.labelled import found

ROOT = Path(__file__).parents[2]
WRONG = "Exit code 1\nunknown flag: --stat\n\nUsage:  gh pr diff [<number>] [flags]"


def session(name: str, labels: list[dict[str, object]], said: list[dict[str, object]]) -> Session:
    """A flag that does not exist, put right; a test that fails; a tag; what a person says."""
    made = Session(name)
    said.append({"uuid": made.prompt("look at the change"), "verdict": "other"})
    for number in (7, 8):
        failed = made.call("Bash", {"command": f"gh pr diff {number} --stat"})
        made.result(failed, WRONG, error=True)
        labels.append({"id": failed, "verdict": "lesson", "key": "no-stat", "kind": "wrong-flag"})
        made.result(made.call("Bash", {"command": f"gh pr diff {number} --name-only"}), "a.py")
    failed = made.call("Bash", {"command": "pytest -q"})
    made.result(failed, "Exit code 1\nFAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed", error=True)
    labels.append({"id": failed, "verdict": "noise", "kind": "test"})
    made.say("#lesson\nproblem: The till has no rule.\nsolution: Write one.\n#/lesson")
    return made


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    labels: list[dict[str, object]] = []
    said: list[dict[str, object]] = []
    for day, name in enumerate(("one", "two")):
        made = session(name, labels, said)
        for line in made.lines:
            line["timestamp"] = str(line["timestamp"]).replace("2026-09-01", f"2026-09-0{day + 1}")
        made.write(tmp_path / "claude-code" / "projects")
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in labels))
    (tmp_path / "human-labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in said))
    return tmp_path


def run(corpus: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "evals", str(corpus), "--totals", str(corpus / "totals.json"), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_the_same_report_each_time_and_the_totals_beside_it(corpus: Path) -> None:
    first = run(corpus, "--keep")
    totals = json.loads((corpus / "totals.json").read_text())
    assert all(isinstance(value, int | float) for value in totals.values())
    for heading in ("Over the ranking", "By kind of candidate", "By mistake", "False candidates", "Triggers", "Replay"):
        assert heading in first
    for name in ("mined", "labelled"):
        assert f"mistakes as {name}: 1 of 1 (call 1, start 0, error 0); per mistake 1.000, at the call 1.000" in first
    again = run(corpus)
    assert again.split("\n\n")[1:] == first.split("\n\n")[1:]
    assert "+" not in again.split("\n\n")[0]


def test_the_queue_is_the_whole_queue(corpus: Path) -> None:
    with mined(corpus / "claude-code") as made:
        assert [candidate.index for candidate in made.candidates] == list(range(1, len(made.candidates) + 1))
        assert [candidate.tier for candidate in made.candidates if candidate.kind == "tag"] == [1]
        home = made.home
    assert not Path(home).exists()


def test_a_trigger_is_tried_on_every_call_of_its_family(tmp_path: Path) -> None:
    home = ScannedHome(tmp_path)
    labels: list[dict[str, object]] = []
    session("one", labels, []).write(home.transcripts)
    home.scan()
    failed = [str(row["id"]) for row in labels if row["verdict"] == "lesson"]
    put_into(home.home, "f1", seen=[Seen(failed=name) for name in failed])

    def trial(pattern: str) -> tuple[int, int, int, int, bool]:
        candidate: Found = found(*failed, proposed_trigger={"commandPatterns": [pattern]})
        (made,) = trials(home.path, [candidate, found("a1", tier=1), found("a1", index=9)])
        return made.caught, made.failures, made.hit, made.successes, made.is_good

    assert trial("gh pr diff 7") == (1, 2, 1, 2, False)
    assert trial("gh pr diff") == (2, 2, 2, 2, False)
    assert trial("gh pr diff .*--stat") == (2, 2, 0, 2, True)
