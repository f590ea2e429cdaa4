"""`lessons review` in a real terminal: decide with one key, edit, take back, leave and go on."""

import re
import signal

import pexpect
import pytest

from tests.builders.candidates import put_into
from tests.builders.mistakes import Mistake, write_sessions
from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest
from tests.cli.transcripts import projects, write
from tests.cli.walking import answer, decisions, press, records, screen, with_history

ROWS = 24
# What comes before everything that was mined.
FIRST = {"confidence": 1.0, "callsLost": 2}


@pytest.fixture
def history(lessons: CommandLine) -> CommandLine:
    return with_history(lessons)


def heading(lines: list[str]) -> str:
    return next(line for line in lines if line.startswith("── "))


def choose_kind(terminal: "pexpect.spawn[str]", key: str) -> None:
    """In the edit menu: a trigger that looks at this."""
    terminal.send("t")
    terminal.expect("trigger on: .*> ")
    terminal.send(key)


def joined(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def problems(lessons: CommandLine) -> list[str]:
    return [str(each["problem"]) for each in lessons.json("candidates", "--all")["candidates"]]


# What it does not do.


def test_without_a_terminal_it_says_what_to_use_instead(history: CommandLine) -> None:
    assert "needs a terminal" in history.refused("review")
    assert history.json("review") == {"learned": []}
    assert records(history) == []


def test_where_nothing_waits_it_says_so(lessons: CommandLine) -> None:
    code, lines = finish(lessons.terminal("review"))
    assert (code, "run `lessons scan` first" in " ".join(lines)) == (1, True)
    write(lessons)
    lessons.ok("scan")
    code, lines = finish(lessons.terminal("review"))
    assert (code, "seen in one session only): add --all" in " ".join(lines)) == (0, True)


def test_keys_that_mean_nothing_decide_nothing(history: CommandLine) -> None:
    terminal = history.terminal("review")
    screen(terminal)
    for key in ("x", "\r", " ", "\x1b[A", "é", "u"):
        assert heading(press(terminal, key)).startswith("── 1 of 7 ──")
    terminal.send("q")
    code, lines = finish(terminal)
    assert (code, "Nothing decided; 7 left" in " ".join(lines)) == (0, True)
    assert (records(history), decisions(history)) == ([], [])


def test_what_is_typed_before_a_screen_is_there_is_not_meant_for_it(history: CommandLine) -> None:
    terminal = history.terminal("review")
    screen(terminal)
    terminal.send("hppp")
    assert heading(screen(terminal)).startswith("── 2 of 7 ──")
    assert heading(press(terminal, "x")).startswith("── 2 of 7 ──")
    terminal.send("q")
    finish(terminal)
    assert len(records(history)) == 1


# One screen.


def test_a_screen_shows_all_that_is_to_be_known(history: CommandLine) -> None:
    terminal = history.terminal("review")
    terminal.expect(r"\[\?\]  > ")
    coloured = str(terminal.before)
    lines = [line for line in plain(coloured).splitlines() if line]
    assert len(lines) < ROWS
    assert widest(lines) < COLUMNS
    shown = "\n".join(lines)
    for text in ("failed   timeout 1", "worked   gtimeout 1", "3× in 3 sessions, 2 projects", r"fires    ^timeout"):
        assert text in shown
    assert "history  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  ▒ learned from" in shown
    assert "learned from 3 calls; would have caught no other failed call and disturbed no good call" in " ".join(
        shown.split()
    )
    assert "  **Fix**: Use `gtimeout" in shown
    assert "\x1b[1;31mtimeout\x1b[0m" in coloured
    assert "\x1b[1;32mgtimeout\x1b[0m" in coloured
    terminal.send("q")
    finish(terminal)


def test_what_the_agent_wrote_is_a_quotation(history: CommandLine) -> None:
    terminal = history.terminal("review")
    shown = screen(terminal)
    while "--stat" not in "\n".join(shown):
        assert not any(line.startswith("agent") for line in shown)
        shown = press(terminal, "k")
    text = " ".join(" ".join(shown).split())
    assert "agent “There is no such flag in number 1" in text
    assert "I take another one.” (claude-code after the failed call" in text
    for _ in range(3):  # each occurrence has its own
        number = re.search(r"gh pr diff (\d+)", text)
        assert number and f"“There is no such flag in number {number[1]}." in text
        text = " ".join(" ".join(press(terminal, "n")).split())
    terminal.send("q")
    finish(terminal)


def test_text_from_a_transcript_does_not_steer_the_terminal(history: CommandLine) -> None:
    quote = {"failed": "make \x1b[2J\x07", "error": "\x9b2J [bold]no[/bold]", "worked": "make\x08 it"}
    put_into(
        history.home,
        "hostile",
        **FIRST,
        minutesLost=900,
        problem="a\x1b[31m red \x07one",
        quotes=[quote],
    )
    terminal = history.terminal("review")
    terminal.expect(r"\[\?\]  > ")
    before = str(terminal.before)
    assert "[bold]no[/bold]" in plain(before)
    assert not {"\x07", "\x08", "\x9b"} & set(before)
    assert "\x1b[2J" not in before
    terminal.send("q")
    finish(terminal)


def test_what_a_person_said_and_what_was_written_down_look_otherwise(history: CommandLine) -> None:
    said = {"quotes": [{"failed": "", "error": "no, never by hand", "worked": ""}], "error": ""}
    put_into(
        history.home,
        "person",
        tier=3,
        kind="correction",
        **FIRST,
        minutesLost=900,
        **said,
    )
    about = {"trigger": "make till", "quotes": [], "error": "", "problem": "The till needs a closed drawer to be made."}
    put_into(
        history.home,
        "tagged",
        tier=1,
        kind="tag",
        **FIRST,
        minutesLost=800,
        **about,
    )
    terminal = history.terminal("review")
    lines = screen(terminal)
    assert heading(lines).startswith("── 1 of 9 ── a correction by a person ──")
    assert "said     no, never by hand" in lines
    lines = press(terminal, "k")
    assert heading(lines).startswith("── 2 of 9 ── a lesson the agent wrote down ──")
    assert any(line.startswith("written  by the agent in session s2; something it read") for line in lines)
    assert not any(line.startswith(("failed", "worked")) for line in lines)
    terminal.send("q")
    finish(terminal)


def test_help(history: CommandLine) -> None:
    terminal = history.terminal("review")
    screen(terminal)
    terminal.send("?")
    terminal.expect("press any key > ")
    assert widest(plain(str(terminal.before)).splitlines()) <= COLUMNS
    assert heading(press(terminal, " ")).startswith("── 1 of 7 ──")
    terminal.send("q")
    finish(terminal)


LONG_ERROR = "\n".join(["Exit code 1", *(f"npm error line {number}" for number in range(30)), "npm error the end"])
SCRIPT = Mistake(
    "cd web-{}\nnpm run tst \\\n  --silent", f'{LONG_ERROR}\nnpm error Missing script: "tst"', "cd web-{}\nnpm run test"
)


def test_a_command_keeps_its_lines_and_an_error_its_head_and_tail(lessons: CommandLine) -> None:
    write_sessions(projects(lessons), mistakes=(SCRIPT,))
    lessons.ok("scan")
    terminal = lessons.terminal("review", "--all")
    lines = [line for line in screen(terminal) if line]
    assert (len(lines) < ROWS, widest(lines) < COLUMNS) == (True, True)
    place = next(number for number, line in enumerate(lines) if line.startswith("failed   cd web-1"))
    assert lines[place + 1 : place + 4] == [
        "         npm run tst \\",
        "           --silent",
        "printed  npm error line 0",
    ]
    shown = "\n".join(lines)
    assert "more lines" in shown
    assert '         npm error Missing script: "tst"' in shown
    assert "npm error line 15" not in shown
    terminal.send("o")
    terminal.expect("press any key for more, q to return > ")
    whole = plain(str(terminal.before)).splitlines()
    terminal.send(" ")
    terminal.expect("press any key > ")
    whole += plain(str(terminal.before)).splitlines()
    assert "npm error line 15" in whole
    assert "  --silent" in whole
    press(terminal, " ")
    terminal.send("q")
    finish(terminal)


def test_every_occurrence_can_be_paged_through(history: CommandLine) -> None:
    terminal = history.terminal("review")
    shown = [screen(terminal)]
    shown += [press(terminal, key) for key in "nnnv"]
    places = [re.findall(r"occurrence (\d of \d) ", heading(lines))[0] for lines in shown]
    assert places == ["1 of 3", "2 of 3", "3 of 3", "1 of 3", "3 of 3"]
    failed = [next(line for line in lines if line.startswith("failed   timeout 1")) for lines in shown]
    assert (len(set(failed)), failed[0] == failed[3], failed[2] == failed[4]) == (3, True, True)
    assert "occurrence 1 of 3" in heading(press(terminal, "k"))  # the next case begins with its own
    terminal.send("q")
    finish(terminal)


def test_the_lesson_that_answers_it_is_named(history: CommandLine) -> None:
    summary = "timeout is missing on this machine, use gtimeout"
    own = ["--problem", "There is no timeout on this machine.", "--solution", "Write gtimeout instead of timeout."]
    history.ok("add", "--summary", summary, *own, "--command-pattern", r"^timeout\b", "--tag", "tool:x")
    terminal = history.terminal("review")
    [slug] = [each["slug"] for each in records(history)]
    assert f"answered by your lesson {slug} (m merges" in joined(screen(terminal))
    assert "answered" not in joined(press(terminal, "k"))
    terminal.send("q")
    finish(terminal)


# A trigger that is edited.


@pytest.mark.parametrize(
    ("key", "kind", "typed"),
    [("c", "command", "error: unknown flag"), ("c", "command", "no-such-program"), ("e", "error", "no such words")],
)
def test_a_pattern_that_fires_on_nothing_is_told_before_it_is_kept(
    key: str, kind: str, typed: str, history: CommandLine
) -> None:
    terminal = history.terminal("review")
    before = screen(terminal)
    terminal.send("e")
    terminal.expect("edit: .*> ")
    choose_kind(terminal, key)
    answer(terminal, f"{kind} pattern: ", typed)
    terminal.expect("It does not fire on any of the 3 calls it was learned from")
    terminal.expect(f"{kind} pattern: ")
    terminal.send("\x03")
    after = screen(terminal)
    assert joined(after[1:]) == joined(before[1:]) or "fires    ^timeout" in "\n".join(after)
    terminal.send("q")
    finish(terminal)


# Decisions.


def fires_lines(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("fires ")]


def test_promote_edit_undo_quit_and_go_on(history: CommandLine) -> None:
    """The whole of it, as a person would do it."""
    terminal = history.terminal("review")
    screen(terminal)
    said = press(terminal, "p")
    assert any(line.startswith("Promoted: use-gtimeout-") for line in said)
    assert heading(said).startswith("── 2 of 7 ──")
    [first] = records(history)
    assert (first["needsReview"], first["confidence"] >= 0.7, first.get("stage")) == (False, True, None)
    assert "timeout 10 make" in first["examples"]["fires"]

    assert "learned from 3 calls; would have caught" in " ".join(said)
    terminal.send("e")
    terminal.expect("edit: .*> ")
    choose_kind(terminal, "c")
    answer(terminal, "command pattern: ", "kubectl (get")
    answer(terminal, "not a valid regex.*command pattern: ", "kubectl get pods .*shop=11")
    said = screen(terminal)
    assert "fires    kubectl get pods .*shop=11" in said
    assert "learned from 3 calls, fires on 1 of them" in " ".join(" ".join(said).split())
    terminal.send("e")
    terminal.expect("edit: .*> ")
    terminal.send("u")
    answer(terminal, "unless: ", "--all-namespaces")
    said = screen(terminal)
    assert "         unless --all-namespaces" in said
    assert "learned from 3 calls, fires on 1 of them; would have caught no other failed call" in " ".join(
        " ".join(said).split()
    )
    press(terminal, "h")
    assert [(each.get("stage"), each["triggers"].get("unless")) for each in records(history)] == [
        (None, None),
        ("shadow", ["--all-namespaces"]),
    ]

    said = press(terminal, "u")
    assert "Undone: it was in shadow." in said
    assert "fires    kubectl get pods .*shop=11" in said  # what was edited is not lost
    assert len(records(history)) == 1
    said = press(terminal, "u")  # the edits are steps too, the last one first
    assert "Undone: it is as it was before the edit." in said
    assert "unless --all-namespaces" not in " ".join(said) and "fires    kubectl get pods .*shop=11" in said
    said = press(terminal, "u")
    assert heading(said).startswith("── 2 of 7 ──") and "shop=11" not in " ".join(fires_lines(said))
    terminal.send("q")
    code, lines = finish(terminal)
    assert code == 0
    assert "1 promoted; 6 left: `lessons review` continues there." in lines
    assert lines[-1].startswith("See it fire:  lessons try 'timeout 1")

    terminal = history.terminal("review")
    lines = screen(terminal)
    assert heading(lines).startswith("── 1 of 6 ──")
    assert any("kubectl" in line for line in lines)
    terminal.send("q")
    finish(terminal)
    assert [each["decision"] for each in decisions(history)] == ["promoted", "promoted", "undone"]


def test_what_is_skipped_comes_last_the_next_time(history: CommandLine) -> None:
    everything = problems(history)
    terminal = history.terminal("review")
    screen(terminal)
    press(terminal, "k")
    press(terminal, "k")
    assert "Undone: it was skipped." in press(terminal, "u")
    assert heading(press(terminal, "k")).startswith("── 3 of 7 ──")
    terminal.send("q")
    finish(terminal)
    terminal = history.terminal("review")
    order = [" ".join(screen(terminal))]
    order += [" ".join(press(terminal, "k")) for _ in everything[1:]]
    wanted = everything[2:] + everything[:2]
    for lines, problem in zip(order, wanted, strict=True):
        assert problem.split("`")[1].split()[0] in lines
    terminal.send("k")
    code, lines_after = finish(terminal)
    assert (code, "7 skipped." in lines_after) == (0, True)


def test_what_the_history_speaks_against_takes_the_same_key_twice(history: CommandLine) -> None:
    terminal = history.terminal("review")
    screen(terminal)
    said = " ".join(press(terminal, "b"))
    assert "block needs at least 5 calls" in said
    assert "Press b again to block anyway (logged)." in said
    assert records(history) == []
    press(terminal, "x")  # thought better of it
    assert "Press b again" in " ".join(press(terminal, "b"))
    assert heading(press(terminal, "b")).startswith("── 2 of 7 ──")
    [record] = records(history)
    assert record["block"] is True
    assert decisions(history)[-1]["forced"] is True
    press(terminal, "s")
    assert records(history)[1]["stopOnce"] is True
    terminal.send("q")
    finish(terminal)


def test_words_and_scope_are_edited_too(history: CommandLine) -> None:
    terminal = history.terminal("review")
    screen(terminal)
    for key, question, text in (
        ("s", "summary: ", "On this machine timeout is called gtimeout"),
        ("p", "problem: ", "There is no timeout on this machine."),
        ("l", "solution: ", "Write gtimeout instead of timeout."),
        ("c", "scope .*: ", "/home/somebody/errs-1"),
    ):
        terminal.send("e")
        terminal.expect("edit: .*> ")
        terminal.send(key)
        answer(terminal, question, text)
        lines = screen(terminal)
    assert "  ## Lesson: On this machine timeout is called gtimeout" in lines
    terminal.send("e")
    terminal.expect("edit: .*> ")
    terminal.send("s")
    terminal.expect("summary: .*gtimeout")  # the present text is there to be changed
    terminal.send("\x03")  # nothing is changed, and the walk goes on
    screen(terminal)
    press(terminal, "p")
    terminal.send("q")
    finish(terminal)
    [record] = records(history)
    assert record["summary"] == "On this machine timeout is called gtimeout"
    assert record["solution"] == "Write gtimeout instead of timeout."
    assert record["scope"] == {"type": "project", "path": "/home/somebody/errs-1"}


def test_merge_into_a_lesson_that_is_there(history: CommandLine) -> None:
    terminal = history.terminal("review")
    screen(terminal)
    assert "No lesson to merge it into yet" in " ".join(press(terminal, "m"))
    press(terminal, "p")
    terminal.send("m")
    answer(terminal, "merge into .*: ", "nothing-of-that-name")
    assert "nothing-of-that-name" in " ".join(screen(terminal))
    terminal.send("m")
    answer(terminal, "merge into .*: ", "1")
    said = screen(terminal)
    assert heading(said).startswith("── 3 of 7 ──")
    assert records(history)[0]["occurrenceCount"] == 6
    press(terminal, "u")
    assert records(history)[0]["occurrenceCount"] == 3
    terminal.send("q")
    finish(terminal)


def test_what_has_no_trigger_becomes_a_note_only_when_asked_twice(history: CommandLine) -> None:
    put_into(history.home, "person", tier=3, kind="correction", **FIRST, minutesLost=900)
    terminal = history.terminal("review")
    assert "no trigger" in " ".join(screen(terminal))
    assert "It has no trigger, so it cannot fire" in " ".join(press(terminal, "b"))
    assert "Press p again to do that" in " ".join(press(terminal, "p"))
    press(terminal, "p")
    assert records(history)[0]["triggers"]["sessionStart"] is True
    press(terminal, "u")
    terminal.send("e")
    terminal.expect("edit: .*> ")
    choose_kind(terminal, "e")
    answer(terminal, "error pattern: ", "unknown flag")
    assert "fires    error unknown flag" in screen(terminal)
    press(terminal, "p")
    assert records(history)[0]["triggers"]["errorPatterns"] == ["unknown flag"]
    terminal.send("q")
    finish(terminal)


def test_near_duplicates_are_one_decision(history: CommandLine) -> None:
    words = {"problem": "the till of the shop has no drawer today", "solution": "open the till with its own key first"}
    put_into(history.home, "one", **FIRST, minutesLost=900, **words)
    put_into(
        history.home,
        "two",
        **FIRST,
        minutesLost=800,
        **{**words, "problem": words["problem"] + " again"},
    )
    terminal = history.terminal("review")
    lines = screen(terminal)
    assert heading(lines).startswith("── 1 of 8 ──")
    assert "nearly the same" in " ".join(lines)
    assert "[r]eject" in " ".join(lines)
    terminal.send("r")
    answer(terminal, "reason .*: ", "no drawer here")
    assert "Rejected, not shown again" in " ".join(screen(terminal))
    assert {each["fingerprint"] for each in decisions(history)} == {"one", "two"}
    rows = [line.split("\t") for line in history.ok("list", "--status", "rejected").splitlines()]
    assert [(row[0], row[2]) for row in rows] == [("one", "no drawer here"), ("two", "no drawer here")]
    assert [each["fingerprint"] for each in history.json("list", "--status", "archived")["lessons"]] == ["one", "two"]
    assert {line.split("\t")[2] for line in history.ok("undo", "--list").splitlines()} == {"rejected"}
    press(terminal, "u")
    assert [each["decision"] for each in decisions(history)] == ["archived", "archived", "undone", "undone"]
    terminal.send("q")
    finish(terminal)


# Interruptions.


@pytest.mark.parametrize("key", ["h", "k", "u", "e"])
def test_killed_at_any_key_the_lessons_are_whole_and_the_walk_goes_on(key: str, history: CommandLine) -> None:
    terminal = history.terminal("review")
    screen(terminal)
    press(terminal, "p")
    terminal.send(key)
    terminal.kill(signal.SIGKILL)
    terminal.expect(pexpect.EOF)
    terminal.close()
    slugs = [each["slug"] for each in records(history)]
    assert len(slugs) <= 2
    terminal = history.terminal("review")
    lines = screen(terminal)
    waiting = int(heading(lines).split()[3])
    press(terminal, "p")
    terminal.send("q")
    assert finish(terminal)[0] == 0
    assert waiting == 7 - len(slugs)
    assert len(records(history)) == len(slugs) + 1


def test_decisions_survive_a_rebuilt_history(history: CommandLine) -> None:
    terminal = history.terminal("review")
    screen(terminal)
    press(terminal, "p")
    terminal.send("a")
    answer(terminal, "reason .*: ", "we want it so")
    screen(terminal)
    terminal.send("q")
    finish(terminal)
    for file in history.home.glob("history.db*"):
        file.unlink()
    history.ok("scan")
    assert len(problems(history)) == 5
    assert decisions(history)[-1]["reason"] == "we want it so"
