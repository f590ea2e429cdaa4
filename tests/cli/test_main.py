"""Every verb and every spelling: help, place, answer without a terminal; what is not a verb; readers that go away."""

import json
import os
import re
import subprocess
from pathlib import Path

import click
import pytest

import lessons as package
from lessons.cli import boundary
from lessons.cli.main import GROUPS, SPELLINGS, VERBS, has_colour, help_text, place_of
from tests.builders.candidates import put_into
from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson
from tests.builders.shared import Project, hinting
from tests.builders.transcript import Session
from tests.cli.command_line import LESSONS, CommandLine
from tests.tables import table

# A call of each verb and spelling that a person could make, and how it ends without a terminal.
CALLS: dict[str, tuple[list[str], int]] = {
    "add": ([], 2),
    "list": ([], 0),
    "show": (["stash"], 0),
    "edit": (["stash"], 2),
    "archive": (["stash"], 0),
    "remove": (["stash"], 0),
    "retire": (["stash"], 0),
    "refine": (["some"], 0),
    "team": ([], 0),
    "dev": ([], 0),
    "unarchive": (["stash"], 1),
    "try": (["git stash"], 0),
    "log": ([], 0),
    "cost": ([], 0),
    "stats": ([], 0),
    "tend": ([], 0),
    "feedback": (["stash", "good"], 0),
    "commits": ([], 0),
    "code-review": ([], 0),
    "check": ([], 0),
    "alerts": ([], 0),
    "mute": (["stash"], 0),
    "unmute": (["stash"], 1),
    "allow": (["no-force"], 1),
    "build": ([], 0),
    "install": ([], 0),
    "uninstall": ([], 0),
    "doctor": ([], 0),
    "config": ([], 0),
    "search": ([], 1),
    "forget": (["--before", "1d"], 1),
    "backup": ([], 0),
    "history": ([], 1),
    "demo": ([], 0),
    "completion": (["bash"], 0),
    "hook": (["NoSuchEvent"], 0),
    "scan": ([], 0),
    "watch": (["--once"], 0),
    "candidates": ([], 0),
    "promote": (["some"], 1),
    "learn": (["some"], 0),
    "reject": (["some"], 1),
    "undo": ([], 1),
    "import": (["hookify.r.local.md"], 1),
    "export": (["--project"], 1),
    "trust": ([], 1),
    "verify": ([], 1),
    "rules": ([], 0),
    "review": ([], 1),
    "init": ([], 0),
    "backtest": (["stash"], 1),
    "replay": ([], 1),
    "report": ([], 1),
    "handoff": ([], 1),
    "mcp": (["--json"], 0),
    "session": ([], 0),
    "subagents": ([], 0),
}
# Where a call above does nothing, one that does.
JSON_CALLS: dict[str, tuple[list[str], int]] = {
    "add": (["--starter", "--list"], 0),
    "review": ([], 0),
    "edit": (["stash", "--priority", "3"], 0),
    "unarchive": (["retired"], 0),
    "unmute": (["stash"], 0),
    "search": (["hello"], 0),
    "forget": (["--before", "1d", "--yes"], 0),
    "candidates": (["--all"], 0),
    "promote": (["some", "--yes", "--command-pattern", "gh pr diff .*--stat"], 0),
    "learn": (["--export", "dossiers.jsonl"], 0),
    "refine": (["--export", "dossiers.jsonl"], 0),
    "reject": (["some"], 0),
    "undo": (["--list"], 0),
    "import": (["hookify.r.local.md"], 0),
    "export": (["--project", ".", "stash"], 0),
    "trust": (["--yes"], 0),
    "allow": (["no-force"], 0),
    "verify": ([], 0),
    "backtest": (["stash"], 0),
    "replay": (["--missed"], 0),
    "report": ([], 0),
    "handoff": (["list"], 0),
    "mcp": ([], 0),
    "history": ([], 0),
}
# What only a person may decide.
ON_A_TERMINAL = {"allow", "trust"}
NEEDS_HISTORY = frozenset(
    "search forget candidates promote learn refine reject review backtest replay report history".split()
)
NEEDS_PROJECT = {"import", "trust", "verify"}
# A story, a script, an answer that is JSON anyway, and help.
WITHOUT_JSON = {"demo", "completion", "hook", "dev"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lst"], "Unknown verb 'lst'. Did you mean `lessons list`?\n"),
        (["zzz"], "Unknown verb 'zzz'. `lessons help --all` lists all verbs.\n"),
        (["--json", "list"], "Unknown verb '--json'. `lessons help --all` lists all verbs.\n"),
        (["list", "--nope"], "--nope"),
        (["list", "--status", "new"], "candidate"),
        (["show"], "SLUG"),
        (["list", "extra"], "extra"),
        (["mute", "x", "--for", "soon"], "'soon' is not a duration: write a number and s, m, h, d or w, such as 2h."),
    ],
)
def test_what_cannot_be_understood_is_usage(arguments: list[str], sentence: str, lessons: CommandLine) -> None:
    assert sentence in lessons.refused(*arguments, code=2)


def test_there_is_a_call_of_every_verb_and_spelling_here() -> None:
    assert CALLS.keys() == {*VERBS, *SPELLINGS}


def test_every_file_with_a_command_has_a_verb() -> None:
    """Each is a verb, or a sub-verb of a noun."""
    folder = Path(boundary.__file__).parent / "verbs"
    files = {
        path.stem for path in folder.glob("*.py") if re.search(r"\n@(click\.(command|group)|noun)", path.read_text())
    }
    places = [place_of(verb) for verb in VERBS]
    for verb in VERBS:
        places += getattr(boundary.command_of(verb), "elsewhere", {}).values()
    assert files == {place.partition(":")[0] for place in places}


def test_a_spelling_is_a_verb_with_a_sub_verb_or_an_option() -> None:
    for spelling, meant in SPELLINGS.items():
        verb, *rest = meant.split()
        assert spelling not in VERBS
        command = boundary.command_of(verb)
        if rest and rest[0].startswith("--"):
            assert rest[0] in {flag for parameter in command.params for flag in parameter.opts}, spelling
        elif rest:
            assert isinstance(command, click.Group)
            assert command.get_command(click.Context(command), rest[0]), spelling


def test_what_moved_below_dev_works_where_it_was() -> None:
    history = boundary.command_of("history")
    context = click.Context(history)
    assert isinstance(history, click.Group) and not {"replay", "backtest"} & {*history.list_commands(context)}
    assert [history.get_command(context, name) is not None for name in ("replay", "backtest")] == [True, True]


@table("verb", VERBS)
def test_a_verb_is_called_and_described_as_the_overview_says(verb: str) -> None:
    command = boundary.command_of(verb)
    assert (command.name, command.short_help) == (verb, VERBS[verb])


@table("verb", VERBS)
def test_help_of_a_verb_begins_as_the_overview_says(verb: str, lessons: CommandLine) -> None:
    usage, empty, *about = lessons.ok(verb, "--help").splitlines()
    assert usage.startswith(f"Usage: lessons {verb} ")
    assert empty == ""
    assert " ".join(" ".join(about).split()).startswith(VERBS[verb])
    assert max(map(len, about)) <= 80


def test_help_is_found_in_every_usual_way(lessons: CommandLine) -> None:
    overview = lessons.ok()
    assert overview == lessons.ok("--help") == lessons.ok("help") == lessons.ok("-h") == help_text() + "\n"
    everything = lessons.ok("help", "--all")
    assert everything == lessons.ok("--help", "--all") == help_text(everything=True) + "\n"
    assert lessons.ok("help", "export") == lessons.ok("team", "export", "--help")
    assert lessons.ok("mute", "-h") == lessons.ok("help", "mute") == lessons.ok("mute", "--help")
    assert lessons.ok("--version") == f"lessons {package.__version__}\n"


def _verbs_in(text: str) -> list[str]:
    return [line[10:].split()[0] for line in text.splitlines()[3:-2]]


def test_the_overview_fits_a_small_terminal_and_the_whole_list_has_every_verb() -> None:
    overview, everything = help_text().splitlines(), help_text(everything=True).splitlines()
    assert len(overview) < 24
    assert len(_verbs_in(help_text())) <= 18 and len(_verbs_in(help_text(everything=True))) <= 28
    assert max(map(len, [*overview, *everything])) <= 80
    assert _verbs_in(help_text(everything=True)) == [verb for verb in VERBS if verb != "hook"]
    assert set(_verbs_in(help_text())) < VERBS.keys()
    assert [line.split("  ")[0] for line in overview[3:-2] if line[0] != " "] == list(GROUPS)


def test_colour_is_for_terminals_alone(lessons: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\033" not in lessons.ok("--help")
    assert re.sub("\033\\[[0-9]+m", "", help_text(colour=True)) == help_text()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    for variables, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        with monkeypatch.context() as changed:
            changed.delenv("NO_COLOR", raising=False)
            changed.setenv("TERM", "xterm")
            for name, value in variables.items():
                changed.setenv(name, value)
            assert has_colour() is coloured, variables


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_waits_where_nobody_can_answer(verb: str, home: DataHome, lessons: CommandLine) -> None:
    """The one process of each verb, with a pipe that never says anything."""
    home.publish(lesson(), blocking())
    arguments, code = CALLS[verb]
    pipe = subprocess.PIPE
    command = [LESSONS, verb, *arguments]
    environment = lessons.environment()
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=lessons.work, env=environment) as silent:
        assert silent.wait(timeout=30) == code


@pytest.mark.parametrize("verb", ["add", "init", "review"])
def test_without_an_input_a_verb_ends_too(verb: str, lessons: CommandLine) -> None:
    closed = lessons.run(["/bin/sh", "-c", 'exec "$0" "$@" <&-', LESSONS, verb, *CALLS[verb][0]])
    assert closed.code == CALLS[verb][1], closed
    assert "Traceback" not in closed.error


@pytest.mark.parametrize("verb", sorted({*VERBS, *SPELLINGS} - WITHOUT_JSON))
def test_json_is_one_document_and_nothing_else(verb: str, home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking(), lesson("retired", stage="retired", triggers={"toolNames": ["Grep"]}))
    if verb in NEEDS_HISTORY:
        session = Session()
        session.prompt("hello")
        session.write(lessons.work / "projects")
        lessons.ok("scan", "--path", str(lessons.work / "projects"))
        put_into(lessons.home, "something")
    if verb == "unmute":
        lessons.ok("mute", "stash")
    if verb in NEEDS_PROJECT:
        rule = "---\nname: r\nevent: bash\npattern: rm -rf\n---\nRemoving a tree cannot be undone. Look at it first.\n"
        (lessons.work / "hookify.r.local.md").write_text(rule)
        Project(lessons.work / "shop", hinting()).folder.rename(lessons.work / ".lessons")
    arguments, code = JSON_CALLS.get(verb, CALLS[verb])
    ended = (lessons.by_person if verb in ON_A_TERMINAL else lessons)(verb, *arguments, "--json")
    assert ended.code == code, ended
    assert isinstance(json.loads(ended.out), dict)


def test_the_flag_counts_before_a_sub_verb_too(lessons: CommandLine) -> None:
    assert json.loads(lessons.ok("config", "--json", "get", "historyDays")) == lessons.json(
        "config", "get", "historyDays"
    )


def test_the_other_verbs_know_no_such_flag() -> None:
    for verb in VERBS:
        flags = {flag for parameter in boundary.command_of(verb).params for flag in parameter.opts}
        assert ("--json" in flags) == (verb not in WITHOUT_JSON), verb


@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"], ["--help"], ["add", "--help"]])
def test_a_reader_that_goes_away_is_no_error(arguments: list[str], home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking())
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ended = subprocess.run(
            [LESSONS, *arguments], stdout=writer, stderr=subprocess.PIPE, env=lessons.environment(), timeout=30
        )
    finally:
        os.close(writer)
    assert (ended.returncode, ended.stderr) == (0, b"")


def test_without_an_output_there_is_no_fault(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson())
    for arguments in (["list"], ["list", "--json"], ["--help"], ["show", "stash"]):
        ended = lessons.run(["/bin/sh", "-c", 'exec "$0" "$@" >&-', LESSONS, *arguments])
        assert (ended.code, ended.error) == (0, "")
