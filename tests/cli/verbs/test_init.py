"""`lessons init`: from nothing to the first lessons, with and without a person; again it does nothing twice."""

import json
import sys
from pathlib import Path

import pexpect
import pytest

from lessons.promote.starter import pack
from tests.builders.days import Did, on_day
from tests.builders.mistakes import write_sessions
from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest
from tests.cli.transcripts import projects
from tests.cli.verbs.test_learn import with_agent
from tests.cli.walking import decisions, press, records, screen

INSTALL = "Add the hook:    lessons install --agent claude-code"
ROWS = 24
SWITCH_ON = r"\[d\]: show the change  \[n\]o  > "
# Those that answer one of the mistakes.
STARTERS = ["gh-pr-diff-has-no-stat", "macos-has-no-timeout-command", "python-is-called-python3"]


def starter_offer(terminal: "pexpect.spawn[str]") -> list[str]:
    """The list of starter lessons, up to its question."""
    terminal.expect(r"\[n\]one  > ")
    return plain(str(terminal.before)).splitlines()


def to_the_end(terminal: "pexpect.spawn[str]") -> tuple[int | None, list[str]]:
    """Sends nothing to an agent of this machine."""
    if terminal.expect([r"\[n\]o: ", pexpect.EOF]) == 0:
        terminal.sendline("n")
        return finish(terminal)
    terminal.close()
    return terminal.exitstatus, plain(str(terminal.before)).splitlines()


def one_starter(terminal: "pexpect.spawn[str]") -> list[str]:
    terminal.expect(r"\[q\]uit choosing  > ")
    return plain(str(terminal.before)).splitlines()


@pytest.fixture
def elsewhere(lessons: CommandLine) -> Path:
    """Transcripts that do not lie where the agent would leave them."""
    write_sessions(lessons.work / "transcripts")
    return lessons.work / "transcripts"


@pytest.fixture
def own(lessons: CommandLine) -> Path:
    """Transcripts of the agent of this machine."""
    write_sessions(projects(lessons))
    return projects(lessons)


# What it does not do.


def test_wrong_input_is_a_sentence(lessons: CommandLine) -> None:
    assert "--path is empty" in lessons.refused("init", "--path", "")
    ended = lessons("init", "--yes", "--path", "/no/such/folder")
    assert (ended.code, "/no/such/folder does not exist" in ended.error) == (1, True)
    assert "There is no agent 'nobody'" in lessons("init", "--agent", "nobody").error


def test_without_a_terminal_and_without_yes_nothing_is_decided(own: Path, lessons: CommandLine) -> None:
    said = lessons.ok("init")
    assert "21 of them failed" in said
    assert f"3 of the {len(pack())} starter lessons match 9 of your 21 failed calls." in said
    assert "Run `lessons init --yes` to put the best five into shadow." in said
    assert "7 candidates left" in said
    assert "Let your agent write the rest: lessons learn" in said
    document = lessons.json("init")
    assert [each["slug"] for each in document["starter"]["matches"]] == STARTERS
    assert (document["starter"]["failedCalls"], document["lessons"]) == (9, [])
    assert (records(lessons), decisions(lessons)) == ([], [])
    assert not lessons.settings.exists()


def test_rules_that_were_broken_are_named(lessons: CommandLine) -> None:
    (lessons.work / "CLAUDE.md").write_text("- Never run `rm -rf`.\n- Keep functions small.\n")
    told = "Your CLAUDE.md has 2 rules. 1 can be checked: never broken in 0 sessions: lessons rules"
    assert told in lessons("init", "--no-install").out


def test_on_a_machine_without_agents(lessons: CommandLine) -> None:
    said = lessons.ok("init", "--yes")
    assert "Claude Code not found on this machine" in said
    assert "No lesson was created." in said
    assert "No transcripts found. Give their folder with --path." in said
    assert not lessons.settings.exists()
    assert lessons.ok("doctor").startswith("No problems found")


def test_nothing_is_written_before_the_first_question(own: Path, lessons: CommandLine) -> None:
    lessons.home.rmdir()
    terminal = lessons.terminal("init")
    terminal.expect(SWITCH_ON)
    terminal.sendintr()
    assert finish(terminal)[0] == 130
    assert not lessons.home.exists() and not lessons.settings.exists()


def test_a_hook_of_another_data_home_is_named_and_not_changed(own: Path, lessons: CommandLine) -> None:
    other = lessons.work / "other"
    lessons.json("install", "--agent", "claude-code", LESSONS_HOME=str(other))
    before = lessons.settings.read_bytes()
    said = lessons.ok("init", "--yes")
    works = f"The hook in ~/.claude/settings.json works on {other}, so lessons of {lessons.home} do not fire."
    assert f"{works} To change that, run `lessons install --agent claude-code`." in said
    assert "already has the hook" not in said and INSTALL in said
    assert lessons.settings.read_bytes() == before
    assert lessons.json("init", "--yes")["hook"]["installed"] is False


def test_it_says_what_agents_are_asked_for_and_how_to_end_that(own: Path, lessons: CommandLine) -> None:
    said = lessons.ok("init", "--yes")
    assert "the agent is asked for a note (a `#lesson` tag)" in " ".join(said.split())
    assert "lessons config set lessonProtocol false" in said
    lessons.ok("config", "set", "lessonProtocol", "false")
    assert "#lesson" not in lessons.ok("init", "--yes")


def test_yes_leaves_the_settings_alone_where_it_should(own: Path, elsewhere: Path, lessons: CommandLine) -> None:
    (lessons.person / ".codex").mkdir()
    (lessons.person / ".gemini").mkdir()
    said = lessons.ok("init", "--yes", "--path", str(elsewhere))
    assert "Found Claude Code" in said and "Found Codex (" in said
    assert "Found Gemini CLI (" in said
    assert "With --yes and --path ~/.claude/settings.json is not changed" in said
    assert INSTALL in said
    assert "(--no-install)" in lessons.ok("init", "--yes", "--no-install")
    assert not lessons.settings.exists()


def test_a_starter_lesson_that_was_declined_is_not_offered_again(elsewhere: Path, lessons: CommandLine) -> None:
    terminal = lessons.terminal("init", "--path", str(elsewhere))
    starter_offer(terminal)
    terminal.send("c")
    for key in ("n", "y"):
        one_starter(terminal)
        terminal.send(key)
    one_starter(terminal)
    terminal.sendintr()  # about the third nothing is decided
    finish(terminal)
    again = lessons.json("init", "--path", str(elsewhere))
    assert [each["slug"] for each in again["starter"]["matches"]] == STARTERS[2:]
    lessons.ok("init", "--yes", "--path", str(elsewhere))
    assert STARTERS[0] not in {each["slug"] for each in records(lessons)}
    # By hand it can still be added.
    assert STARTERS[0] in {each["slug"] for each in lessons.json("add", "--starter", "--list")["lessons"]}
    lessons.ok("add", "--starter", "--yes", "--tag", "gh")
    assert STARTERS[0] in {each["slug"] for each in records(lessons)}


# What it does.


def test_yes_ends_with_five_lessons_in_shadow_each_with_its_evidence(elsewhere: Path, lessons: CommandLine) -> None:
    said = lessons.ok("init", "--yes", "--path", str(elsewhere)).splitlines()
    stored = records(lessons)
    assert [each["stage"] for each in stored] == ["shadow"] * 5
    assert [each["slug"] for each in stored][:3] == STARTERS
    for each in stored[3:]:
        assert each["occurrenceCount"] == 3
        assert len(each["sourceSessionIds"]) == 3
    for each in stored:
        assert each["examples"]["fires"]
        assert each["examples"]["quiet"]
        assert f"  {each['slug']} (shadow)" in said
    moments = ("caught 3 failed calls", "spoken up after 3 errors")
    caught = [f"    would have {each} and disturbed no good call" for each in moments]
    learned = "learned from 3 calls; would have caught no other failed call and disturbed no good call"
    assert (sum(map(said.count, caught)), len([line for line in said if learned in line])) == (3, 2)
    assert "Decide the rest: lessons review --all   (5 candidates left)" in said
    [line] = [line for line in said if line.startswith("See one fire:")]
    shown = lessons.run(["sh", "-c", line.partition(":")[2]])
    assert (shown.code, "The match is only logged: " in shown.out) == (0, True)


def test_again_it_does_nothing_twice(elsewhere: Path, lessons: CommandLine) -> None:
    lessons.ok("init", "--yes", "--path", str(elsewhere))
    before = (lessons.home / "lessons.json").read_bytes()
    said = lessons.ok("init", "--yes", "--path", str(elsewhere))
    assert "5 lessons from earlier runs are still in use." in said
    assert "nothing new since the last scan" in said
    assert (lessons.home / "lessons.json").read_bytes() == before
    assert [each["decision"] for each in decisions(lessons)] == ["starterAccepted"] * 3 + ["promoted"] * 2
    lessons.ok("undo")
    lessons.ok("init", "--yes", "--path", str(elsewhere))
    assert len(records(lessons)) == 5


def test_yes_puts_the_hook_in_where_the_agent_lives(own: Path, lessons: CommandLine) -> None:
    said = lessons.ok("init", "--yes")
    assert "Added the hook to ~/.claude/settings.json. It works" in said
    assert INSTALL not in said
    assert "hooks" in json.loads(lessons.settings.read_text())
    assert "~/.claude/settings.json already has the hook." in lessons.ok("init", "--yes")


def test_settings_that_cannot_be_changed_keep_nobody_from_beginning(own: Path, lessons: CommandLine) -> None:
    lessons.settings.write_text("{ not json")
    said = lessons.ok("init", "--yes")
    assert "settings.json" in said
    assert INSTALL in said
    assert len(records(lessons)) == 5
    assert lessons.settings.read_text() == "{ not json"


def test_as_json_it_is_one_document(elsewhere: Path, lessons: CommandLine) -> None:
    document = lessons.json("init", "--yes", "--path", str(elsewhere))
    assert document["scan"]["calls"]["failed"] == 21
    assert document["hook"]["installed"] is False
    assert len(document["lessons"]) == 5
    assert {each["stage"] for each in document["lessons"]} == {"shadow"}
    assert [each["starter"] for each in document["lessons"]] == [True] * 3 + [False] * 2
    assert all(each["try"].startswith("lessons try ") for each in document["lessons"] if not each["starter"])
    assert all(each["history"] for each in document["lessons"])
    assert (document["before"], document["waiting"]) == ([], 5)


def test_with_a_person_it_asks_and_walks(own: Path, lessons: CommandLine) -> None:
    terminal = lessons.terminal("init", PAGER="cat")
    terminal.expect(SWITCH_ON)
    asked = plain(str(terminal.before)).splitlines()
    parts = ("  hook     ", "  memory   ", "  notes    ", "  handoff  ")
    assert [line[:11] for line in asked if line.startswith(parts)] == list(parts)
    assert widest(asked) <= COLUMNS
    terminal.send("d")
    terminal.expect(SWITCH_ON)
    assert "+++ " in str(terminal.before) and "PreToolUse" in str(terminal.before)
    terminal.send("n")
    offered = starter_offer(terminal)
    assert f"3 of the {len(pack())} starter lessons match 9 of your 21 failed calls:" in offered
    assert (len(offered) < ROWS, widest(offered) <= COLUMNS) == (True, True)
    assert len([line for line in offered if line.startswith(("   3      0     0  ", "   0      3     0  "))]) == 3
    terminal.send("n")
    guards = starter_offer(terminal)
    number = sum(
        "severity:data-loss" in str(each["tags"]) and ("stopOnce" in each or "block" in each) for each in pack()
    )
    assert any(line.startswith(f"{number} guards against losing work, each stops") for line in guards)
    assert (len(guards) < ROWS, widest(guards) <= COLUMNS) == (True, True)
    terminal.send("n")
    # The mistakes that the refused lessons answer are not offered in other words.
    assert any(line.startswith("── 1 of 3 ──") for line in screen(terminal))
    press(terminal, "p")
    press(terminal, "h")
    terminal.send("q")
    code, lines = to_the_end(terminal)
    assert code == 0
    assert [each.get("stage", "active") for each in records(lessons)] == ["active", "shadow"]
    assert "2 new lessons:" in lines
    assert INSTALL in lines
    assert widest([line for line in lines if not line.startswith(("See", "Activate"))]) <= COLUMNS
    assert not lessons.settings.exists()


def test_what_was_accepted_is_kept_when_the_person_leaves(elsewhere: Path, lessons: CommandLine) -> None:
    terminal = lessons.terminal("init", "--path", str(elsewhere))
    starter_offer(terminal)
    terminal.send("c")
    first = one_starter(terminal)
    assert any(line.startswith("── starter lesson 1 of 3 ── hint ") for line in first)
    assert "would have caught 3 failed calls and disturbed no good call" in first
    assert any(line.startswith("caught    gh pr diff 1") for line in first)
    assert any("**Fix**" in line for line in first)
    assert (len([line for line in first if line]) < ROWS, widest(first) <= COLUMNS) == (True, True)
    terminal.send("h")
    one_starter(terminal)
    terminal.send("y")
    one_starter(terminal)
    terminal.sendintr()
    code, lines = finish(terminal)
    assert (code, "Your decisions are saved. `lessons review` continues from there." in lines) == (130, True)
    assert [each.get("stage", "active") for each in records(lessons)] == ["shadow", "active"]
    terminal = lessons.terminal("init", "--path", str(elsewhere))
    assert any(line.startswith("1 of the ") for line in starter_offer(terminal))
    terminal.sendintr()
    assert finish(terminal)[0] == 130


def on_days(lessons: CommandLine, days: int) -> str:
    """A folder with one session a day, all with the same mistake."""
    failed, worked = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat"), Did("gh pr diff 7 --name-only")
    for day in range(days):
        on_day(day, failed, worked).write(lessons.work / "days")
    return str(lessons.work / "days")


def test_it_ends_with_what_the_new_lessons_would_have_said(lessons: CommandLine) -> None:
    said = "Your new lesson would have spoken up 3 times so far, never at a good call."
    document = lessons.json("init", "--yes", "--path", on_days(lessons, 3))
    assert (document["headline"], len(document["lessons"])) == (said, 1)
    assert lessons.json("init", "--yes", "--path", on_days(lessons, 3))["headline"] == ""


def test_guards_are_counted_apart(lessons: CommandLine) -> None:
    loss = Did("git reset --hard HEAD~1")
    on_day(1, loss, loss).write(lessons.work / "days")
    terminal = lessons.terminal("init", "--path", str(lessons.work / "days"))
    guards = starter_offer(terminal)
    assert any(line.startswith("    2  git reset --hard throws away") for line in guards)
    terminal.send("a")
    code, lines = to_the_end(terminal)
    assert (code, "Added 17 guards." in lines) == (0, True)
    assert "Your agents did 2 times what 17 guards now watch for." in lines


# Learning.


def test_nobody_is_asked_to_send_anything_without_a_terminal_or_with_yes(own: Path, lessons: CommandLine) -> None:
    asked = with_agent(lessons, f"touch {lessons.work}/asked")
    for arguments in (["init"], ["init", "--yes"], ["init", "--json"]):
        assert lessons(*arguments, **asked).code == 0
    assert not (lessons.work / "asked").exists()


def test_it_ends_with_the_offer_to_learn(elsewhere: Path, lessons: CommandLine) -> None:
    lesson = {
        "summary": "cargo build has no --quick: build the release profile",
        "problem": "cargo does not know the option and ends at once.",
        "solution": "Name a profile that the crate has.",
        "triggers": {"commandPatterns": ["cargo build .*--quick"]},
        "scope": "global",
    }
    answers = f"""import json, sys
found = [json.loads(line) for line in sys.stdin if line.startswith('{{"id":"fix-')]
lesson = {json.dumps(lesson)}
lines = [{{"id": each["id"], "lesson": lesson if "--quick" in each["calls"][0]["command"] else None}} for each in found]
print(json.dumps({{"type": "result", "is_error": False, "result": "\\n".join(map(json.dumps, lines))}}))"""
    (lessons.work / "answer.py").write_text(answers)
    terminal = lessons.terminal(
        "init", "--path", str(elsewhere), **with_agent(lessons, f"{sys.executable} {lessons.work}/answer.py")
    )
    starter_offer(terminal)
    terminal.send("a")
    starter_offer(terminal)
    terminal.send("n")
    screen(terminal)
    terminal.send("q")
    terminal.expect(r"\[n\]o: ")
    said = " ".join(plain(str(terminal.before)).split())
    assert "Your history has 12 failures that nothing answers yet. Let Claude Code write lessons from them?" in said
    assert "tokens, 1 minute" in said
    terminal.sendline("y")
    terminal.expect(r"\[q\]uit  > ")
    assert "1 lesson from Claude Code passed the test on your history:" in plain(str(terminal.before))
    terminal.send("a")
    code, lines = finish(terminal)
    assert (code, "1 lesson that your agent wrote." in lines) == (0, True)
    assert len(records(lessons)) == 4


# Interruptions.
