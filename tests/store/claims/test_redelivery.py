"""A claim whose words were lost: exactly one call takes it over, and one that is settled nobody."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

from lessons.store.claims.claim_files import session_folder
from lessons.store.claims.redelivery import MOST_CLAIMS, note_of, settle, take_over
from lessons.store.claims.session_memory import forget_session, rearm_above
from lessons.store.claims.shown import Context

STRANGE = ["slug", "a/b", "../..", "x" * 300, "ü", "slug.claim2", "slug.stop"]


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


@pytest.fixture
def folders(home: str) -> list[str]:
    """Where the claims of the context lie, with a first one."""
    context = Context(home, "s", "")
    assert context.claim("slug", 5, "first")
    return context.folders()


def names(folders: list[str]) -> list[str]:
    return sorted(name for folder in folders if os.path.isdir(folder) for name in os.listdir(folder))


def test_nothing_to_take_over(home: str) -> None:
    for session in ("s", ""):
        folders = Context(home, session, "").folders()
        assert note_of(folders, "slug") == ""
        assert not take_over(folders, "slug", 5, "", "note")
        settle(folders, "slug")
        assert names(folders) == []


def test_a_claim_without_a_note_is_nobodys_business(home: str) -> None:
    context = Context(home, "s", "")
    assert context.claim("slug", 5)
    assert note_of(context.folders(), "slug") == ""
    assert not take_over(context.folders(), "slug", 5, "lost", "note")


def test_who_knows_another_note_comes_too_late(folders: list[str]) -> None:
    assert not take_over(folders, "slug", 5, "zeroth", "second")
    assert take_over(folders, "slug", 5, "first", "second")
    assert not take_over(folders, "slug", 5, "first", "second")
    assert note_of(folders, "slug") == "second"


def test_a_settled_claim_stands(home: str, folders: list[str]) -> None:
    settle(folders, "slug")
    assert note_of(folders, "slug") == ""
    assert not take_over(folders, "slug", 5, "first", "second")
    assert Context(home, "s", "").has("slug")
    assert not Context(home, "s", "").claim("slug", 5)


def test_only_the_last_claim_is_settled(folders: list[str]) -> None:
    assert take_over(folders, "slug", 5, "first", "second")
    settle(folders, "slug")
    assert note_of(folders, "slug") == ""
    assert not take_over(folders, "slug", 5, "first", "third")


def test_there_is_an_end(folders: list[str]) -> None:
    notes = ["first", *(f"note {number}" for number in range(MOST_CLAIMS))]
    taken = [take_over(folders, "slug", 5, *pair) for pair in pairwise(notes)]
    assert taken == [True] * (MOST_CLAIMS - 1) + [False]
    assert note_of(folders, "slug") == ""
    assert len(names(folders)) == MOST_CLAIMS


@pytest.mark.parametrize("slug", STRANGE)
def test_strange_names(home: str, folders: list[str], slug: str) -> None:
    context = Context(home, "s", "")
    if slug != "slug":
        assert context.claim(slug, 5, "of the strange one")
        assert take_over(folders, slug, 5, "of the strange one", "second")
        assert note_of(folders, slug) == "second"
    assert note_of(folders, "slug") == "first"


def test_a_note_that_a_full_disk_cut_off(folders: list[str]) -> None:
    Path(folders[0], "slug").write_bytes(b"")
    assert note_of(folders, "slug") == ""


@pytest.mark.parametrize(("priority", "again"), [(7, False), (8, True), (10, True)])
def test_the_priority_can_still_be_read(home: str, priority: int, again: bool) -> None:
    context, note = Context(home, "s", ""), '["toolu_1", "PreToolUse", "/x.jsonl", 12]'
    for slug in ("noted", "settled", "taken"):
        assert context.claim(slug, priority, note)
    settle(context.folders(), "settled")
    assert take_over(context.folders(), "taken", priority, note, "second")
    rearm_above(home, "s", 7)
    assert [context.claim(slug, priority, note) for slug in ("noted", "settled", "taken")] == [again] * 3
    assert note_of(context.folders(), "taken") == (note if again else "second")


def test_a_new_session_forgets_every_claim(home: str, folders: list[str]) -> None:
    assert take_over(folders, "slug", 5, "first", "second")
    forget_session(home, "s")
    assert names(folders) == []
    assert not (Path(folders[0]).parent.parent / session_folder("s")).exists()


def _take(folders: list[str], number: int, asker: int) -> list[bool]:
    return [take_over(folders, f"slug-{each}", 5, "lost", f"of {asker}") for each in range(number)]


def test_one_of_many_processes_takes_over(home: str) -> None:
    context = Context(home, "s", "")
    for number in range(50):
        assert context.claim(f"slug-{number}", 5, "lost")
    with ProcessPoolExecutor(6, mp_context=multiprocessing.get_context("fork")) as pool:
        answers = list(pool.map(_take, [context.folders()] * 6, [50] * 6, range(6)))
    assert [sum(column) for column in zip(*answers, strict=True)] == [1] * 50
    winners = [column.index(True) for column in zip(*answers, strict=True)]
    assert [note_of(context.folders(), f"slug-{each}") for each in range(50)] == [f"of {each}" for each in winners]
