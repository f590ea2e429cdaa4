"""Who may act: exactly one of all who ask, and only where it can be remembered in a folder of the user's own."""

import multiprocessing
import os
import stat
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons.store.claims.claim_files import is_own_folder, own_folder, root_folders, safe_name, session_folder
from lessons.store.claims.shown import Context, is_spent, spend
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


def test_zero_bytes_at_the_end_make_a_difference() -> None:
    assert safe_name("x" * 50 + " ") != safe_name("x" * 50 + " \0")


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


def test_a_subagent_may_be_called_main(home: str) -> None:
    assert Context(home, "s", "").claim("slug", 5)
    assert Context(home, "s", "main").claim("slug", 5)


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


def test_one_of_many_threads_wins(home: str) -> None:
    for number in range(10):
        barrier = threading.Barrier(16)

        def ask(slug: str = f"slug-{number}", barrier: threading.Barrier = barrier) -> bool:
            barrier.wait()
            return Context(home, "s", "").claim(slug, 5)

        with ThreadPoolExecutor(16) as pool:
            answers = [answer.result() for answer in [pool.submit(ask) for _ in range(16)]]
        assert answers.count(True) == 1


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


def test_a_clock_that_was_put_back_does_not_stop_for_ever(home: str) -> None:
    assert Context(home, "s", "").stops("slug", 5)
    make_older(home, "s", "slug", -3600)
    assert not Context(home, "s", "").stops("slug", 5)


def test_a_pass_is_spent_in_every_session(home: str) -> None:
    assert not is_spent(home, "p1")
    assert spend(home, "p1")
    assert not spend(home, "p1")
    assert is_spent(home, "p1")
    assert spend(home, "p2")


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


def lay_symlink(root: Path, elsewhere: Path) -> None:
    elsewhere.mkdir(mode=0o700)
    root.symlink_to(elsewhere)


def lay_dangling_symlink(root: Path, elsewhere: Path) -> None:
    root.symlink_to(elsewhere)


def lay_group_writable(root: Path, elsewhere: Path) -> None:
    root.mkdir()
    root.chmod(0o770)


def lay_world_writable(root: Path, elsewhere: Path) -> None:
    root.mkdir()
    root.chmod(0o707)


def lay_file(root: Path, elsewhere: Path) -> None:
    root.write_text("")


def lay_foreign(root: Path, elsewhere: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only the superuser can give a folder away")
    root.mkdir(mode=0o700)
    os.chown(root, 54321, 54321)


LAID_OUT = [lay_symlink, lay_dangling_symlink, lay_group_writable, lay_world_writable, lay_file, lay_foreign]


@pytest.mark.parametrize("lay", LAID_OUT)
def test_a_folder_that_somebody_else_may_have_laid_out_is_not_believed(
    home: str, tmp_path: Path, lay: Callable[[Path, Path], None]
) -> None:
    elsewhere = tmp_path.with_name(tmp_path.name + "-elsewhere")
    root = root_of(home)
    lay(root, elsewhere)
    assert not own_folder(str(root))
    assert not is_own_folder(str(root))
    context = Context(home, "s", "")
    assert context.claim("slug", 5)
    assert not context.claim("slug", 5)
    assert context.has("slug")
    assert files_below(tmp_path) == ["seen/session-s/main/slug"]
    assert not elsewhere.exists() or files_below(elsewhere) == []


@pytest.mark.parametrize("lay", [lay_group_writable, lay_world_writable, lay_symlink])
def test_what_somebody_else_says_was_seen_is_not_believed(
    home: str, tmp_path: Path, lay: Callable[[Path, Path], None]
) -> None:
    root = root_of(home)
    lay(root, tmp_path.with_name(tmp_path.name + "-elsewhere"))
    (root / "session-s" / "main").mkdir(parents=True)
    (root / "session-s" / "main" / "slug").touch()
    context = Context(home, "s", "")
    assert not context.has("slug")
    assert context.claim("slug", 5)


def test_what_somebody_else_says_was_just_stopped_is_not_believed(home: str) -> None:
    context = Context(home, "s", "")
    lay_world_writable(root_of(home), Path())
    assert context.stops("slug", 5)
    mine = Path(home) / "seen/session-s/main/slug.stop"
    os.utime(mine, (1, 1))
    (root_of(home) / "session-s" / "main").mkdir(parents=True)
    (root_of(home) / "session-s" / "main" / "slug.stop").touch()
    assert not context.stops("slug", 5)


def test_a_folder_of_root_is_not_ours() -> None:
    if os.getuid() == 0:
        pytest.skip("the superuser owns it")
    assert not own_folder("/")


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


@pytest.fixture
def _without_user_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, which says of every folder that anybody may write it."""
    monkeypatch.delattr(system, "getuid")


@pytest.mark.usefixtures("_without_user_ids")
@pytest.mark.parametrize(
    ("temporary", "profile", "chosen"),
    [
        ("C:\\Temp", "C:\\Users\\me", None),
        ("C:\\Users\\meg\\Temp", "C:\\Users\\me", None),
        ("C:\\Users\\me\\Temp", None, None),
        ("C:\\Users\\me\\AppData\\Local\\Temp\\", "c:\\users\\me", "C:\\Users\\me\\AppData\\Local\\Temp/lessons"),
        ("C:/Users/me/Temp", "C:\\Users\\me", "C:/Users/me/Temp/lessons"),
    ],
)
def test_without_user_ids_only_the_profile_is_ones_own(
    variable: SetVariable, temporary: str, profile: str | None, chosen: str | None
) -> None:
    variable("TMPDIR", None)
    variable("TEMP", temporary)
    variable("USERPROFILE", profile)
    assert root_folders("C:\\home") == [*([chosen] if chosen else []), "C:\\home/seen"]


@pytest.mark.usefixtures("_without_user_ids")
def test_without_user_ids_the_mode_says_nothing(home: str, surroundings: Path, variable: SetVariable) -> None:
    variable("USERPROFILE", str(surroundings))
    context = Context(home, "s", "")
    assert context.claim("slug", 5)
    root_of(home).chmod(0o777)
    assert context.has("slug")
    assert not context.claim("slug", 5)
    file = surroundings / "file"
    file.touch()
    assert not is_own_folder(str(file))
