"""A folder that is to be forgotten: SQL and Python agree on what lies in it, in the spelling of either system."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.errors import Busy, NotFound, Refused
from lessons.store import consent, logs
from lessons.store.consent import Forgotten, digest
from lessons.store.forget import finish, forget, session_named, survey
from lessons.store.forget_scope import ForgetScope
from lessons.store.history import database
from lessons.store.history.search import Query, find
from tests.builders.transcript import Session
from tests.store.forgettable import INNER, OTHER, SHOP, TAG, files_with, kitchen, scan, told
from tests.tables import table

folders = st.builds(
    str.__add__, st.sampled_from(["/", "C:", "c:/", "\\\\a"]), st.text(st.sampled_from("aC:/\\"), max_size=6)
)


def finds(scope: ForgetScope, folder: str) -> bool:
    condition, values = scope.below("?1")
    numbered = condition.replace("= ?", "= ?3").replace(", ?)", ", ?2)")
    with closing(sqlite3.connect(":memory:")) as connection:
        return bool(connection.execute(f"SELECT {numbered}", (folder, *values)).fetchone()[0])


@table(
    ("wished", "folder", "inside"),
    [
        ("/shop", "/shopping", False),
        ("/shop/api", "/shop", False),
        ("C:\\shop", "C:\\shopping", False),
        ("C:\\shop", "D:\\shop", False),
        ("/odd\\name", "/odd/name", False),
        ("/shop", "/shop", True),
        ("/shop/", "/shop/api", True),
        ("/", "/shop", True),
        ("C:\\shop", "C:\\shop", True),
        ("c:/shop", "C:\\shop\\api", True),
        ("C:\\shop\\", "c:/shop/api", True),
    ],
)
def test_what_lies_in_a_folder(wished: str, folder: str, inside: bool) -> None:
    scope = ForgetScope(folders=(wished,))
    assert scope.covers_folder(folder) is inside
    assert finds(scope, folder) is inside


@given(folders, folders)
def test_both_ways_agree(wished: str, folder: str) -> None:
    scope = ForgetScope(folders=(wished,))
    if wished[1:2] == ":" or wished[:2] == "\\\\" or (folder[1:2] != ":" and folder[:2] != "\\\\"):
        assert finds(scope, folder) is scope.covers_folder(folder)


def test_a_forgotten_folder_of_windows_is_known_in_every_spelling() -> None:
    forgotten = Forgotten(projects={digest("c:/Users/me/shop"): "2026-02-01"})
    for folder in ("C:\\Users\\me\\shop", "c:\\Users\\me\\shop\\src", "C:/Users/me/shop"):
        assert forgotten.covers("s", folder, "2026-01-01"), folder
    assert not forgotten.covers("s", "C:\\Users\\me\\shopping", "2026-01-01")


WISHES = {
    "project": (ForgetScope(folders=(SHOP,)), ("saffron", "cardamom"), ("thyme",)),
    "inner project": (ForgetScope(folders=(INNER,)), ("cardamom",), ("saffron", "thyme")),
    "session": (ForgetScope(session=Session("saffron").id), ("saffron",), ("cardamom", "thyme")),
    "time": (ForgetScope(before="2026-09-02T00:00:00.000Z"), ("saffron", "cardamom", "thyme"), ()),
}


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three sessions, and a home that has read them."""
    folder = tmp_path_factory.mktemp("scanned")
    kitchen(folder / "projects")
    scan(folder / "home", folder / "projects")
    return folder


@pytest.fixture
def projects(scanned: Path) -> Path:
    return scanned / "projects"


@pytest.fixture
def home(scanned: Path, tmp_path: Path) -> Path:
    shutil.copytree(scanned / "home", tmp_path / "home")
    return tmp_path / "home"


def tables(home: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything but numbers of rows and what a second reading counts again."""
    names = "sessions calls prompts hook_contexts stop_hooks messages tags evidence candidates marks diagnoses".split()
    with database.for_reading(str(home)) as connection:
        connection.row_factory = None
        found = {}
        for name in names:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({name})")]
            wanted = ", ".join(column for column in columns if column not in ("id", "source_id"))
            found[name] = sorted(connection.execute(f"SELECT {wanted} FROM {name}").fetchall(), key=repr)
        return found


def injection(session: str, cwd: str, time: str = "2026-09-01T08:00:00.000Z") -> str:
    return json.dumps({"time": time, "session": session, "cwd": cwd, "slug": "x"}, separators=(",", ":")) + "\n"


@pytest.mark.parametrize(
    "scope", [ForgetScope(session="0" * 36), ForgetScope(folders=("/home/somebody/sho",)), ForgetScope(before="2026")]
)
def test_what_does_not_match_takes_nothing(scope: ForgetScope, home: Path) -> None:
    before = tables(home)
    assert not survey(str(home), scope)
    assert not forget(str(home), scope)
    assert tables(home) == before


@pytest.mark.parametrize("name", WISHES)
def test_no_byte_of_it_is_left_and_nothing_else_goes(name: str, home: Path, projects: Path) -> None:
    scope, gone, kept = WISHES[name]
    assert "history.db" in files_with(home, *gone)
    before = tables(home)
    looked = survey(str(home), scope)
    assert tables(home) == before and consent.read_forgotten(str(home)) == consent.Forgotten()
    assert looked == forget(str(home), scope)
    assert looked.rows["prompts"] == looked.rows["tags"] == looked.rows["sessions"] == len(gone)
    assert looked.rows["calls"] == 2 * len(gone) + ("saffron" in gone)
    assert looked.first[:10] == looked.last[:10] == "2026-09-01"
    assert files_with(home, *gone, *(Session(word).id for word in gone)) == {}
    after = tables(home)
    for name, rows in before.items():
        # A mistake that a forgotten session shares with others is described again by the next scan.
        if name not in ("evidence", "candidates"):
            assert after[name] == [row for row in rows if any(word in repr(row) for word in kept) or _is_of(row, kept)]
    with database.for_reading(str(home)) as connection:
        assert find(connection, Query(["cook"])).total == 2 * len(kept)
    scan(home, projects, full=True)
    again = tables(home)
    assert files_with(home, *gone, *(Session(word).id for word in gone)) == {}
    assert {name: again[name] for name in after if name not in ("evidence", "candidates")} == {
        name: rows for name, rows in after.items() if name not in ("evidence", "candidates")
    }
    scan(home, projects)
    assert tables(home) == again
    assert files_with(home, *gone) == {}


def _is_of(row: tuple[object, ...], words: tuple[str, ...]) -> bool:
    return any(Session(word).id in row for word in words)


def test_without_its_repository_a_folder_inside_stays_forgotten(tmp_path: Path) -> None:
    """A session in a folder of a repository, a work tree elsewhere; then both are gone from the disk."""
    main, tree = tmp_path / "repository", tmp_path / "tree"
    home, projects = tmp_path / "home", tmp_path / "projects"
    (main / ".git" / "worktrees" / "tree").mkdir(parents=True)
    (main / "part").mkdir()
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/tree\n", encoding="utf-8")
    told(Session("part", str(main / "part")), "saffron").write(projects)
    told(Session("tree", str(tree)), "cardamom").write(projects)
    scan(home, projects)
    assert forget(str(home), ForgetScope(folders=(str(main),))).rows["sessions"] == 2
    shutil.rmtree(main)
    shutil.rmtree(tree)
    scan(home, projects, full=True)
    assert tables(home)["calls"] == []
    assert files_with(home, "saffron", "cardamom") == {}


def test_a_session_in_two_projects_keeps_its_other_half(tmp_path: Path) -> None:
    home, projects = tmp_path / "home", tmp_path / "projects"
    session = told(Session("both", SHOP), "saffron")
    session.in_folder(OTHER)
    session.result(session.call("Bash", {"command": "chop parsley"}), "ok")
    session.write(projects)
    scan(home, projects)
    forget(str(home), ForgetScope(folders=(SHOP,)))
    assert files_with(home, "saffron") == {}
    after = tables(home)
    assert len(after["calls"]) == 1
    assert [row[2:6] for row in after["sessions"]] == [(OTHER, after["calls"][0][8], after["sessions"][0][4], "")]
    scan(home, projects, full=True)
    assert tables(home)["calls"] == after["calls"]
    assert tables(home)["sessions"][0][2] == OTHER
    session.result(session.call("Bash", {"command": "chop dill"}), "ok")
    session.write(projects)
    scan(home, projects)
    assert len(tables(home)["calls"]) == 2


def test_a_candidate_that_others_support_no_longer_shows_what_went(tmp_path: Path) -> None:
    home, projects = tmp_path / "home", tmp_path / "projects"
    for name, folder, more in (("full", SHOP, "summary: rosemary beside it\ntags: topic:oven\n"), ("bare", OTHER, "")):
        session = Session(name, folder)
        session.say(TAG.format("basil", more))
        session.write(projects)
    scan(home, projects)
    assert len(tables(home)["candidates"]) == 1
    assert len(tables(home)["evidence"]) == 2
    done = forget(str(home), ForgetScope(folders=(SHOP,)))
    assert (done.rows["candidates"], done.rows["evidence"]) == (0, 1)
    assert len(tables(home)["candidates"]) == len(tables(home)["evidence"]) == 1
    assert files_with(home, "rosemary") == {}
    assert "history.db" in files_with(home, "basil")


def test_a_time_within_a_session(home: Path, projects: Path) -> None:
    """The calls before it go, those after it stay, and the title, which tells of all of it, goes."""
    with database.for_reading(str(home)) as connection:
        middle = connection.execute("SELECT max(time) FROM calls WHERE command LIKE 'simmer%'").fetchone()[0]
    forget(str(home), ForgetScope(before=middle))
    after = tables(home)
    assert {str(row[12]).partition("-")[0] for row in after["calls"]} == {"simmer", "grind"}
    assert after["prompts"] == []
    assert all(row[3] >= middle and row[5] == "" for row in after["sessions"])
    scan(home, projects, full=True)
    assert tables(home)["calls"] == after["calls"]


@pytest.mark.parametrize("name", WISHES)
def test_logs_lose_their_lines_and_no_others(name: str, home: Path) -> None:
    scope, gone, kept = WISHES[name]
    folders = {"saffron": SHOP, "cardamom": INNER, "thyme": OTHER}
    lines = [injection(Session(word).id, folder) for word, folder in folders.items()]
    last = injection("still-here", "/elsewhere", "2027-01-01T00:00:00.000Z")
    for file in ("injections.jsonl", "injections.jsonl.1", "injections-2026-09.jsonl", "backups/injections.jsonl"):
        (home / file).parent.mkdir(exist_ok=True)
        (home / file).write_text(
            f"{lines[0][:60]}{lines[1]}{lines[2]}{lines[0]}{last}{lines[0][:70]}", encoding="utf-8"
        )
    logs.record_scan(str(home), f"{SHOP}/x could not be read")
    logs.record_scan(str(home), f"{OTHER}/x could not be read")
    done = forget(str(home), scope)
    # The lines of a rotated file are in the history too, and are counted there.
    assert done.rows["injections"] == 3 * len(gone)
    assert files_with(home, *(Session(word).id for word in gone)) == {}
    text = (home / "injections.jsonl").read_text(encoding="utf-8")
    assert [line.strip() for line in text.splitlines() if line.strip()] == [
        line.strip() for word, line in zip(("cardamom", "thyme"), lines[1:], strict=True) if word in kept
    ] + ([lines[0].strip()] if "saffron" in kept else []) + [last.strip()]
    assert len(logs.read_scan_log(str(home))) == (1 if name == "project" else 2)


def copied(home: Path, name: str) -> Path:
    path = home / "backups" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(home / "history.db")) as source, closing(sqlite3.connect(path)) as target:
        source.backup(target)
    return path


def test_backups_are_cleaned_whatever_their_names(home: Path) -> None:
    copied(home, "backup-1/history.db")
    copied(home, "history-2026-09-01.db")
    copied(home, "old")
    scope, gone, kept = WISHES["project"]
    done = forget(str(home), scope)
    assert len(done.backups) == 3
    assert files_with(home, *gone) == {}
    assert len(files_with(home / "backups", *kept)) == 3
    assert not survey(str(home), scope)


def test_what_only_a_backup_knows_goes_too(home: Path) -> None:
    scope, gone, _ = WISHES["session"]
    copy = copied(home, "history.db").read_bytes()
    forget(str(home), scope)
    (home / "backups" / "history.db").write_bytes(copy)
    assert session_named(str(home), scope.session[:8]) == scope.session
    assert survey(str(home), scope).backups
    forget(str(home), scope)
    assert files_with(home, *gone) == {}


def test_damaged_copies_are_told_and_deleted_only_on_request(home: Path) -> None:
    damaged = [home / "history.db.damaged-20260901T000000Z", home / "backups" / "broken.db"]
    damaged[1].parent.mkdir(exist_ok=True)
    for path in damaged:
        path.write_bytes(b"SQLite format 3\0 and then saffron")
    scope, gone, _ = WISHES["project"]
    assert forget(str(home), scope).unreadable == list(map(str, damaged))
    assert all(path.exists() for path in damaged)
    forget(str(home), scope, damaged_too=True)
    assert files_with(home, *gone) == {}


def test_a_name_must_be_long_enough_and_mean_one(home: Path) -> None:
    whole = Session("saffron").id
    (home / "injections.jsonl").write_text(injection(whole + "-b", "/x") + injection("s1", "/x"), encoding="utf-8")
    with pytest.raises(Refused, match="too short: write at least 6 characters"):
        session_named(str(home), whole[:5])
    with pytest.raises(Refused, match="2 sessions begin with"):
        session_named(str(home), whole[:10])
    with pytest.raises(NotFound, match="No session begins with 'nobody'"):
        session_named(str(home), "nobody")
    assert session_named(str(home), whole) == whole
    assert session_named(str(home), "s1") == "s1"


def test_a_reader_that_does_not_end_is_told_and_the_next_call_ends_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BUSY_MILLISECONDS", 100)
    scope, gone, _ = WISHES["project"]
    reader = sqlite3.connect(home / "history.db")
    with closing(reader), closing(reader.execute("SELECT * FROM calls")) as cursor:
        cursor.fetchone()
        with pytest.raises(Busy, match="close it and run `lessons forget` again"):
            forget(str(home), scope)
    assert not survey(str(home), scope)
    assert finish(str(home))
    assert not finish(str(home))
    assert files_with(home, *gone) == {}


KILLED = """
import os, signal, sys
from lessons.store.forget import forget
from lessons.store.forget_scope import ForgetScope
left = int(sys.argv[2])
def trace(frame, event, argument):
    global left
    if event == "line" and "/store/" in frame.f_code.co_filename:
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
    return trace
sys.settrace(trace)
forget(sys.argv[1], ForgetScope(folders=(sys.argv[3],)))
"""


def test_killed_at_any_moment_the_next_call_ends_it(home: Path, projects: Path, tmp_path: Path) -> None:
    scope, gone, kept = WISHES["project"]
    copied(home, "history.db")
    (home / "injections.jsonl").write_text(injection(Session("saffron").id, SHOP), encoding="utf-8")
    for moment in range(10, 8000, 900):
        trial = tmp_path / f"trial-{moment}"
        shutil.copytree(home, trial)
        ended = subprocess.run([sys.executable, "-c", KILLED, str(trial), str(moment), SHOP], env=dict(os.environ))
        assert ended.returncode in (0, -signal.SIGKILL)
        if consent.read_forgotten(str(trial)).projects:
            finish(str(trial))
            if survey(str(trial), scope):
                forget(str(trial), scope)
            assert files_with(trial, *gone, SHOP + '"') == {}
        else:
            forget(str(trial), scope)
        scan(trial, projects, full=True)
        assert files_with(trial, *gone) == {}
        assert {word for words in files_with(trial, *kept).values() for word in words} == set(kept)
        shutil.rmtree(trial)
        if ended.returncode == 0:
            return
    raise AssertionError("it was killed every time")
