"""When a lesson catches each repeat of a session, why none does, and which good calls a lesson disturbs."""

from pathlib import Path

import pytest

from lessons.replay.learner import Learned, Refusal, hits_of
from lessons.replay.replay import Begun, SessionJudge
from lessons.replay.report import Repeat, Replayed
from lessons.store.history.history import History
from lessons.store.manifest import PublishedLesson, compile_source
from tests.builders.past import Past, failed, home_with
from tests.tables import table

ERROR = "Exit code 1\nunknown flag: --stat"
SHOP = {"projectPath": "/home/somebody/shop"}
GARDEN = {"projectPath": "/home/somebody/garden"}
CALL = {"commandRegexSources": [{"source": "^gh pr diff.*--stat", "flags": ""}], "matchOn": "invocation"}
NARROW = {"commandRegexSources": [{"source": "gh pr diff 99 --stat", "flags": ""}]}
AFTER = {"errorRegexSources": [{"source": "unknown flag", "flags": ""}]}
NOTE = {"sessionStart": True, "injection": "Use --name-only."}
STATE = {"when": {"absent": ["x"]}}
# The history knows in which folder of its project a call was made.
HERE = {"folderRegexSources": [{"source": "^/$", "flags": ""}]}
ELSEWHERE = {"folderRegexSources": [{"source": "^/web$", "flags": ""}]}
LATE = Repeat("t1", "stat", False)
REPEAT = Repeat("t1", "stat", True)


@pytest.fixture
def home(tmp_path: Path) -> str:
    """The repeat, and three calls that went well, one of which may not have."""
    calls = [Past(command="ls"), failed("gh pr diff 7 --stat", ERROR), Past(command="gh pr diff 8 --stat")]
    calls += [Past(command="gh pr diff 9 --stat | head", suspicious=True)]
    home_with(tmp_path, *calls)
    return str(tmp_path)


def judged(
    home: str,
    repeat: Repeat,
    about: list[dict[str, object]],
    others: list[dict[str, object]],
    refused: dict[str, Refusal] | None = None,
) -> Replayed:
    with History.for_reading(home) as history:
        judge = SessionJudge(history, 4096)
        for number, entry in enumerate([*about, *others]):
            lesson = PublishedLesson(str(number), {"slug": f"l{number}", **entry}, compile_source)
            learned = Learned(lesson, frozenset([f"c{number}"]), hits_of(history, lesson.rule))
            judge.add([learned], {f"c{number}": "stat"} if number < len(about) else {})
        return judge.judge(history.calls.of_session("s1"), [repeat], Begun(len(judge.lessons), refused or {}))


@table(
    "repeat, about, others, said",
    [
        # No lesson about it could be there, or none came of it.
        (LATE, [], [], "missed learned too late"),
        (REPEAT, [], [], "missed learned too late"),
        # A lesson about something else catches nothing, wherever it fires.
        (REPEAT, [], [NOTE], "missed learned too late"),
        (LATE, [], [CALL], "missed learned too late"),
        (REPEAT, [], [AFTER], "missed learned too late"),
        (REPEAT, [NARROW], [CALL], "missed trigger too narrow"),
        # There is one, and it does not act here.
        (REPEAT, [{**NOTE, **GARDEN}], [], "missed scope"),
        (REPEAT, [{**CALL, **GARDEN}], [], "missed scope"),
        (REPEAT, [{**AFTER, **GARDEN}], [], "missed scope"),
        (REPEAT, [{**CALL, "when": {"agents": ["codex"]}}], [], "missed scope"),
        (REPEAT, [NARROW], [], "missed trigger too narrow"),
        (REPEAT, [NARROW, {**NOTE, **GARDEN}], [], "missed trigger too narrow"),
        (REPEAT, [{**CALL, **STATE}], [], "missed state unknown"),
        (REPEAT, [{**AFTER, **STATE}], [], "missed state unknown"),
        (REPEAT, [{**CALL, **STATE, **GARDEN}], [], "missed scope"),
        (REPEAT, [{**NOTE, **STATE}], [], "missed state unknown"),
        (REPEAT, [{**CALL, **ELSEWHERE}], [], "missed scope"),
        (REPEAT, [{**NOTE, **ELSEWHERE}], [], "missed state unknown"),
        # It acts: at the call before all else, then at the start, then at the error.
        (REPEAT, [CALL, NOTE, AFTER], [], "call"),
        (REPEAT, [{**CALL, **SHOP}], [], "call"),
        (REPEAT, [{**CALL, **HERE}], [], "call"),
        (REPEAT, [{**NOTE, **HERE}], [], "start"),
        (REPEAT, [{**AFTER, **HERE}], [], "error"),
        (REPEAT, [NOTE, AFTER], [], "start"),
        (REPEAT, [{**NOTE, **SHOP}, NARROW], [], "start"),
        (REPEAT, [NARROW, AFTER], [], "error"),
        (REPEAT, [{**NOTE, **GARDEN}, {**AFTER, **SHOP}], [], "error"),
    ],
)
def test_when_a_repeat_meets_a_lesson(
    repeat: Repeat, about: list[dict[str, object]], others: list[dict[str, object]], said: str, home: str
) -> None:
    [outcome] = judged(home, repeat, about, others).outcomes
    assert f"{outcome.moment} {outcome.why}".strip() == said
    assert (outcome.repeat, outcome.call.command) == (repeat, "gh pr diff 7 --stat")


@table(
    "repeat, refused, said",
    [
        (LATE, {"stat": "no trigger"}, "learned too late"),
        (REPEAT, {"other": "no trigger"}, "learned too late"),
        (REPEAT, {"stat": "no trigger"}, "no trigger"),
        (REPEAT, {"stat": "refused"}, "refused"),
    ],
)
def test_why_there_is_no_lesson(repeat: Repeat, refused: dict[str, Refusal], said: str, home: str) -> None:
    [outcome] = judged(home, repeat, [], [], refused).outcomes
    assert (outcome.moment, outcome.why) == ("missed", said)


def test_a_lesson_is_about_the_error_that_it_was_learned_from(tmp_path: Path) -> None:
    other = failed("gh pr diff 6 --stat", "Exit code 1\nno such file", "f2", session="s0")
    home_with(tmp_path, failed("gh pr diff 7 --stat", ERROR), failed("gh diff --stat", ERROR, session="s0"), other)
    with History.for_reading(str(tmp_path)) as history:
        for learned_from, moment in (("t2", "missed"), ("t1", "call")):
            judge, lesson = SessionJudge(history, 4096), PublishedLesson("1", dict(CALL), compile_source)
            judge.add([Learned(lesson, frozenset([learned_from]), hits_of(history, lesson.rule))], {})
            [found] = judge.judge(history.calls.of_session("s1"), [Repeat("t0", "x", True)], Begun(1, {})).outcomes
            assert found.moment == moment


@table(
    "lessons, false_alarms, alarms",
    [
        ([], 0, 0),
        ([NOTE, AFTER, NARROW, {**CALL, **GARDEN}, {**CALL, **STATE}, {**CALL, **ELSEWHERE}], 0, 0),
        # What looks like a failure is no good call, but an alarm it is.
        ([CALL], 1, 3),
        ([CALL, {**CALL, **SHOP}], 1, 3),
        ([{"toolNames": ["Bash"]}], 2, 4),
    ],
)
def test_which_calls_a_lesson_disturbs(
    lessons: list[dict[str, object]], false_alarms: int, alarms: int, home: str
) -> None:
    found = judged(home, REPEAT, lessons, [])
    assert (found.good_calls, len(found.false_alarms), found.alarms) == (2, false_alarms, alarms)
