"""Compacting: what something rests on keeps its arguments, old good calls lose theirs."""

import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from lessons.mistakes.good_calls import call_of
from lessons.model import Lesson, Triggers
from lessons.promote.backtest import backtest
from lessons.promote.matching import Matcher
from lessons.prove.update import update_ledger
from lessons.scan.run import Options, compact_when_due, cutoff, run
from lessons.store.history.history import History
from lessons.store.history.search import Query
from tests.builders.client_lines import START
from tests.builders.days import Did, on_day
from tests.tables import table

EDIT = Did(tool="Edit", arguments={"file_path": "/home/dev/a.py", "new_string": "total = 1\n" * 50})
SEARCH = Did(tool="WebSearch", arguments={"query": "rhubarb " * 20})
WRONG = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat")
RIGHT = Did(arguments={"command": "gh pr diff 7 --name-only", "description": "List the changed files"})
LISTED = Did(arguments={"command": "ls -la", "description": "List files"})


def scanned(tmp_path: Path) -> str:
    """One old session and a young one, with the same calls."""
    for day in (0, 100):
        on_day(day, WRONG, RIGHT, EDIT, SEARCH, LISTED).write(tmp_path / "root")
    return judged(tmp_path)


def judged(tmp_path: Path) -> str:
    """A data home after a scan, with the ledger."""
    options = Options([str(tmp_path / "root")], processes=1)
    run(str(tmp_path / "home"), options, then=update_ledger)
    return str(tmp_path / "home")


def compacted(history: History, days: int = 50) -> int:
    with history.transaction():
        return history.compaction.shorten(cutoff(days, START + timedelta(days=101)))


def arguments(history: History) -> list[dict[str, object]]:
    """Of all calls, the oldest first."""
    sessions = sorted(history.sessions.spans(), key=lambda span: span.start)
    names = [call.tool_use_id for span in sessions for call in history.calls.of_session(span.session_id)]
    return [json.loads(row.arguments) for row in history.calls.named(names)]


def test_what_stays_and_what_goes(tmp_path: Path) -> None:
    home = scanned(tmp_path)
    with History.opened(home) as history:
        before = arguments(history)
        old = history.compaction.survey(cutoff(50, START + timedelta(days=101)))
        assert arguments(history) == before
        assert compacted(history) == old.calls == 3
        after = arguments(history)
        assert after[5:] == before[5:]  # young
        assert after[:2] == before[:2]  # a mistake and what fixed it
        assert after[2:5] == [{"file_path": "/home/dev/a.py"}, {}, {"command": "ls -la"}]
        lost = [len(json.dumps(one)) - len(json.dumps(other)) for one, other in zip(before, after, strict=True)]
        assert 0.9 * sum(lost) < old.characters <= sum(lost)  # stored without spaces
        assert history.calls.tally() == [("claude-code", "failed", 2), ("claude-code", "ok", 8)]
        assert history.compaction.survey(cutoff(50, START + timedelta(days=101))).calls == 0
    with History.for_reading(home) as history:
        assert len(history.search(Query(words=["rhubarb"])).results) == 1


KEPT: dict[str, str] = {
    "a session that is not mined yet": "INSERT INTO unmined (session_id) SELECT session_id FROM sessions",
    "a session that is not judged yet": "INSERT INTO unjudged SELECT session_id FROM sessions",
    "what a person answered": "INSERT INTO corrections SELECT id, session_id, 'rule', 1, tool_use_id FROM calls",
    "calls at which a lesson fired": "INSERT INTO injections SELECT id, id, time, '', '', session_id, '', tool_use_id,"
    " '', '', '', '', '{}' FROM calls",
}


@table("name", KEPT)
def test_what_something_may_rest_on(name: str, tmp_path: Path) -> None:
    home = scanned(tmp_path)
    with closing(sqlite3.connect(f"{home}/history.db")) as connection, connection:
        connection.execute(KEPT[name])
    with History.opened(home) as history:
        assert compacted(history) == history.compaction.survey(cutoff(50, START + timedelta(days=101))).calls == 0


def test_triggers_on_paths_see_the_same(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: src/a.py\n-old\n+new\n*** Add File: b.py\n+new\n*** End Patch"
    long = "total = 1\n" * 50
    calls = [
        Did(tool="Edit", arguments={"file_path": "src/a.py", "new_string": long}),
        Did(tool="NotebookEdit", arguments={"notebook_path": "/home/dev/a.ipynb", "new_source": long}),
        Did(tool="Move", arguments={"path": "a.py", "absolute_path": "/home/dev/b.py", "reason": long}),
        Did(tool="ReadMany", arguments={"paths": ["src/a.py", "src/b.py"], "reason": long}),
        Did(tool="apply_patch", arguments={"input": patch}),
    ]
    on_day(0, *calls).write(tmp_path / "root")
    with History.opened(judged(tmp_path)) as history:
        (session,) = history.sessions.spans()
        names = [call.tool_use_id for call in history.calls.of_session(session.session_id)]
        before = [call_of(row).paths for row in history.calls.named(names)]
        assert compacted(history) == len(calls)
        assert [call_of(row).paths for row in history.calls.named(names)] == before
        assert [call_of(row).content for row in history.calls.named(names)] == [None] * len(calls)


def test_a_back_test_does_not_count_the_failures_alone(tmp_path: Path) -> None:
    """Failed calls keep their arguments and good ones lose them: together they would be taken for proof."""
    edit: dict[str, object] = {"file_path": "/home/dev/a.py", "new_string": "import moment\n" * 20}
    failed, good = Did(tool="Edit", arguments=edit, error="moment is not allowed"), Did(tool="Edit", arguments=edit)
    for day, calls in ((0, [failed, *[good] * 9]), (100, [failed, good])):
        on_day(day, *calls).write(tmp_path / "root")
    with History.opened(judged(tmp_path)) as history:
        content = Triggers(content_patterns=["import moment"])
        old = [row.tool_use_id for row in history.calls.newest_failures()][1:]
        assert (whole := backtest(history, content)).hits == 12 and whole.precision.value == round(2 / 12, 4)
        compacted(history)
        report = backtest(history, content)
        assert (report.hits, report.precision.value) == (2, 0.5)
        assert backtest(history, content, failed_calls=old).learned_hits == 1
        assert backtest(history, Triggers(path_patterns=["**/a.py"])).hits == 12
        lesson = Lesson(id="L", slug="l", summary="No", problem="No.", solution="Yes.", triggers=content)
        matcher, everything = Matcher(history, [lesson]), history.calls.matching("tool", lambda tool: True)
        assert sum(bool(matcher.fired(past)) for past in everything) == 2
        assert len(history.calls.successes_of_tool("Edit")) == 1


def test_once_a_day_and_only_where_it_is_set(tmp_path: Path) -> None:
    now = START + timedelta(days=101)
    with History.opened(scanned(tmp_path)) as history:
        assert compact_when_due(history, 0, now) == 0
        assert compact_when_due(history, 50, now) == 3
        assert compact_when_due(history, 1, now + timedelta(hours=23)) == 0
        assert compact_when_due(history, 1, now + timedelta(hours=25)) == 3
