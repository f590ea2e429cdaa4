"""Whatever was mined, the queue can be shown, reviewed and promoted: one bad candidate does not affect the others."""

import json
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from lessons import config
from lessons.errors import Refused
from lessons.learn import sources
from lessons.learn.dossier import dossiers
from lessons.mistakes.trigger import Group, IsHere, OtherErrors, Proposal, propose
from lessons.promote import proposals
from lessons.promote.decide import Choice, draft, promote
from lessons.promote.queue import shown
from lessons.promote.review_case import waiting
from lessons.store import lesson_file, logs
from lessons.store.history.history import History
from tests.builders.mistakes import MISTAKES, Mistake, write_sessions
from tests.builders.mutated import write_mutated
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects
from tests.flows.scanning import scan
from tests.tables import table

MUTATED_EPISODES = int(os.environ.get("MUTATED_EPISODES", "300"))
_IN_A_HISTORY = 300
MISSING_PROGRAMS = (
    Mistake("pytest -q", "Exit code 127\n/bin/bash: line 1: pytest: command not found", "python -m pytest -q"),
    Mistake("tsc --noEmit", "Exit code 127\n(eval):1: command not found: tsc", "npx tsc --noEmit"),
    Mistake("eslint src", "Exit code 127\nsh: 1: eslint: not found", "npx eslint src"),
)


def test_a_missing_program_that_a_wrapper_finds(lessons: CommandLine) -> None:
    write_sessions(projects(lessons), mistakes=MISSING_PROGRAMS)
    lessons.ok("scan")
    found = lessons.json("candidates", "--all")["candidates"]
    assert len(found) == len(MISSING_PROGRAMS)
    assert [each["fault"] for each in found] == [None] * len(found)
    assert all(each["proposedTrigger"] for each in found)
    assert len(lessons.json("list", "--status", "candidate")["lessons"]) == len(found)
    assert len(lessons.json("scan", "candidates")["candidates"]) == len(found)
    assert lessons("scan", "promote", "1", "--yes").code == 0
    assert lessons("init", "--yes").code == 0


@table("seed", range(max(1, MUTATED_EPISODES // _IN_A_HISTORY)))
def test_mutated_episodes_go_through_the_whole_queue(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    write_mutated(tmp_path / "transcripts", random, sessions=_IN_A_HISTORY // 15, mistakes_each=15)
    home = str(tmp_path / "home")
    scan(Path(home), tmp_path / "transcripts")
    settings = config.load(home)
    with History.for_reading(home) as history:
        found = shown(history, settings, everything=True).candidates
        assert [each.fault for each in found if each.fault] == []
        drafts = [draft(history, settings, each, Choice(), []) for each in found]
    assert len(waiting(home, settings, everything=True).cases) > 0
    with History.for_reading(home) as history:
        everything = sources.waiting(history)
        assert len(dossiers(history, everything, [])) == len(everything) > 0
    assert logs.read_faults(home) == []
    acceptable = [each for each, made in zip(found, drafts, strict=True) if not made.problems]
    assert acceptable
    promoted = 0
    for each in acceptable[:3]:
        with suppress(Refused):  # one of them may say nearly the same as another
            promote(home, each, Choice(force=True))
            promoted += 1
    assert len(lesson_file.read(home).lessons()) == promoted > 0


def test_a_candidate_that_cannot_be_read_is_listed_and_the_others_are_shown(lessons: CommandLine) -> None:
    write_sessions(projects(lessons))
    lessons.ok("scan")
    before = lessons.json("candidates", "--all")["candidates"]
    broken = before[2]["fingerprint"]
    with closing(sqlite3.connect(lessons.home / "history.db", isolation_level=None)) as connection:
        connection.execute("UPDATE candidates SET document = '{\"problem\": [' WHERE fingerprint = ?", (broken,))
    after = {each["fingerprint"]: each for each in lessons.json("candidates", "--all")["candidates"]}
    assert after.keys() == {each["fingerprint"] for each in before}
    assert "could not be analysed" in after[broken]["noTrigger"]
    assert [name for name, each in after.items() if each["fault"]] == [broken]
    assert "could not be analysed" in lessons.ok("candidates", "--all")
    assert lessons("promote", broken, "--yes").code == 1
    assert lessons("promote", before[0]["fingerprint"], "--yes").code == 0


def test_a_fault_while_proposing_is_recorded_once(lessons: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    write_sessions(projects(lessons))
    lessons.ok("scan")

    def faulty(group: Group, other_errors: OtherErrors, is_here: IsHere) -> Proposal:
        if (group.failures[0].command or "").startswith("kubectl"):
            raise IndexError("planted")
        return propose(group, other_errors, is_here)

    monkeypatch.setattr(proposals, "propose", faulty)
    home = str(lessons.home)
    with closing(sqlite3.connect(f"{home}/history.db", isolation_level=None)) as connection:
        connection.execute("DELETE FROM proposals")  # the scan has worked them out
    for _ in range(2):
        with History.for_reading(home) as history:
            found = shown(history, config.load(home), everything=True).candidates
        assert len(found) == len(MISTAKES)
        [broken] = [each for each in found if each.fault]
        assert "kubectl" in broken.trigger
        assert broken.no_trigger is not None
        assert "could not be analysed" in broken.no_trigger
    [line] = logs.read_faults(home)
    assert "IndexError at test_any_candidate.py" in line
    assert "planted" not in json.dumps(line)
