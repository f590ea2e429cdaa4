"""A session mined while it grows has the same mistakes as one mined completely."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.episode import Step
from lessons.mistakes import episodes
from lessons.scan.mine import mine
from lessons.store.history import sessions
from lessons.store.history.rows import Call, Origin, Prompt, Result
from tests.sizes import examples
from tests.store.history.history import History, batch, history

WINDOW = 8
CALLS = 240
# command, what it printed, whether it failed
MOMENTS = (
    ("ls src", "a b", False),
    ("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat", True),
    ("gh pr diff 7 --name-only", "a.py", False),
    ("gh pr view 7", "open", False),
    ("gh pr diff 7", "a.py", False),
    ("gti status", "Exit code 127\nbash: gti: command not found", True),
    ("git status", "clean", False),
    ("npm run lnt", 'Exit code 1\nnpm error Missing script: "lnt"', True),
    ("npm run lint", "ok", False),
    ("cd app && make", "ok", False),
    ("make", "Exit code 2\nmake: *** No rule to make target 'x'.  Stop.", True),
    ("curl -s http://h/api/v1/users/7", "Exit code 22\n404 not found: /api/v1/users/7", True),
    ("python run.py --al", "Exit code 2\nrun.py: error: unrecognized arguments: --al", True),
    ("python run.py --all", "done", False),
)
PROMPTS = ("no, always use pnpm instead of npm in this project", "go on", "never run make in the app folder again")


class Moment(NamedTuple):
    number: int  # of the moments, or from the end of them of the prompts
    late: int  # how many moments later its result comes
    thread: int


@pytest.fixture(autouse=True)
def _short_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a session of a few hundred calls is longer than what is read of it."""
    monkeypatch.setattr(sessions, "CALLS_AROUND", 50)
    monkeypatch.setattr(sessions, "_CALLS_OF_A_PIECE", 150)


def rows_of(moments: list[Moment]) -> list[list[Call | Result | Prompt]]:
    """What the transcript tells at each moment."""
    found: list[list[Call | Result | Prompt]] = [[] for _ in range(len(moments) + 12)]
    for place, moment in enumerate(moments):
        agent, time = ("", "a1")[moment.thread], f"2026-01-01T{place // 3600:02}:{place // 60 % 60:02}:{place % 60:02}Z"
        origin = Origin(f"u{place}", "s1", agent, "/p", time, 0, place, False)
        if moment.number >= len(MOMENTS):
            text = PROMPTS[moment.number - len(MOMENTS)]
            found[place].append(Prompt(origin, place + 1, "main", text, "sure"))
            continue
        command, printed, failed = MOMENTS[moment.number]
        program, _, rest = command.partition(" ")
        subcommand = " ".join(rest.split()[:2]) if program == "gh" else ""
        where = (f"t{place}", f"m{place}", 0, bool(moment.thread), "/p", "main", "x", "2", "Bash")
        call = Call(origin, *where, program, subcommand, command, "", "{}", False)
        found[place].append(call)
        error = printed if failed else ""
        verdict = ("failed" if failed else "ok", 1 if failed else None, error, f"p{error}" if error else "", False)
        found[place + moment.late].append(Result("s1", f"t{place}", *verdict, time, f"r{place}", ""))
    return found


def tables(made: History) -> dict[str, list[tuple[object, ...]]]:
    names = ("episodes", "corrections", "call_features", "candidates", "evidence", "unmined")
    return {name: sorted(made.rows(f"SELECT * FROM {name}"), key=repr) for name in names}


@contextmanager
def mined(moments: list[Moment], steps: list[int]) -> Iterator[History]:
    """After so many moments each, again and again; in one go where no steps are named."""
    with history() as made:
        waiting = rows_of(moments)
        number = 0
        while waiting:
            size = steps[number % len(steps)] if steps else len(waiting)
            source = made.file("/a")
            rows = [row for rows in waiting[:size] for row in rows]
            part = batch(rows, source.offset, source.offset + 100)
            made.product.write(source, part)
            mine(made.product, WINDOW, now=0.0)
            waiting = waiting[size:]
            number += 1
        yield made


MOMENT = st.builds(
    Moment,
    st.integers(0, len(MOMENTS) + len(PROMPTS) - 1),
    st.sampled_from((0, 0, 0, 0, 0, 1, 3, 11)),
    st.sampled_from((0, 0, 0, 1)),
)


@given(st.lists(MOMENT, min_size=30, max_size=CALLS), st.lists(st.integers(1, 90), min_size=1, max_size=6))
@settings(max_examples=examples(20))
def test_the_same_as_mining_it_whole(moments: list[Moment], steps: list[int]) -> None:
    with mined(moments, steps) as grown, mined(moments, []) as whole:
        assert tables(grown) == tables(whole)


def test_only_what_can_be_different_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    original = episodes.failures

    def counted(steps: list[Step], places: range) -> Iterator[int]:
        looked.append(len(places))
        return original(steps, places)

    monkeypatch.setattr("lessons.scan.mine.failures", counted)
    moments = [Moment(number % len(MOMENTS), 0, 0) for number in range(CALLS)]
    with mined(moments, [200, *[1] * 52]):
        assert max(looked[-40:]) <= 50 + 1  # around the new call
