"""Whatever was mined, the queue can be shown, reviewed and promoted: one bad candidate does not affect the others."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from lessons import config
from lessons.errors import Refused
from lessons.learn import sources
from lessons.learn.dossier import dossiers
from lessons.promote.decide import promote
from lessons.promote.draft import Choice, make_draft
from lessons.promote.queue import shown
from lessons.promote.review_case import waiting
from lessons.store import lesson_file, logs
from lessons.store.history.history import History
from tests.builders.mistakes import write_sessions
from tests.builders.mutated import write_mutated
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects
from tests.flows.scanning import scan
from tests.tables import table

MUTATED_EPISODES = int(os.environ.get("MUTATED_EPISODES", "300"))
_IN_A_HISTORY = 300


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
        drafts = [make_draft(history, settings, each, Choice(), []) for each in found]
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
