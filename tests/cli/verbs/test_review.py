"""`lessons review` in a real terminal: decide with one key, edit, take back, leave and go on."""

import re
import signal
import sys

import pexpect
import pytest

from tests.builders.candidates import put_into
from tests.builders.mistakes import Mistake, write_sessions
from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest
from tests.cli.transcripts import projects, write
from tests.cli.walking import Review, answer, decisions, records, screen, with_history

ROWS = 24
# What comes before everything that was mined.
FIRST = {"confidence": 1.0, "callsLost": 2, "minutesLost": 900}


@pytest.fixture
def history(lessons: CommandLine) -> CommandLine:
    return with_history(lessons)


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
    review = Review(history)
    for key in ("x", "\r", " ", "é", "u"):
        assert review.press(key).heading.startswith("── 1 of 7 ──")
    review.terminal.send("\x1b[A")  # an arrow
    assert any(line.startswith("── 1 of 7 ──") for line in screen(review.terminal))
    assert "Nothing decided; 7 left" in " ".join(review.quit())
    assert (records(history), decisions(history)) == ([], [])


def test_what_is_typed_before_a_screen_is_there_is_not_meant_for_it(history: CommandLine) -> None:
    review = Review(history)
    review.terminal.send("hppp")
    assert any(line.startswith("── 2 of 7 ──") for line in screen(review.terminal))
    assert review.press("x").heading.startswith("── 2 of 7 ──")
    review.quit()
    assert len(records(history)) == 1


# One screen.


def test_a_screen_shows_all_that_is_to_be_known(history: CommandLine) -> None:
    terminal = history.terminal("review")
    terminal.expect(r"\[\?\]  > ")
    coloured = str(terminal.before)
    lines = [line for line in plain(coloured).splitlines() if line]
    assert (len(lines) < ROWS, widest(lines) < COLUMNS) == (True, True)
    shown = "\n".join(lines)
    for text in ("failed   timeout 1", "worked   gtimeout 1", "3× in 3 sessions, 2 projects", r"fires    ^timeout"):
        assert text in shown
    assert "history  ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒  ▒ learned from" in shown
    learned = "learned from 3 calls; would have caught no other failed call and disturbed no good call"
    assert learned in " ".join(shown.split())
    assert "  **Fix**: Use `gtimeout" in shown
    assert "\x1b[1;31mtimeout\x1b[0m" in coloured
    assert "\x1b[1;32mgtimeout\x1b[0m" in coloured
    terminal.send("q")
    finish(terminal)


def test_what_the_agent_wrote_is_a_quotation(history: CommandLine) -> None:
    review = Review(history)
    while "--stat" not in review.text:
        assert not any(line.startswith("agent") for line in review.lines)
        review.press("k")
    assert "agent “There is no such flag in number 1" in review.text
    assert "I take another one.” (claude-code after the failed call" in review.text
    for _ in range(3):  # each occurrence has its own
        number = re.search(r"gh pr diff (\d+)", review.text)
        assert number and f"“There is no such flag in number {number[1]}." in review.text
        review.press("n")
    review.quit()


def test_text_from_a_transcript_does_not_steer_the_terminal(history: CommandLine) -> None:
    long = "a-very-long-word " * 60
    quote = {
        "failed": f"make \x1b[2J\x07 {long}",
        "error": f"\x9b2J [bold]no[/bold] {long}",
        "worked": f"make\x08 it {long.replace('very', 'rather')}",
    }
    put_into(history.home, "hostile", **FIRST, problem=f"a\x1b[31m red \x07one {long}", quotes=[quote])
    terminal = history.terminal("review")
    terminal.expect(r"\[\?\]  > ")
    before = str(terminal.before)
    lines = [line for line in plain(before).splitlines() if line]
    assert "[bold]no[/bold]" in plain(before)
    assert not {"\x07", "\x08", "\x9b"} & set(before) and "\x1b[2J" not in before
    assert (len(lines) < ROWS, widest(lines) < COLUMNS) == (True, True)
    terminal.send("q")
    finish(terminal)


def test_what_a_person_said_and_what_was_written_down_look_otherwise(history: CommandLine) -> None:
    remark = {"failed": "", "error": "no, never by hand", "worked": ""}
    put_into(history.home, "person", tier=3, kind="correction", **FIRST, quotes=[remark], error="")
    about = {"trigger": "make till", "quotes": [], "error": "", "problem": "The till needs a closed drawer to be made."}
    put_into(history.home, "tagged", tier=1, kind="tag", **{**FIRST, "minutesLost": 800}, **about)
    review = Review(history)
    assert review.heading.startswith("── 1 of 9 ── a correction by a person ──")
    assert "said     no, never by hand" in review.lines
    assert review.press("k").heading.startswith("── 2 of 9 ── a lesson the agent wrote down ──")
    assert any(line.startswith("written  by the agent in session s2; something it read") for line in review.lines)
    assert not any(line.startswith(("failed", "worked")) for line in review.lines)
    review.quit()


LONG_ERROR = "\n".join(["Exit code 1", *(f"npm error line {number}" for number in range(30)), "npm error the end"])
SCRIPT = Mistake(
    "cd web-{}\nnpm run tst \\\n  --silent", f'{LONG_ERROR}\nnpm error Missing script: "tst"', "cd web-{}\nnpm run test"
)


def test_a_command_keeps_its_lines_and_an_error_its_head_and_tail(lessons: CommandLine) -> None:
    write_sessions(projects(lessons), mistakes=(SCRIPT,))
    lessons.ok("scan")
    review = Review(lessons, "--all")
    lines = [line for line in review.lines if line]
    assert (len(lines) < ROWS, widest(lines) < COLUMNS) == (True, True)
    place = next(number for number, line in enumerate(lines) if line.startswith("failed   cd web-1"))
    assert lines[place + 1 : place + 4] == [
        "         npm run tst \\",
        "           --silent",
        "printed  npm error line 0",
    ]
    shown = "\n".join(lines)
    assert "more lines" in shown and "npm error line 15" not in shown
    assert '         npm error Missing script: "tst"' in shown
    whole = review.press("o").lines
    assert "npm error line 15" in whole and "  --silent" in whole
    review.quit()


def test_every_occurrence_can_be_paged_through(history: CommandLine) -> None:
    review = Review(history)
    shown = [(review.heading, review.lines)]
    shown += [(review.press(key).heading, review.lines) for key in "nnnv"]
    places = [re.findall(r"occurrence (\d of \d) ", heading)[0] for heading, _ in shown]
    assert places == ["1 of 3", "2 of 3", "3 of 3", "1 of 3", "3 of 3"]
    failed = [next(line for line in lines if line.startswith("failed   timeout 1")) for _, lines in shown]
    assert (len(set(failed)), failed[0] == failed[3], failed[2] == failed[4]) == (3, True, True)
    assert "occurrence 1 of 3" in review.press("k").heading  # the next case begins with its own
    review.quit()


def test_the_lesson_that_answers_it_is_named(history: CommandLine) -> None:
    summary = "timeout is missing on this machine, use gtimeout"
    own = ["--problem", "There is no timeout on this machine.", "--solution", "Write gtimeout instead of timeout."]
    history.ok("add", "--summary", summary, *own, "--command-pattern", r"^timeout\b", "--tag", "tool:x")
    review = Review(history)
    assert review.heading.startswith("── 1 of 6 ──") and "timeout" not in review.text  # it is closed
    review.quit()
    assert "6 candidates seen in two sessions or more" in history("alerts").out
    review = Review(history, "--all")
    [slug] = [each["slug"] for each in records(history)]
    assert f"answered by your lesson {slug} (m merges" in review.text
    assert "answered" not in review.press("k").text
    review.quit()


# A trigger that is edited.


@pytest.mark.parametrize(
    ("key", "kind", "typed"), [("c", "command", "error: unknown flag"), ("e", "error", "no such words")]
)
def test_a_pattern_that_fires_on_nothing_is_told_before_it_is_kept(
    key: str, kind: str, typed: str, history: CommandLine
) -> None:
    review = Review(history)
    fires = "It does not fire on any of the 3 calls it was learned from.*pattern: "
    review.type(f"et{key}", (f"{kind} pattern: ", typed), (fires, "\x03"))
    assert "fires    ^timeout" in "\n".join(review.lines)
    review.quit()


# Decisions.


def test_promote_edit_undo_quit_and_go_on(history: CommandLine) -> None:
    """The whole of it, as a person would do it."""
    review = Review(history).press("p")
    assert any(line.startswith("Promoted: use-gtimeout-") for line in review.lines)
    assert review.heading.startswith("── 2 of 7 ──")
    [first] = records(history)
    assert (first["needsReview"], first["confidence"] >= 0.7, first.get("stage")) == (False, True, None)
    assert "timeout 10 make" in first["examples"]["fires"]

    wrong = ("command pattern: ", "kubectl (get")
    review.type("etc", wrong, ("not a valid regex.*command pattern: ", "kubectl get pods .*shop=11"))
    assert "fires    kubectl get pods .*shop=11" in review.lines
    assert "learned from 3 calls, fires on 1 of them" in review.text
    review.type("eu", ("unless: ", "--all-namespaces"))
    assert "         unless --all-namespaces" in review.lines
    assert "learned from 3 calls, fires on 1 of them; would have caught no other failed call" in review.text
    review.press("h")
    assert [(each.get("stage"), each["triggers"].get("unless")) for each in records(history)] == [
        (None, None),
        ("shadow", ["--all-namespaces"]),
    ]

    assert "Undone: it was in shadow." in review.press("u").lines
    assert "fires    kubectl get pods .*shop=11" in review.lines  # what was edited is not lost
    assert len(records(history)) == 1
    # The edits are steps too, the last one first.
    assert "Undone: it is as it was before the edit." in review.press("u").lines
    assert "unless --all-namespaces" not in review.text and "fires    kubectl get pods .*shop=11" in review.lines
    assert review.press("u").heading.startswith("── 2 of 7 ──")
    assert not any("shop=11" in line for line in review.lines if line.startswith("fires "))
    lines = review.quit()
    assert "1 promoted; 6 left: `lessons review` continues there." in lines
    assert lines[-1].startswith("See it fire:  lessons try 'timeout 1")

    review = Review(history)
    assert review.heading.startswith("── 1 of 6 ──") and "kubectl" in review.text
    review.quit()
    assert [each["decision"] for each in decisions(history)] == ["promoted", "promoted", "undone"]


def test_what_is_skipped_comes_last_the_next_time(history: CommandLine) -> None:
    everything = problems(history)
    review = Review(history).press("kku")
    assert "Undone: it was skipped." in review.lines
    assert review.press("k").heading.startswith("── 3 of 7 ──")
    review.quit()
    review = Review(history)
    order = [review.text, *(review.press("k").text for _ in everything[1:])]
    for text, problem in zip(order, everything[2:] + everything[:2], strict=True):
        assert problem.split("`")[1].split()[0] in text
    review.terminal.send("k")
    code, lines = finish(review.terminal)
    assert (code, "7 skipped." in lines) == (0, True)


def test_what_the_history_speaks_against_takes_the_same_key_twice(history: CommandLine) -> None:
    review = Review(history).press("b")
    assert "block needs at least 5 calls" in review.text
    assert "Press b again to block anyway (logged)." in review.text
    assert records(history) == []
    assert "Press b again" in review.press("xb").text  # thought better of it in between
    assert review.press("b").heading.startswith("── 2 of 7 ──")
    assert records(history)[0]["block"] is True
    assert decisions(history)[-1]["forced"] is True
    review.press("s").quit()
    assert records(history)[1]["stopOnce"] is True


def test_words_and_scope_are_edited_too(history: CommandLine) -> None:
    review = Review(history)
    summary, problem = "On this machine timeout is called gtimeout", "There is no timeout on this machine."
    for key, question, text in (
        ("s", "summary: ", summary),
        ("p", "problem: ", problem),
        ("l", "solution: ", "Write gtimeout instead of timeout."),
        ("c", "scope .*: ", "/home/somebody/errs-1"),
    ):
        review.type(f"e{key}", (question, text))
    assert f"  ## Lesson: {summary}" in review.lines
    # The present text is there to be changed; ^C changes nothing, and the walk goes on.
    review.type("es", ("summary: .*gtimeout", "\x03")).press("p").quit()
    [record] = records(history)
    assert (record["summary"], record["problem"]) == (summary, problem)
    assert record["solution"] == "Write gtimeout instead of timeout."
    assert record["scope"] == {"type": "project", "path": "/home/somebody/errs-1"}


def test_the_whole_lesson_is_edited_in_the_editor(history: CommandLine) -> None:
    change = history.work / "editor.py"
    change.write_text(
        "import json, pathlib, sys\n"
        "file = pathlib.Path(sys.argv[1])\n"
        "lesson = json.loads(file.read_text())\n"
        "assert set(lesson) >= {'summary', 'solution', 'triggers', 'scope', 'priority', 'tags'}\n"
        "lesson |= {'priority': 9, 'tags': ['tool:mine'], 'solution': 'Write it as the editor says.'}\n"
        "file.write_text(json.dumps(lesson))\n"
    )
    review = Review(history, EDITOR=f"{sys.executable} {change}").press("w")
    assert "Write it as the editor says." in review.text
    assert "Undone: it is as it was before the edit." in review.press("u").text
    review.press("w").press("p").quit()
    [record] = records(history)
    assert (record["priority"], record["tags"]) == (9, ["tool:mine"])
    assert record["solution"] == "Write it as the editor says."


def test_the_good_calls_that_it_would_disturb_are_listed(history: CommandLine) -> None:
    review = Review(history)
    assert "It would disturb no good call." in review.press("g").text
    review.type("etc", ("command pattern: ", "g?timeout .*make")).press("g")
    assert "3 good calls that it would disturb:" in review.text and "gtimeout 10 make" in review.text
    review.quit()


def test_merge_into_a_lesson_that_is_there(history: CommandLine) -> None:
    review = Review(history)
    assert "No lesson to merge it into yet" in review.press("m").text
    review.press("p")
    assert "nothing-of-that-name" in review.type("m", ("merge into .*: ", "nothing-of-that-name")).text
    assert review.type("m", ("merge into .*: ", "1")).heading.startswith("── 3 of 7 ──")
    assert records(history)[0]["occurrenceCount"] == 6
    review.press("u")
    assert records(history)[0]["occurrenceCount"] == 3
    review.quit()


def test_what_has_no_trigger_becomes_a_note_only_when_asked_twice(history: CommandLine) -> None:
    put_into(history.home, "person", tier=3, kind="correction", **FIRST)
    review = Review(history)
    assert "no trigger" in review.text
    assert "It has no trigger, so it cannot fire" in review.press("b").text
    assert "Press p again to do that" in review.press("p").text
    review.press("p")
    assert records(history)[0]["triggers"]["sessionStart"] is True
    review.press("u").type("ete", ("error pattern: ", "unknown flag"))
    assert "fires    error unknown flag" in review.lines
    review.press("p").quit()
    assert records(history)[0]["triggers"]["errorPatterns"] == ["unknown flag"]


def test_near_duplicates_are_one_decision(history: CommandLine) -> None:
    words = {"problem": "the till of the shop has no drawer today", "solution": "open the till with its own key first"}
    put_into(history.home, "one", **FIRST, **words)
    again = {**words, "problem": words["problem"] + " again"}
    put_into(history.home, "two", **{**FIRST, "minutesLost": 800}, **again)
    review = Review(history)
    assert review.heading.startswith("── 1 of 8 ──")
    assert "nearly the same" in review.text and "[r]eject" in review.text
    review.terminal.send("r")
    answer(review.terminal, "reason .*: ", "no drawer here", instead=False)
    review.lines = screen(review.terminal)
    assert "Rejected, not shown again" in review.text
    assert {each["fingerprint"] for each in decisions(history)} == {"one", "two"}
    rows = [line.split("\t") for line in history.ok("list", "--status", "rejected").splitlines()]
    assert [(row[0], row[2]) for row in rows] == [("one", "no drawer here"), ("two", "no drawer here")]
    for status in ("archived", "rejected"):
        found = history.json("list", "--status", status)["lessons"]
        assert [(each["fingerprint"], each["status"]) for each in found] == [("one", status), ("two", status)]
    assert {line.split("\t")[2] for line in history.ok("undo", "--list").splitlines()} == {"rejected"}
    review.press("u").quit()
    assert [each["decision"] for each in decisions(history)] == ["archived", "archived", "undone", "undone"]


# Interruptions.


def test_killed_at_a_key_the_lessons_are_whole_and_the_walk_goes_on(history: CommandLine) -> None:
    terminal = Review(history).press("p").terminal
    terminal.send("h")
    terminal.kill(signal.SIGKILL)
    terminal.expect(pexpect.EOF)
    terminal.close()
    slugs = [each["slug"] for each in records(history)]
    assert len(slugs) <= 2
    review = Review(history)
    assert int(review.heading.split()[3]) == 7 - len(slugs)
    review.press("p").quit()
    assert len(records(history)) == len(slugs) + 1
