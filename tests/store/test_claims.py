"""Who may act: exactly one of all who ask, and only where it can be remembered in a folder of the user's own."""

import multiprocessing
import os
import stat
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons.store import claims
from lessons.store.claims import (
    MOST_CLAIMS,
    Context,
    is_own_folder,
    is_spent,
    own_folder,
    rearm_above,
    remember,
    remembered,
    root_folders,
    safe_name,
    session_folder,
    spend,
)
from lessons.system import system
from tests.conftest import SetVariable
from tests.sizes import examples
from tests.tables import table

STRANGE = ["", ".", "..", "../../etc/passwd", "/etc/passwd", "a/b", "a\\b", "a\0b", "a\nb", "ü", "\ud800", "x" * 10_240]


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


def root_of(home: str) -> Path:
    return Path(root_folders(home)[0])


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def make_older(home: str, session: str, slug: str, seconds: float) -> None:
    file = root_of(home) / session_folder(session) / "main" / f"{safe_name(slug)}.stop"
    moment = time.time() - seconds
    os.utime(file, (moment, moment))


@table("text", STRANGE)
def test_no_text_becomes_a_path(text: str) -> None:
    name = safe_name(text)
    assert "/" not in name
    assert "\0" not in name
    assert name not in (".", "..", "")
    assert len(os.fsencode("session-" + name)) < 200


@given(st.lists(st.text(st.characters(), max_size=120), min_size=2, max_size=8, unique=True))
@example(["a b", "a_b", "a-b", "A_B"])
@example(["x" * 200, "x" * 201])
@settings(max_examples=examples(80), deadline=None)
def test_different_texts_have_different_names(texts: list[str]) -> None:
    assert len({safe_name(text) for text in texts}) == len(texts)


@pytest.mark.parametrize("session", [text for text in STRANGE if text])
def test_strange_sessions_stay_inside_the_root(home: str, surroundings: Path, session: str) -> None:
    context = Context(home, session, session)
    assert context.claim(session, 5)
    assert context.has(session)
    assert not context.claim(session, 5)
    found = files_below(surroundings)
    assert len(found) == 1
    assert found[0].startswith(f"tmp/lessons-{os.getuid()}/session-")
    assert files_below(Path(home)) == []


def test_without_a_session_nothing_is_remembered(home: str) -> None:
    context = Context(home, "", "agent")
    assert [context.claim("slug", 5), context.claim("slug", 5)] == [True, True]
    assert not context.stops("slug", 5)
    assert not context.has("slug")
    assert files_below(Path(home)) == []


def test_contexts_do_not_know_of_each_other(home: str) -> None:
    contexts = [Context(home, session, agent) for session in ("s1", "s2") for agent in ("", "a1", "a2")]
    assert all(context.claim("slug", 5) for context in contexts)
    assert not any(context.claim("slug", 5) for context in contexts)
    assert contexts[0].claim("other", 5)
    assert not contexts[1].has("other")


def test_one_context_for_the_whole_session_where_it_is_asked_for(home: str) -> None:
    assert Context(home, "s", "a1", "session").claim("slug", 5)
    assert not Context(home, "s", "", "session").claim("slug", 5)
    assert Context(home, "s", "a2", "session").has("slug")


def test_the_variable_counts_as_seen(home: str, variable: SetVariable) -> None:
    variable("LESSONS_SEEN", "one,two")
    context = Context(home, "s", "")
    assert context.has("one")
    assert context.has("two")
    assert not context.has("thr")
    assert not context.stops("two", 5)
    assert context.stops("three", 5)


def _claims(home: str, number: int) -> list[bool]:
    return [Context(home, "s", "").claim(f"slug-{each}", 5) for each in range(number)]


def _uses(home: str, number: int) -> list[bool]:
    return [spend(home, f"pass-{each}") for each in range(number)]


@pytest.mark.parametrize("ask", [_claims, _uses])
def test_one_of_many_processes_wins(home: str, ask: Callable[[str, int], list[bool]]) -> None:
    with ProcessPoolExecutor(6, mp_context=multiprocessing.get_context("fork")) as pool:
        answers = list(pool.map(ask, [home] * 6, [50] * 6))
    assert [sum(column) for column in zip(*answers, strict=True)] == [1] * 50


def test_a_stop_comes_once_and_for_all_that_were_issued_with_it(home: str) -> None:
    context = Context(home, "s", "")
    assert context.stops("slug", 5)
    assert context.stops("slug", 5)
    make_older(home, "s", "slug", 0.8)
    assert context.stops("slug", 5)
    make_older(home, "s", "slug", 1.1)
    assert not context.stops("slug", 5)
    assert Context(home, "s", "subagent").stops("slug", 5)


def test_the_answer_to_a_stop_passes_within_the_second(home: str) -> None:
    context = Context(home, "s", "")
    asked: list[str] = []

    def is_answer(stopped: str) -> bool:
        asked.append(stopped)
        return len(asked) > 1

    assert context.stops("slug", 5, "the first", is_answer) and asked == []
    assert context.stops("slug", 5, "another", is_answer)
    assert not context.stops("slug", 5, "the rerun", is_answer)
    assert asked == ["the first", "the first"]


def test_a_pass_is_spent_for_agents_with_another_temporary_directory(
    home: str, tmp_path: Path, variable: SetVariable
) -> None:
    assert spend(home, "p1")
    (tmp_path / "other").mkdir()
    variable("TMPDIR", str(tmp_path / "other"))
    assert is_spent(home, "p1")
    assert not spend(home, "p1")


def test_all_folders_are_private(home: str) -> None:
    Context(home, "s", "a").claim("slug", 5)
    root = root_of(home)
    folders = [root, *(path for path in root.rglob("*") if path.is_dir())]
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in folders] == [0o700] * 3


def lay(what: str, root: Path, elsewhere: Path) -> None:
    """Puts something at the place of our folder, as somebody else could."""
    if what == "file":
        root.write_text("")
    elif "link" in what:
        if what == "link":
            elsewhere.mkdir(mode=0o700)
        root.symlink_to(elsewhere)
    else:
        root.mkdir()
        root.chmod({"group writes": 0o770, "all write": 0o707, "foreign": 0o700}[what])
    if what == "foreign":
        os.chown(root, 54321, 54321)


SUPERUSER = pytest.mark.skipif(os.getuid() != 0, reason="only the superuser can give a folder away")
LAID_OUT = ["link", "link to nothing", "group writes", "all write", "file", pytest.param("foreign", marks=SUPERUSER)]


@pytest.mark.parametrize("what", LAID_OUT)
def test_a_folder_that_somebody_else_may_have_laid_out_is_not_believed(home: str, tmp_path: Path, what: str) -> None:
    elsewhere = tmp_path.with_name(tmp_path.name + "-elsewhere")
    root = root_of(home)
    lay(what, root, elsewhere)
    assert not own_folder(str(root))
    assert not is_own_folder(str(root))
    context = Context(home, "s", "")
    assert context.claim("slug", 5)
    assert not context.claim("slug", 5)
    assert context.has("slug")
    assert files_below(tmp_path) == ["seen/session-s/main/slug"]
    assert not elsewhere.exists() or files_below(elsewhere) == []


@pytest.mark.parametrize("what", ["group writes", "all write", "link"])
def test_what_somebody_else_says_was_seen_is_not_believed(home: str, tmp_path: Path, what: str) -> None:
    root = root_of(home)
    lay(what, root, tmp_path.with_name(tmp_path.name + "-elsewhere"))
    (root / "session-s" / "main").mkdir(parents=True)
    (root / "session-s" / "main" / "slug").touch()
    context = Context(home, "s", "")
    assert not context.has("slug")
    assert context.claim("slug", 5)


def test_without_a_temporary_directory_the_home_remembers(home: str, tmp_path: Path, variable: SetVariable) -> None:
    (tmp_path / "file").touch()
    for nowhere in (tmp_path / "missing" / "deeper", tmp_path / "file"):
        variable("TMPDIR", str(nowhere))
        context = Context(home, str(nowhere.name), "")
        assert context.stops("slug", 5)
        assert context.has("slug")
        assert context.claim("other", 5)
        assert not context.claim("other", 5)
    assert len(files_below(tmp_path / "seen")) == 4


def test_where_nothing_can_be_written_nobody_wins_and_nothing_stops(tmp_path: Path, variable: SetVariable) -> None:
    (tmp_path / "file").touch()
    variable("TMPDIR", str(tmp_path / "file"))
    home = str(tmp_path / "file" / "home")
    context = Context(home, "s", "")
    assert not context.claim("slug", 5)
    assert not context.stops("slug", 5)
    assert not context.has("slug")
    assert not spend(home, "p1")


def test_without_user_ids_the_home_remembers_and_the_mode_says_nothing(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, which says of every folder that anybody may write it."""
    monkeypatch.delattr(system, "getuid")
    context = Context(home, "s", "")
    assert context.claim("slug", 5)
    (tmp_path / "seen").chmod(0o777)
    assert context.has("slug") and not context.claim("slug", 5)
    assert files_below(tmp_path) == ["seen/session-s/main/slug"]
    (tmp_path / "file").touch()
    assert not is_own_folder(str(tmp_path / "file"))


@pytest.fixture
def claimed(home: str) -> Context:
    """A context with a claim."""
    context = Context(home, "s", "")
    assert context.claim("slug", 5, "first")
    return context


def test_nothing_to_take_over(home: str) -> None:
    for session in ("s", ""):
        context = Context(home, session, "")
        assert context.note_of("slug") == ""
        assert not context.take_over("slug", 5, "", "note")
        context.settle("slug")
        assert not context.has("slug")
    context = Context(home, "s", "")
    assert context.claim("without a note", 5)
    assert not context.take_over("without a note", 5, "lost", "note")


def test_who_knows_another_note_comes_too_late(claimed: Context) -> None:
    assert not claimed.take_over("slug", 5, "zeroth", "second")
    assert claimed.take_over("slug", 5, "first", "second")
    assert not claimed.take_over("slug", 5, "first", "second")
    assert claimed.note_of("slug") == "second"


def test_a_settled_claim_stands(home: str, claimed: Context) -> None:
    assert claimed.take_over("slug", 5, "first", "second")
    claimed.settle("slug")
    assert claimed.note_of("slug") == ""
    assert not claimed.take_over("slug", 5, "first", "third")
    assert Context(home, "s", "").has("slug")
    assert not Context(home, "s", "").claim("slug", 5)


def test_there_is_an_end(claimed: Context) -> None:
    notes = ["first", *(f"note {number}" for number in range(MOST_CLAIMS))]
    taken = [claimed.take_over("slug", 5, *pair) for pair in pairwise(notes)]
    assert taken == [True] * (MOST_CLAIMS - 1) + [False]
    assert claimed.note_of("slug") == ""


@pytest.mark.parametrize("slug", ["a/b", "../..", "x" * 300, "ü", "slug.claim2", "slug.stop"])
def test_strange_names(claimed: Context, slug: str) -> None:
    assert claimed.claim(slug, 5, "of the strange one")
    assert claimed.take_over(slug, 5, "of the strange one", "second")
    assert claimed.note_of(slug) == "second"
    assert claimed.note_of("slug") == "first"


@pytest.mark.parametrize(("priority", "again"), [(7, False), (8, True), (10, True)])
def test_the_priority_can_still_be_read(home: str, priority: int, again: bool) -> None:
    context, note = Context(home, "s", ""), '["toolu_1", "PreToolUse", "/x.jsonl", 12]'
    for slug in ("noted", "settled", "taken"):
        assert context.claim(slug, priority, note)
    context.settle("settled")
    assert context.take_over("taken", priority, note, "second")
    rearm_above(home, "s", 7)
    assert [context.claim(slug, priority, note) for slug in ("noted", "settled", "taken")] == [again] * 3
    assert context.note_of("taken") == (note if again else "second")


def session_path(home: str, session: str) -> Path:
    return Path(root_folders(home)[0]) / session_folder(session)


def test_a_text_is_remembered_for_its_session(home: str) -> None:
    assert remembered(home, "s", "root") == ""
    for root in ("/home/dev/shop", "/x", "/é/日本", "/a\ud800b", "/" + "deep/" * 1000):
        remember(home, "s", "root", root)
        assert remembered(home, "s", "root") == root
    remember(home, "s", "root", "")
    remember(home, "s", "root", "/" + "x" * 10_000)
    remember(home, "", "root", "/y")
    assert remembered(home, "s", "root").startswith("/deep/")
    assert remembered(home, "", "root") == remembered(home, "s2", "root") == remembered(home, "s", "model") == ""
    (session_path(home, "s") / "root").write_bytes(b"\xff")
    assert remembered(home, "s", "root") == ""


DAY = 24 * 3600


def age(path: Path, days: float) -> None:
    moment = time.time() - days * DAY
    os.utime(path, (moment, moment))


def kept(home: str, *names: str) -> list[bool]:
    return [Context(home, "s", "").has(name) for name in names]


def test_forgetting_one_session_leaves_the_others(home: str) -> None:
    for session in ("s", "s2"):
        for agent in ("", "a1"):
            Context(home, session, agent).claim("slug", 5)
    remember(home, "s", "model", "opus")
    claims.forget_session(home, "s")
    assert not Context(home, "s", "").has("slug")
    assert not Context(home, "s", "a1").has("slug")
    assert Context(home, "s2", "").has("slug")
    assert not session_path(home, "s").exists()
    assert remembered(home, "s", "model") == ""


def test_only_lessons_above_the_threshold_are_armed_again(home: str) -> None:
    context = Context(home, "s", "")
    for priority in (1, 7, 8, 10):
        context.claim(f"p{priority}", priority)
    Context(home, "s", "a1").claim("p10", 10)
    claims.rearm_above(home, "s", 7)
    assert kept(home, "p1", "p7", "p8", "p10") == [True, True, False, False]
    assert Context(home, "s", "a1").has("p10")
    assert context.claim("p10", 10)


def test_old_sessions_are_forgotten_and_those_in_use_kept(home: str) -> None:
    for session in ("s", "old", "used"):
        Context(home, session, "").claim("slug", 5)
        remember(home, session, "model", "opus")
    for path in ("main", "model", ""):
        age(session_path(home, "old") / path, 15)
    age(session_path(home, "used"), 15)
    Context(home, "used", "").claim("another", 5)
    claims.forget_old_sessions(home, time.time())
    assert not session_path(home, "old").exists()
    assert kept(home, "slug") == [True]
    assert Context(home, "used", "").has("slug") and Context(home, "used", "").has("another")


def precious(folder: Path) -> Path:
    """Files of a person, laid out as a session would be, untouched for a month."""
    file = folder / "photos" / "summer" / "beach.jpg"
    file.parent.mkdir(parents=True)
    file.write_text("irreplaceable")
    for path in (file, file.parent, folder / "photos"):
        age(path, 30)
    return file


def test_nothing_is_deleted_where_a_link_leads(home: str, tmp_path: Path) -> None:
    file = precious(tmp_path / "person")
    Path(root_folders(home)[0]).symlink_to(tmp_path / "person")
    claims.forget_old_sessions(home, time.time())
    assert file.exists()
