"""The index of words: nothing is found twice or under another row, whenever the rows are put into it."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lessons.scan.run import Options, run
from lessons.store.history import database, search
from lessons.store.history.search import Query, SearchResult, find, has_token
from tests.builders.transcript import Session
from tests.sizes import examples
from tests.store.history.history import History, call, history, prompt, result
from tests.tables import table

EARLY, LATE = "2026-01-01T00:00:01Z", "2026-01-01T00:00:09Z"


def _indexed_at(made: History, moments: set[int], moment: int) -> None:
    if moment in moments:
        search.catch_up(made.connection)


@table("moments", [set(), {0}, {1}, {0, 1}, {0, 1, 2}, {2, 3}])
def test_what_is_found_does_not_depend_on_when_rows_are_indexed(moments: set[int]) -> None:
    with history() as made:
        made.write("/a", call("c1"), result("c1", "failed", ended=LATE, uuid="second", error="crash"))
        _indexed_at(made, moments, 0)
        made.write("/a", call("c2"), prompt(7, "paint it"))
        _indexed_at(made, moments, 1)
        made.write("/a", result("c1", "failed", ended=EARLY, uuid="first", error="boom"))
        _indexed_at(made, moments, 2)
        made.write("/b", result("c2", "failed", error="boom again"))
        _indexed_at(made, moments, 3)
        assert (made.found("crash"), made.found("boom"), made.found("paint")) == ([], ["c1", "c2"], ["prompt 7"])
        assert made.found("make") == ["c1", "c2"]
        before = made.dump()["words"]
        search.rebuild(made.connection)
        assert made.dump()["words"] == before


def test_nothing_waits_once_a_history_is_closed(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        History(connection).write("/a", call("c1"), prompt(1))
        assert search.waiting(connection) == 2
    with database.for_reading(str(tmp_path)) as reader:
        assert search.waiting(reader) == 0


def test_what_an_interrupted_writer_left_waiting_is_indexed_by_the_next(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _write_and_stop(str(tmp_path))
    with database.opened(str(tmp_path)) as connection:
        assert search.waiting(connection) == 1
    with database.for_reading(str(tmp_path)) as reader:
        assert search.waiting(reader) == 0


def _write_and_stop(home: str) -> None:
    with database.opened(home) as connection:
        History(connection).write("/a", call("c1"))
        raise KeyboardInterrupt


def test_a_long_scan_does_not_let_too_many_rows_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_WAITING", 2)
    with history() as made:
        for number in range(5):
            made.write("/a", call(f"c{number}"))
            assert search.waiting(made.connection) <= 2


SHOP, TEAM = "/home/somebody/shop", "/home/somebody/work/team-shop"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A history with two projects: three calls that failed, one each that was refused, ok and of another tool."""
    root = tmp_path_factory.mktemp("find")
    first = Session("first", SHOP)
    first.prompt("Please push the café menu, NOT the whole shop")
    for command, text in (
        ("git push --no-verify origin main", "Exit code 1\nfatal: ECONNREFUSED while talking to 'origin'"),
        ("gh pr diff 12", "Exit code 4\ntext:nothing OR everything"),
        ("gh diff pr", ""),
        ('echo "unbalanced', ""),
    ):
        call = first.call("Bash", {"command": command})
        first.result(call, text, error=bool(text))
    first.result(first.call("Bash", {"command": "rm -rf /"}), "no", denial="user-rejected")
    second = Session("second", TEAM)
    second.result(second.call("Read", {"file_path": f"{TEAM}/src/app/main.py"}), "print()")
    for _ in range(2):
        second.result(second.call("Bash", {"command": "make pastry"}), "Exit code 2\nno butter", error=True)
    for session in (first, second):
        session.write(root / "projects")
    run(str(root / "home"), Options([str(root / "projects")]))
    return str(root / "home")


def found(home: str, query: Query) -> SearchResult:
    with database.for_reading(home) as connection:
        return find(connection, query)


def texts(home: str, *words: str) -> list[str]:
    return [hit.text.splitlines()[-1] for hit in found(home, Query(words)).results]


@pytest.mark.parametrize(
    "words",
    [
        ("nowhere",),
        ("push AND pastry",),
        ("push", "pastry"),
        ("push OR pastry",),
        ("push NOT origin",),
        ("NEAR(push origin, 5)",),
        ("text:push",),
        ("{text} : push",),
        ("^origin",),
        ("pas",),
        ("past-*",),
        ("verify no",),
    ],
)
def test_nothing_is_an_operator(words: tuple[str, ...], home: str) -> None:
    if words == ("^origin",):
        assert len(texts(home, *words)) == 2  # the sign is no more than a sign
    else:
        assert found(home, Query(words)) == SearchResult([], 0)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--no-verify",), ["git push --no-verify origin main"]),
        (("no_verify",), ["git push --no-verify origin main"]),
        (("gh pr diff",), ["gh pr diff 12"]),
        (("gh", "pr", "diff"), ["gh diff pr", "gh pr diff 12"]),
        (("econnrefused",), ["fatal: ECONNREFUSED while talking to 'origin'"]),
        (("'origin'",), ["git push --no-verify origin main", "fatal: ECONNREFUSED while talking to 'origin'"]),
        (('"unbalanced',), ['echo "unbalanced']),
        (("src/app/main.py",), [f"{TEAM}/src/app/main.py"]),
        (("text:nothing",), ["text:nothing OR everything"]),
        (("nothing OR everything",), ["text:nothing OR everything"]),
        (("butt*",), ["no butter", "no butter"]),
        (("no but*",), ["no butter", "no butter"]),
        (("cafe",), ["Please push the café menu, NOT the whole shop"]),
        (("NOT the",), ["Please push the café menu, NOT the whole shop"]),
        (("pastry", "!!!"), ["make pastry", "make pastry"]),
    ],
)
def test_words_are_found_as_they_stand(words: tuple[str, ...], expected: list[str], home: str) -> None:
    assert sorted(texts(home, *words)) == sorted(expected)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(40))
@given(
    st.lists(
        st.one_of(
            st.text(max_size=20),
            st.text(alphabet="\"'*^:(){}+-., ANDORTE\0\ud800aé", max_size=20),
            st.sampled_from(["AND", "OR", "NOT", "NEAR(", "text:", '"', "*", "push", "-"]),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_no_input_raises(home: str, words: list[str]) -> None:
    result = found(home, Query(words))
    assert result.total >= len(result.results)


@table("word", ["", "--", "*", "“”", "_", "🙂"])
def test_what_has_no_token_is_told_apart(word: str) -> None:
    assert not has_token(word)
    assert has_token(word + "x")


@pytest.mark.parametrize(
    ("query", "number"),
    [
        (Query(outcome="cancelled"), 0),
        (Query(tool="Nope"), 0),
        (Query(project="nowhere"), 0),
        (Query(project="s_op"), 0),
        (Query(project="%"), 0),
        (Query(project="!"), 0),
        (Query(folder="/home/somebody/sho"), 0),
        (Query(folder="/home/some_ody/shop"), 0),
        (Query(session="zzz"), 0),
        (Query(since="2026-09-02"), 0),
        (Query(outcome="failed", kind="prompt"), 0),
        (Query(["café"], outcome="failed"), 0),
        (Query(["café"], tool="Bash"), 0),
        (Query(["push"], kind="error"), 0),
        (Query(outcome="failed"), 4),
        (Query(outcome="refused"), 1),
        (Query(outcome="failed", kind="error"), 4),
        (Query(tool="read"), 1),
        (Query(project="team"), 3),
        (Query(project="SHOP"), 9),
        (Query(project="work/team"), 3),
        (Query(folder=SHOP), 6),
        (Query(folder="/home/somebody"), 9),
        (Query(folder="/"), 9),
        (Query(kind="prompt"), 1),
        (Query(["push"], kind="prompt"), 1),
        (Query(["push"], project="team"), 0),
        (Query(["push"], folder=SHOP), 2),
        (Query(["push"], since="2026-09-01"), 2),
        (Query(["butter"], outcome="failed"), 2),
    ],
)
def test_filters(query: Query, number: int, home: str) -> None:
    result = found(home, query)
    assert (result.total, len(result.results)) == (number, number)


def test_the_newest_come_first_and_the_limit_holds(home: str) -> None:
    result = found(home, Query(outcome="failed", limit=2))
    assert result.total == 4
    assert [hit.time for hit in result.results] == sorted((hit.time for hit in result.results), reverse=True)
    same = found(home, Query(["make pastry"])).results
    assert [hit.time for hit in same] == sorted((hit.time for hit in same), reverse=True)
    assert len({hit.tool_use_id for hit in same}) == 2


def test_the_better_match_comes_first(home: str) -> None:
    hits = found(home, Query(["push"])).results
    assert [hit.kind for hit in hits] == ["call", "prompt"]


def test_a_hit_tells_where_it_comes_from(home: str) -> None:
    (hit,) = found(home, Query(["gh pr diff"])).results
    session = Session("first", SHOP)
    assert (hit.kind, hit.session, hit.agent_id, hit.project) == ("call", session.id, None, SHOP)
    assert (hit.tool, hit.program, hit.outcome, hit.exit_code) == ("Bash", "gh", "failed", 4)
    assert Path(hit.file).name == f"{session.id}.jsonl"
    assert hit.tool_use_id
    assert hit.uuid
    (prompt,) = found(home, Query(["menu"])).results
    assert (prompt.kind, prompt.tool, prompt.outcome, prompt.tool_use_id) == ("prompt", None, None, None)
