"""What a trigger would have done: what is not counted, what is, and how sure that makes one."""

import pytest

from lessons.errors import Refused
from lessons.model import Scope, Triggers, When
from lessons.promote.backtest import Outcomes, Precision, Report, backtest, wilson
from tests.builders.past import SHOP, Past, failed, history_of
from tests.tables import table

STAT = Triggers(command_patterns=[r"gh pr diff\b.*--stat"])
GARDEN = "/home/somebody/garden"
LINE = "gh pr diff 7 --stat"


def counts(report: Report) -> tuple[int, int, int, int, int]:
    return (report.hits, report.failed_same, report.failed_other, report.ok, report.unknown)


@table(
    ("triggers", "call"),
    [
        (STAT, Past(command="gh pr diff 7 --name-only")),
        (STAT, Past(tool="Write", arguments={"file_path": "/a", "content": LINE})),
        (STAT, Past(tool="Read", arguments={"file_path": f"/{LINE}"})),
        (STAT, failed("gh pr view 7", error=LINE)),
        (Triggers(command_patterns=["--stat"], match_on="invocation"), Past(command=LINE)),
        (Triggers(command_patterns=["gh pr"], match_on="invocation"), Past(command=f"echo '{LINE}'")),
        (Triggers(command_patterns=["gh pr"], match_on="script"), Past(command=LINE)),
        (Triggers(command_patterns=["os.environ"], match_on="script"), Past(command="grep os.environ x.py")),
        (Triggers(command_patterns=["gh pr"], unless=["diff"]), Past(command=LINE)),
        (Triggers(command_patterns=["gh pr"], tool_names=["Write"]), Past(command=LINE)),
        (Triggers(command_patterns=["gh pr"], session_start=True), Past(command=LINE)),
        (Triggers(error_patterns=["no such flag"]), Past(command=LINE, error="no such flag", suspicious=True)),
        (Triggers(error_patterns=["no such flag"]), Past(command="echo no such flag")),
        (Triggers(error_patterns=["no such flag"], unless=["Exit"]), failed(LINE)),
        (Triggers(path_patterns=["src/*.py"]), Past(tool="Edit", arguments={"file_path": f"{SHOP}/src/a/b.py"})),
        (Triggers(content_patterns=["print"]), Past(tool="Read", arguments={"file_path": "/a", "content": "print"})),
        (Triggers(tool_names=["WebFetch"]), Past(tool="WebSearch", arguments={"query": "WebFetch"})),
    ],
)
def test_what_is_not_counted(triggers: Triggers, call: Past) -> None:
    with history_of(call) as history:
        report = backtest(history, triggers)
    assert counts(report) == (0, 0, 0, 0, 0)
    assert report.precision == Precision(None, 0.0, 1.0)
    assert (report.examples.failed, report.examples.ok) == ([], [])


@table(
    ("triggers", "call"),
    [
        (STAT, Past(command=f"cd /x && {LINE} | head")),
        (Triggers(command_patterns=["gh pr"], match_on="invocation"), Past(command=f"cd x; timeout 5 {LINE}")),
        (Triggers(command_patterns=["gh pr"], match_on="invocation"), Past(command='"gh"   p\\r diff')),
        (Triggers(command_patterns=["git push"], match_on="invocation"), Past(command='g"i"t p\\ush')),
        (Triggers(command_patterns=["GIT"], match_on="invocation"), Past(command="GIT push")),
        (Triggers(command_patterns=["(?i)git"], match_on="invocation"), Past(command="G\u0131T push")),
        (Triggers(command_patterns=["(?i)GIT"]), Past(command="g\u0131t")),
        (Triggers(command_patterns=[r"load\("], match_on="script"), Past(command="python3 - <<'E'\nyaml.load(x)\nE")),
        (Triggers(command_patterns=['"name": 1'], match_on="script"), Past(command='node -e "f({\\"name\\": 1})"')),
        (Triggers(command_patterns=["KAYAK"]), Past(command="KAYAK")),
        (Triggers(command_patterns=["café"], tool_names=["Ask"]), Past(tool="Ask", arguments={"question": "café"})),
        (Triggers(error_patterns=["no such (flag|thing)"]), failed(LINE)),
        (Triggers(path_patterns=["**/b.py"]), Past(tool="Edit", arguments={"file_path": "src/./b.py"})),
        (Triggers(path_patterns=["/b.py"]), Past(tool="Grep", arguments={"file_path": "/a.py", "path": "/b.py"})),
        (Triggers(content_patterns=['say "(x)"']), Past(tool="Write", arguments={"content": 'say "x"'})),
        (Triggers(tool_names=["Edit"]), Past(tool="apply_patch", arguments={"input": "x"})),
    ],
)
def test_what_is_counted(triggers: Triggers, call: Past) -> None:
    with history_of(Past(command="ls"), call) as history:
        assert backtest(history, triggers).hits == 1


@table(
    ("triggers", "sentence"),
    [
        (Triggers(), "The trigger is empty: give a pattern or a tool."),
        (Triggers(unless=["x"]), "The trigger is empty"),
        (Triggers(command_patterns=["("]), "unterminated subpattern"),
        (Triggers(command_patterns=["x"], unless=["("]), "triggers.unless"),
        (Triggers(command_patterns=["(a+)+$"]), "It takes more than 50 ms"),
    ],
)
def test_what_publishing_would_leave_out_is_refused(triggers: Triggers, sentence: str) -> None:
    with history_of() as history, pytest.raises(Refused, match=sentence.replace("(", r"\(")):
        backtest(history, triggers)


def test_every_outcome_has_its_place() -> None:
    calls = [
        failed(LINE),
        failed(LINE, session="s2"),
        failed(LINE, fingerprint="f2", project=GARDEN),
        Past(command=LINE),
        Past(command=f"{LINE} | head", suspicious=True, error="no such thing"),
        *(Past(command=LINE, outcome=outcome) for outcome in ("refused", "cancelled", "interrupted", "unknown")),
    ]
    with history_of(*calls) as history:
        report = backtest(history, STAT)
        of_candidate = backtest(history, STAT, failed_calls=["t0"], error_fingerprints=["f1"])
    assert counts(report) == (9, 2, 1, 2, 4)
    assert (report.sessions, report.projects) == (2, 2)
    assert (report.precision, report.judged) == (wilson(3, 5), 5)
    assert (report.others.good, report.others.suspicious) == (1, 1)
    # Of a candidate: what taught it is counted apart, and what looks like a failure proves nothing.
    assert (of_candidate.learned_from, of_candidate.learned_hits, of_candidate.judged) == (1, 1, 3)
    assert of_candidate.others == Outcomes(1, 1, 2, 4, 1)
    assert [(example.command, example.suspicious) for example in report.examples.ok] == [
        (f"{LINE} | head", True),
        (LINE, False),
    ]
    assert report.caught is None


def test_the_error_it_is_about_alone_is_proof() -> None:
    with history_of(failed(LINE), failed(LINE, fingerprint="f2"), Past(command=LINE)) as history:
        report = backtest(history, STAT, error_fingerprints=["f2", "f3"])
    assert counts(report) == (3, 1, 1, 1, 0)
    assert report.precision == wilson(1, 2)
    with history_of(failed(LINE), failed(LINE)) as history:  # all failed, with other errors: that is unknown, not 0
        assert backtest(history, STAT, error_fingerprints=["f3"]).precision.value is None
    assert [example.same for example in report.examples.failed] == [True]


def test_the_sessions_it_was_born_in_prove_nothing() -> None:
    with history_of(failed(LINE), Past(command=LINE, session="s2")) as history:
        report = backtest(history, STAT, source_sessions=["s1"])
        assert counts(report) == (2, 1, 0, 1, 0)
        assert (report.precision, report.judged) == (wilson(0, 1), 1)
        assert backtest(history, STAT, source_sessions=["s1", "s2"]).precision.value is None


def test_the_share_of_the_failures_it_was_made_for() -> None:
    with history_of(failed(LINE), failed("gh pr diff"), failed(LINE)) as history:
        assert backtest(history, STAT, failed_calls=["t0", "t1", "forgotten"]).caught == 0.5
        assert backtest(history, STAT, failed_calls=["forgotten"]).caught is None


def test_only_from_a_time_on_and_only_in_a_project() -> None:
    late = "2026-09-29T08:00:00.000Z"
    calls = [failed(LINE), Past(command=LINE, time=late, cwd=f"{GARDEN}/bed"), Past(command=LINE, time=late)]
    with history_of(*calls) as history:
        assert counts(backtest(history, STAT, since="2026-09-02")) == (2, 0, 0, 2, 0)
        assert backtest(history, STAT, scope=Scope(type="project", path=GARDEN)).hits == 1
        assert backtest(history, STAT, failed_calls=["t0", "t1"], since=late).caught == 1.0


def test_what_prevents_a_call_looks_at_invocations() -> None:
    with history_of(Past(command=f"echo {LINE}"), Past(command=LINE)) as history:
        assert backtest(history, STAT).hits == 2
        assert backtest(history, STAT, block_or_stop=True).hits == 1


@table(
    ("last", "since", "expected"),
    [
        ("2026-09-01T09:00:00.000Z", "", 2.0),
        ("2026-09-07T08:00:00.000Z", "", 2.0),
        ("2026-09-29T08:00:00.000Z", "", 0.5),
        ("2026-09-29T08:00:00.000Z", "2026-08-01T00:00:00.000Z", 0.5),
        ("2026-09-29T08:00:00.000Z", "2026-09-15T08:00:00.000Z", 0.5),
        ("no time", "", 2.0),
    ],
)
def test_sessions_a_week(last: str, since: str, expected: float) -> None:
    with history_of(failed(LINE), failed(LINE), Past(command=LINE, session="s2", time=last)) as history:
        assert backtest(history, STAT, since=since).per_week == expected


def test_the_ten_most_telling_examples_each_line_once() -> None:
    calls = [failed(f"{LINE} {number % 15}", time=f"2026-09-01T08:00:{number:02d}.000Z") for number in range(30)]
    calls += [failed(LINE, error="Exit code 2\n\nwarning: x\nfatal: broken", fingerprint="f2", time="2026-01-01")]
    calls += [Past(command=LINE + "x" * 900, session="s9", time="2026-01-01")]
    calls += [Past(command=f"{LINE} {number}") for number in range(20)]
    with history_of(*calls) as history:
        report = backtest(history, STAT, error_fingerprints=["f2"], source_sessions=["s1"])
    first, *others = report.examples.failed
    assert (first.tool_use_id, first.error, first.same) == ("t30", "fatal: broken", True)
    assert [example.tool_use_id for example in others] == [f"t{number}" for number in range(29, 20, -1)]
    assert len(report.examples.ok) == 10
    assert report.examples.ok[0].session == "s9"
    assert len(report.examples.ok[0].command) == 300


@table(
    ("right", "total", "expected"),
    [
        (0, 0, Precision(None, 0.0, 1.0)),
        (0, 10, Precision(0.0, 0.0, 0.2775)),
        (10, 10, Precision(1.0, 0.7225, 1.0)),
        (1, 1, Precision(1.0, 0.2065, 1.0)),
        (10, 12, Precision(0.8333, 0.552, 0.953)),
        (81, 263, Precision(0.308, 0.2553, 0.3662)),
        (15, 148, Precision(0.1014, 0.0624, 0.1605)),
    ],
)
def test_known_intervals(right: int, total: int, expected: Precision) -> None:
    found = wilson(right, total)
    assert found.value == expected.value
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.0001)


IN_WEB = When(folder=["web"])
IS_ABSENT = When(absent=["{1}"])
MAKE = "make (\\w+)"
WEB = f"{SHOP}/web"


@table(
    ("when", "call", "wanted"),
    [
        # hits, unknown, of which because of the state
        (IN_WEB, Past(command="make test"), (0, 0, 0)),
        (IN_WEB, Past(command="ls", cwd=WEB), (0, 0, 0)),
        (IN_WEB, Past(command="make test", cwd=""), (0, 1, 1)),
        (IN_WEB, Past(command="make test", cwd="/elsewhere"), (0, 1, 1)),
        (IN_WEB, Past(command="make test", cwd=WEB, project=""), (0, 1, 1)),
        (IN_WEB, Past(command="cd $X && make test", cwd=WEB), (0, 1, 1)),
        (IN_WEB, Past(command="make test", cwd=WEB), (1, 0, 0)),
        (IN_WEB, Past(command="make test", cwd=WEB, outcome="refused"), (1, 1, 0)),
        (IS_ABSENT, Past(command="make test", cwd=WEB), (0, 1, 1)),
        (IS_ABSENT, failed("make test", cwd=WEB), (0, 1, 1)),
        (When(missing=["make"]), Past(command="make test", cwd=WEB), (0, 1, 1)),
    ],
)
def test_state_of_a_past_call(when: When, call: Past, wanted: tuple[int, int, int]) -> None:
    with history_of(call) as history:
        report = backtest(history, Triggers(command_patterns=[MAKE], when=when))
    assert (report.hits, report.unknown, report.state_unknown) == wanted
    assert report.sessions == min(1, report.hits)


def test_folder_of_calls_beside_a_cd_is_not_trusted() -> None:
    together = [Past(command="cd ..", cwd=WEB, message="m"), Past(command="make test", cwd=WEB, message="m")]
    alone = [Past(command="cd ..", cwd=WEB, message="a"), Past(command="make test", cwd=WEB, message="b")]
    triggers = Triggers(command_patterns=[MAKE], when=IN_WEB)
    with history_of(*together) as history:
        report = backtest(history, triggers)
        assert (report.hits, report.state_unknown) == (0, 1)
    with history_of(*alone) as history:
        assert backtest(history, triggers).hits == 1
