"""Compacting: what something rests on keeps its arguments, old good calls lose theirs."""

import json
from datetime import timedelta
from pathlib import Path

from lessons.capture.retention import compact_when_due, cutoff
from lessons.capture.run import Options, run
from lessons.store.history.find import Query
from lessons.store.history.history import History
from tests.builders.client_lines import START
from tests.builders.days import Did, on_day

EDIT = Did(tool="Edit", arguments={"file_path": "/home/dev/a.py", "new_string": "total = 1\n" * 50})
SEARCH = Did(tool="WebSearch", arguments={"query": "rhubarb " * 20})
WRONG = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat")
RIGHT = Did(arguments={"command": "gh pr diff 7 --name-only", "description": "List the changed files"})
LISTED = Did(arguments={"command": "ls -la", "description": "List files"})


def scanned(tmp_path: Path) -> str:
    """One old session and a young one, with the same calls."""
    for day in (0, 100):
        on_day(day, WRONG, RIGHT, EDIT, SEARCH, LISTED).write(tmp_path / "root")
    run(str(tmp_path / "home"), Options([str(tmp_path / "root")], processes=1))
    return str(tmp_path / "home")


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
        with history.transaction():
            assert history.compaction.shorten(cutoff(50, START + timedelta(days=101))) == old.calls == 3
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


def test_once_a_day_and_only_where_it_is_set(tmp_path: Path) -> None:
    now = START + timedelta(days=101)
    with History.opened(scanned(tmp_path)) as history:
        assert compact_when_due(history, 0, now) == 0
        assert compact_when_due(history, 50, now) == 3
        assert compact_when_due(history, 1, now + timedelta(hours=23)) == 0
        assert compact_when_due(history, 1, now + timedelta(hours=25)) == 3
