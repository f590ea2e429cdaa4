"""The two logs: each record once, whole after any cut, the newest 300 kept when they have become more than 500."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.store.project_state import lines
from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.state_files import agent_invocations, commit_log
from lessons.store.project_state.state_paths import StatePaths
from tests.sizes import examples
from tests.store.project_state.nursery import Nursery
from tests.store.project_state.writers import Act, commit, invocation, keys, project


def add(place: StatePaths, kind: str, names: list[str]) -> int:
    if kind == "commits":
        return commit_log.add(place, [commit(name) for name in names])
    return agent_invocations.add(place, [invocation(name) for name in names])


def path_of(place: StatePaths, kind: str) -> Path:
    return Path(commit_log.file_of(place) if kind == "commits" else agent_invocations.file_of(place))


both = pytest.mark.parametrize("kind", ["commits", "agents"])


@both
def test_nothing_to_add_writes_nothing(place: StatePaths, kind: str) -> None:
    assert add(place, kind, []) == 0
    assert not Path(place.own).exists()


@both
def test_what_is_known_is_not_added_again(place: StatePaths, kind: str) -> None:
    assert add(place, kind, ["a", "b", "a"]) == 2
    before = path_of(place, kind).read_bytes()
    assert add(place, kind, ["b", "a"]) == 0
    assert path_of(place, kind).read_bytes() == before
    assert add(place, kind, ["c", "a"]) == 1
    assert keys(place, kind) == ["a", "b", "c"]


def test_calls_without_an_id_are_told_apart_by_all_they_say(place: StatePaths) -> None:
    one, other = invocation(None, "one"), invocation(None, "other")
    assert [agent_invocations.add(place, [one, other]) for _ in range(2)] == [2, 0]
    assert agent_invocations.read(place) == [one, other]


@both
def test_a_line_is_one_of_the_contract(place: StatePaths, kind: str) -> None:
    add(place, kind, ["a\nb\r\u2028c"])
    content = path_of(place, kind).read_bytes()
    assert content.count(b"\n") == 1 and content.endswith(b"\n")
    fields = {
        "commits": "timestamp hash shortHash message author authorDate branch filesChanged filesList session",
        "agents": "timestamp agent prompt session",
    }
    assert [*json.loads(content)][: len(fields[kind].split())] == fields[kind].split()


@both
@pytest.mark.parametrize(("there", "more", "kept"), [(499, 1, 500), (500, 1, 300), (490, 60, 300), (0, 900, 300)])
def test_rotation_keeps_the_newest(place: StatePaths, kind: str, there: int, more: int, kept: int) -> None:
    names = [f"c{number}" for number in range(there + more)]
    add(place, kind, names[:there])
    assert add(place, kind, names[there:]) == more
    assert keys(place, kind) == names[-kept:]
    assert path_of(place, kind).read_bytes().count(b"\n") == kept


@both
def test_rotation_keeps_lines_as_they_are_and_drops_the_unreadable(place: StatePaths, kind: str) -> None:
    add(place, kind, [f"c{number}" for number in range(lines.MOST_LINES)])
    path = path_of(place, kind)
    texts = path.read_text().splitlines()
    texts[-1] = texts[-1].replace("{", '{"later": 1, ', 1)
    path.write_text("\n".join(["cut", *texts]) + "\n")
    assert any(problem.endswith("has 1 unreadable line, which is passed over.") for problem in problems_of(place))
    add(place, kind, ["new"])
    assert path.read_text().splitlines()[-2] == texts[-1]
    assert len(path.read_text().splitlines()) == lines.KEPT_LINES
    assert problems_of(place) == []


@both
@given(cut=st.integers(0, 2000), rest=st.binary(max_size=30))
@settings(deadline=None, max_examples=examples(60))
def test_a_cut_costs_only_what_it_cut(
    tmp_path_factory: pytest.TempPathFactory, kind: str, cut: int, rest: bytes
) -> None:
    """After any cut, and whatever came behind it, a repeated write leaves all records, each once."""
    place = project(tmp_path_factory.mktemp("cut"))
    names = ["a", "b", "c"]
    add(place, kind, names)
    path = path_of(place, kind)
    whole = path.read_bytes()
    path.write_bytes(whole[:cut] + rest)
    left = keys(place, kind)
    # The last one is whole too where only its line end is gone and nothing came behind.
    complete = whole[:cut].count(b"\n")
    assert left[:complete] == names[:complete] and len(left) <= complete + 1
    add(place, kind, names)
    assert sorted(map(str, keys(place, kind))) == names
    add(place, kind, ["d"])
    assert path.read_bytes().splitlines()[-1].startswith(b"{") and keys(place, kind)[-1] == "d"


@both
@given(
    there=st.integers(lines.MOST_LINES - 8, lines.MOST_LINES),
    first=st.integers(1, 4),
    second=st.integers(1, 4),
    share=st.integers(0, 999),
    kill=st.booleans(),
)
@settings(deadline=None, max_examples=examples(15))
def test_rotation_under_two_writers_loses_none_of_the_newest(
    nursery: Nursery,
    tmp_path_factory: pytest.TempPathFactory,
    kind: str,
    there: int,
    first: int,
    second: int,
    share: int,
    kill: bool,
) -> None:
    """One of them is frozen or ended by SIGKILL at any line of our code."""
    old = [f"c{number}" for number in range(there)]
    acts = ([Act(kind, "one", number) for number in range(first)], [Act(kind, "two", n) for n in range(second)])
    rehearsal, place = (project(tmp_path_factory.mktemp(name)) for name in ("rehearsal", "rotation"))
    for each in (rehearsal, place):
        add(each, kind, old)
    count = nursery.run((rehearsal, acts[0]), (rehearsal, []), 0, False).lines
    ended = nursery.run((place, acts[0]), (place, acts[1]), 1 + share * count // 1000, kill)
    assert ended.statuses[1] == 0
    done = [*acts[0][: ended.first], *acts[1]]
    found = keys(place, kind)
    assert len(found) == len(set(found)) and len(found) >= min(lines.KEPT_LINES, there)
    assert {f"{act.session}-{act.number}-{part}" for act in done for part in "ab"} <= set(found)
    # Of the old ones a whole tail is there: nothing from the middle is gone.
    stayed = [name for name in found if str(name).startswith("c")]
    assert stayed == old[there - len(stayed) :]
    assert problems_of(place) == []
