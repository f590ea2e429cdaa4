"""What a replay finds where the truth is known; above all what it must not know."""

import random
from pathlib import Path

import pytest

from lessons import config
from lessons.replay.replay import only, replay
from lessons.store import logs
from lessons.store.history.history import History
from tests.builders.days import GARDEN, SHOP, Did, make, on_day
from tests.builders.mutated import write_mutated
from tests.builders.transcript import Session
from tests.flows.scanning import scan
from tests.replay.made import outcomes, replayed, scanned, some_sessions
from tests.tables import table

STAT = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat")
NAMES = Did("gh pr diff 7 --name-only")
# Nothing in this error names a part of the call.
DARK = Did("lamp glow --bright 5", "Exit code 2\nlamp: error: too many arguments")
GLOW = Did("lamp glow 5")
SCRIPT = Did("npm run polish", 'Exit code 1\nnpm error Missing script: "polish"')
LOOK = Did("ls")
# The call works at other times: a note is all that can be said of it.
STRAY = Did("cd web && npm test", "Exit code 1\n(eval):cd:1: no such file or directory: web")
STAYED = Did("npm test")
AT_HOME = [Did("cd web && npm test")] * 6
# The error says what to do about it, the call does not.
UNTRIMMED = Did("make lamp", "Exit code 2\nwick is not trimmed")
TRIM, LAMP = Did("make wick"), [Did("make lamp")] * 6


def moments(folder: Path, *sessions: Session) -> list[str]:
    """What became of each repeat, in the order in which they were made."""
    found = sorted(outcomes(folder, *sessions).values(), key=lambda each: each.call.time)
    return [f"{each.moment} {each.why}".strip() for each in found]


@table(
    "sessions",
    [
        [],
        [on_day(1, LOOK)],
        [on_day(1, STAT, NAMES, STAT, NAMES)],
        [on_day(1, STAT, NAMES), on_day(2, DARK, GLOW)],
        [on_day(1, STAT, NAMES), on_day(2, NAMES, LOOK)],
    ],
)
def test_nothing_is_repeated(sessions: list[Session], tmp_path: Path) -> None:
    report = replayed(tmp_path / "home", *sessions)
    assert (report.repeats, report.missed, report.good_calls, report.sessions, report.mistakes) == (0, 0, 0, 0, [])
    assert (report.per_mistake.caught, report.per_mistake.at_call, report.alarms_per_session) == (0.0, 0.0, 0.0)


def test_good_calls_of_sessions_that_repeat_nothing_are_disturbed_too(tmp_path: Path) -> None:
    works_now = Did("gh pr diff 9 --stat")
    report = replayed(tmp_path / "home", on_day(1, STAT, NAMES), on_day(2, STAT, NAMES), on_day(3, LOOK, works_now))
    assert (report.repeats, report.sessions, report.good_calls, report.false_alarms) == (1, 2, 3, 1)


def test_what_is_learned_counts_from_the_next_session_on(tmp_path: Path) -> None:
    report = replayed(tmp_path / "home", on_day(1, STAT, NAMES), on_day(2, STAT, NAMES), on_day(3, LOOK, STAT, NAMES))
    [mistake] = report.mistakes
    assert (mistake.repeats, mistake.at_call, mistake.missed, mistake.why) == (2, 2, 0, "")
    assert (report.repeats, report.caught, report.caught_at_call, report.missed_repeats) == (2, 2, 2, [])
    # Of the first session nothing counts; in the others the lesson fires where it should and nowhere else.
    assert (report.sessions, report.good_calls, report.false_alarms, report.alarms_per_session) == (2, 3, 0, 1.0)
    assert report.since == "2026-09-02T08:00:00.000Z"


@table(
    "sessions, said",
    [
        # The session that teaches it goes on.
        ([on_day(1, STAT, NAMES, until=3), on_day(2, STAT, NAMES)], ["missed learned too late"]),
        ([on_day(1, STAT, NAMES, until=2), on_day(2, STAT, NAMES)], ["missed learned too late"]),
        # It is learned while this session goes on, before the call.
        (
            [on_day(1, LOOK, then=(5, STAT)), on_day(2, STAT, NAMES), on_day(3, STAT)],
            ["call", "missed learned too late"],
        ),
        # The same mistake again in the session that is first to make it.
        ([on_day(1, STAT, STAT, NAMES), on_day(2, STAT)], ["call"]),
        ([on_day(1, STAT, NAMES, until=3), on_day(2, STAT), on_day(4, STAT)], ["missed learned too late", "call"]),
        # Seen in one project, it is a lesson about that one.
        ([on_day(1, SCRIPT), on_day(2, SCRIPT, cwd=GARDEN)], ["missed scope"]),
        ([on_day(1, SCRIPT), on_day(2, SCRIPT)], ["call"]),
        ([on_day(1, STRAY, STAYED, *AT_HOME), on_day(2, STRAY, STAYED)], ["start"]),
        ([on_day(1, UNTRIMMED, TRIM, *LAMP), on_day(2, UNTRIMMED, TRIM, *LAMP)], ["error"]),
    ],
)
def test_when_a_repeat_meets_a_lesson(sessions: list[Session], said: list[str], tmp_path: Path) -> None:
    assert moments(tmp_path / "home", *sessions) == said


def test_a_fix_that_only_the_future_shows_does_not_help(tmp_path: Path) -> None:
    before = moments(tmp_path / "fix-later", on_day(1, LOOK, DARK), on_day(2, LOOK, DARK), on_day(3, DARK, GLOW))
    assert not before[0].startswith("call")
    known = moments(tmp_path / "fix-known", on_day(1, DARK, GLOW), on_day(2, LOOK, DARK), on_day(3, LOOK, DARK))
    assert known == ["call", "call"]


def test_a_good_call_that_only_the_future_shows_does_not_veto(tmp_path: Path) -> None:
    good = [Did(f"lamp glow --bright {number}") for number in range(9)]
    first, repeat, later = on_day(1, DARK, GLOW), on_day(2, DARK, LOOK), on_day(4, DARK, LOOK)
    assert moments(tmp_path / "good-later", first, repeat, on_day(3, *good)) == ["call"]
    # What is promoted stays, and is wrong from then on: the next session shows it.
    report = replayed(tmp_path / "wrong", first, repeat, on_day(3, DARK, *good), later)
    assert (report.caught_at_call, report.false_alarms) == (3, 9)


def test_what_a_subagent_is_not_shown_does_not_count(tmp_path: Path) -> None:
    repeat = on_day(2, LOOK)
    agent = repeat.subagent("a1")
    make(agent, [STRAY, STAYED])
    for line in agent.lines:
        line["timestamp"] = "2026-09-03T08:00:03.000Z"
    assert moments(tmp_path / "home", on_day(1, STRAY, STAYED, *AT_HOME), repeat) == ["missed no trigger"]


@table("seed", range(3))
def test_no_session_is_judged_by_what_came_after_it(seed: int, tmp_path: Path) -> None:
    """With the sessions up to one alone, each of its repeats ends as it does with all of them."""
    sessions = some_sessions(100 + seed, 10)
    with_all = outcomes(tmp_path / "all", *sessions)
    assert len({outcome.moment for outcome in with_all.values()}) > 1
    chance = random.Random(seed)
    for number in chance.sample(range(3, 10), 3):
        for name, outcome in outcomes(tmp_path / f"first-{number}", *sessions[:number]).items():
            assert (outcome.moment, outcome.why) == (with_all[name].moment, with_all[name].why)


def test_no_episode_can_break_it(tmp_path: Path) -> None:
    """Sessions of which lines were dropped, exchanged and cut, each on a day of its own."""
    write_mutated(tmp_path / "transcripts", random.Random(4), sessions=20, mistakes_each=15)
    for number, path in enumerate(sorted((tmp_path / "transcripts").rglob("*.jsonl"))):
        path.write_bytes(path.read_bytes().replace(b"2026-09-01T", f"2026-09-{number % 28 + 1:02d}T".encode()))
    home = tmp_path / "home"
    scan(home, tmp_path / "transcripts")
    with History.for_reading(str(home)) as history:
        report = replay(history, config.load(str(home), {}))
    assert report.repeats > 20
    assert 0 < report.caught < report.repeats
    assert logs.read_faults(str(home)) == []


def test_two_runs_say_the_same(tmp_path: Path) -> None:
    sessions = some_sessions(7, 8)
    assert replayed(tmp_path / "one", *sessions) == replayed(tmp_path / "two", *sessions)


def test_how_far_it_is(tmp_path: Path) -> None:
    """The sessions after the last one with a repeat are looked at too: lessons may disturb good calls there."""
    sessions = [on_day(day, STAT, NAMES) for day in (1, 2, 3)]
    home = scanned(tmp_path / "home", *sessions, on_day(4, LOOK))
    told: list[tuple[int, int]] = []
    with History.for_reading(home) as history:
        replay(history, config.load(home, {}), watch=lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_interrupted_it_leaves_no_trace(tmp_path: Path) -> None:
    home = scanned(tmp_path / "home", *some_sessions(7, 8))
    before = {path: path.read_bytes() for path in Path(home).glob("*.json*")}

    def interrupt(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with History.for_reading(home) as history:
        settings = config.load(home, {})
        whole = replay(history, settings)
        with pytest.raises(KeyboardInterrupt):
            replay(history, settings, watch=interrupt)
        assert replay(history, settings) == whole
    assert {path: path.read_bytes() for path in Path(home).glob("*.json*")} == before
    assert logs.read_faults(home) == []


@table("seed", range(2))
def test_the_parts_of_a_history_add_up(seed: int, tmp_path: Path) -> None:
    """What is learned does not depend on what is asked."""
    home = scanned(tmp_path / "home", *some_sessions(200 + seed, 12))
    cut = "2026-09-07T00:00:00.000Z"
    with History.for_reading(home) as history:
        settings = config.load(home, {})
        whole = replay(history, settings)
        later = replay(history, settings, only(since=cut))
        earlier = replay(history, settings, lambda session: session.start < cut)
        garden, shop = (replay(history, settings, only(folder=folder)) for folder in (GARDEN, SHOP))
    for one, other in ((earlier, later), (garden, shop)):
        for key in ("repeats", "caught_at_call", "noted_at_start", "missed", "good_calls", "false_alarms", "sessions"):
            assert getattr(one, key) + getattr(other, key) == getattr(whole, key), key
    assert all(part.repeats and part.caught for part in (earlier, later, garden, shop))


def test_lessons_of_other_projects_are_known_where_one_project_is_judged(tmp_path: Path) -> None:
    sessions = [on_day(day, STAT, NAMES, cwd=cwd) for day, cwd in enumerate((SHOP, GARDEN, SHOP, GARDEN))]
    home = scanned(tmp_path / "home", *sessions)
    with History.for_reading(home) as history:
        settings = config.load(home, {})
        whole = replay(history, settings)
        garden, shop = (replay(history, settings, only(folder=folder)) for folder in (GARDEN, SHOP))
    assert whole.repeats == 3
    assert (garden.repeats, shop.repeats, garden.sessions, shop.sessions) == (2, 1, 2, 1)
    assert garden.caught + shop.caught == whole.caught
    assert (garden.since, shop.since) == ("2026-09-02T08:00:00.000Z", "2026-09-01T08:00:00.000Z")
