"""The steps to today's tables: none that was published ever changes, and a file is never half a step ahead."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from lessons.errors import Refused
from lessons.store.history import database
from lessons.store.history.migrations import STEPS

# A step that is in a released version is never edited: people have files that were made by it. Add a step instead.
PUBLISHED = (
    "2c8e08c9696b256f",
    "a06776e3436f23ba",
    "42ef7c11d60fbf4c",
    "e3b2efd079fe7719",
    "8b8c1beb5fade2fd",
    "93c8d0d3a9a9d2f3",
)
TABLES = set(
    "sources segments progress damaged known sessions calls marks prompts hook_contexts tags candidates evidence words"
    " facts indexed unmined episodes corrections diagnoses wordings injections opportunities unjudged messages"
    " stop_hooks delivered_prompts proposals trigger_hits changed_calls call_features"
    " earlier_names".split()
)
OPEN = "import sys; from lessons.store.history import database\nwith database.opened(sys.argv[1]): print('open')"
HALF = """
import sys, time
from lessons import paths
from lessons.store.history import database
from lessons.store.history.migrations import STEPS

import sqlite3
connection = sqlite3.connect(paths.history_file(sys.argv[1]), isolation_level=None)
connection.execute("PRAGMA journal_mode = WAL")
connection.execute("PRAGMA cache_size = 1")
connection.executescript("BEGIN IMMEDIATE; " + STEPS[0])
print("half", flush=True)
time.sleep(60)
"""


def tables(home: Path) -> set[str]:
    with closing(sqlite3.connect(home / "history.db")) as connection:
        names = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return {name for name in names if not name.startswith(("words_", "sqlite_"))}


def version(home: Path) -> int:
    with closing(sqlite3.connect(home / "history.db")) as connection:
        return database.version_of(connection)


def test_published_steps_are_never_changed() -> None:
    assert tuple(sha256(step.encode()).hexdigest()[:16] for step in STEPS[: len(PUBLISHED)]) == PUBLISHED


def test_a_fresh_file_has_all_tables(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)):
        pass
    assert tables(tmp_path) == TABLES
    assert version(tmp_path) == len(STEPS)


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        connection.execute("INSERT INTO facts VALUES ('a', 'b')")
    for _ in range(2):
        with database.opened(str(tmp_path)) as connection:
            assert connection.execute("SELECT * FROM facts").fetchall() == [("a", "b")]


def test_a_newer_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    before = (tmp_path / "history.db").read_bytes()
    sentence = r"history\.db was written by a newer lessons \(tables \d+\): update lessons\."
    with pytest.raises(Refused, match=sentence), database.opened(str(tmp_path)):
        pass
    assert (tmp_path / "history.db").read_bytes() == before


def test_a_step_that_was_killed_half_way_is_taken_again(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HALF, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "half\n"
        process.send_signal(signal.SIGKILL)
    assert version(tmp_path) == 0
    with database.opened(str(tmp_path)):
        pass
    assert tables(tmp_path) == TABLES


def test_a_file_that_was_only_just_made_gets_its_tables(tmp_path: Path) -> None:
    (tmp_path / "history.db").touch()
    with database.opened(str(tmp_path)):
        pass
    assert tables(tmp_path) == TABLES


def test_another_process_may_take_the_step_first(tmp_path: Path) -> None:
    """The other one is in time between the look at the version and the beginning of the step."""
    path = str(tmp_path / "history.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as ours:

        def the_other(statement: str) -> None:
            if statement.startswith("BEGIN"):
                ours.set_trace_callback(None)
                with database.opened(str(tmp_path)):
                    pass

        ours.set_trace_callback(the_other)
        database.migrate(ours, path)
    assert tables(tmp_path) == TABLES


def test_several_processes_open_an_existing_file_together(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)):
        pass
    command = [sys.executable, "-c", OPEN, str(tmp_path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate(timeout=60)[0] for process in started] == ["open\n"] * 4
    assert version(tmp_path) == len(STEPS)


def test_messages_survive_their_new_table(tmp_path: Path) -> None:
    columns = (
        "message_id, agent, session_id, agent_id, project, time, model, request_id, stop_reason,"
        " input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, copied"
    )
    row = ("msg_1", "claude-code", "s1", "", "/p", "2026-01-31T10:00:00Z", "m", "r", "end_turn", 1, 2, 3, 4, 0)
    with closing(sqlite3.connect(tmp_path / "history.db")) as connection:
        for step in STEPS[:11]:
            connection.executescript(step)
        connection.execute("PRAGMA user_version = 11")
        connection.execute(f"INSERT INTO messages ({columns}) VALUES ({', '.join('?' * len(row))})", row)
        connection.commit()
    with database.opened(str(tmp_path)) as connection:
        assert connection.execute(f"SELECT {columns} FROM messages").fetchall() == [row]
        assert connection.execute("SELECT * FROM session_tokens").fetchall() == [("claude-code", "s1", 1, 1, 2, 3, 4)]


def test_the_names_of_earlier_candidates_are_kept_by_their_calls(tmp_path: Path) -> None:
    def candidate(name: str, tier: int, document: str) -> None:
        connection.execute(
            "INSERT INTO candidates (fingerprint, tier, kind, document, confidence, status)"
            " VALUES (?, ?, 'wrong-flag', ?, 0.5, 'archived')",
            (name, tier, document),
        )
        connection.execute(
            "INSERT INTO evidence (fingerprint, session_id, uuid, number, tool_use_id, fix_tool_use_id, message_id,"
            " project, time, file) VALUES (?, 's1', ?, 0, ?, '', '', '/p', '', '/a')",
            (name, name, f"call-{name}"),
        )

    with closing(sqlite3.connect(tmp_path / "history.db")) as connection:
        for step in STEPS[:12]:
            connection.executescript(step)
        connection.execute("PRAGMA user_version = 12")
        candidate("fix-1", 2, '{"aliases": ["fix-0"]}')
        candidate("fix-2", 2, "{}")
        candidate("fix-3", 2, "{no JSON")
        candidate("say-1", 3, "{}")
        connection.commit()
    with database.opened(str(tmp_path)) as connection:
        found = connection.execute("SELECT tool_use_id, fingerprint FROM earlier_names ORDER BY 1, 2").fetchall()
    assert found == [("call-fix-1", "fix-0"), ("call-fix-1", "fix-1"), ("call-fix-2", "fix-2"), ("call-fix-3", "fix-3")]
