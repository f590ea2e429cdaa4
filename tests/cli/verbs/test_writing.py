"""`lessons add` and `lessons edit`: with options, a file, answers or an editor."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.builders.home import DataHome, context_of, reason_of
from tests.builders.lessons import blocking, lesson
from tests.builders.payloads import bash
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine, finish
from tests.cli.walking import records

GOOD: dict[str, Any] = {
    "summary": "git stash leaves untracked files behind",
    "problem": "Plain `git stash` stashes tracked files only.",
    "solution": "Use `git stash -u` when new files matter.",
    "triggers": {"commandPatterns": ["git stash$"], "matchOn": "invocation"},
}
SHORT = "write at least 20 characters"

# What is changed in a good record, and what the sentence names: the field, the value, the remedy. All rules are in
# tests/promote/intake.
REFUSED: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"summary": None}, ("summary", '""', SHORT)),
    ({"solution": "The fix is [describe the fix] and more"}, ("solution", "[describe the fix]", "fill it in")),
    ({"triggers": {"commandPatterns": ["git (stash"]}}, ("triggers.commandPatterns", '"git (stash"', "fix it")),
    ({"priority": "high"}, ("priority", '"high"', "whole number")),
    ({"block": True}, ("blockReason", "null", "say why")),
    ({"stage": "later"}, ("stage", '"later"', '"shadow", "active" or "retired"')),
    ({"examples": {"fires": ["git status"]}}, ("example", '"git status"', "should fire and does not")),
]


@pytest.mark.parametrize(("changes", "named"), REFUSED)
def test_a_rule_that_is_broken_is_named(changes: dict[str, Any], named: tuple[str, ...], lessons: CommandLine) -> None:
    sentence = lessons.refused("add", "--from", "-", text=json.dumps({**GOOD, **changes}))
    assert [part for part in named if part not in sentence] == []
    assert sentence.endswith(".\n")
    assert records(lessons) == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not JSON (Expecting value: line 1 column 1"),
        (b"[]", "has no lesson: give one record, a list of records, or a lessons.json."),
        (b"[1]", "has no lesson"),
        (b'{"lessons": []}', "has no lesson"),
        (b'{"own": NaN}', "is not JSON (NaN is not a JSON number): fix it."),
        (b"[" * 100_000, "is not JSON ("),
        (b"\xff{}", "is not JSON ('utf-8' codec can't decode"),
    ],
)
def test_what_holds_no_record_is_refused(content: bytes, sentence: str, lessons: CommandLine) -> None:
    (lessons.work / "record.json").write_bytes(content)
    assert lessons.refused("add", "--from", "record.json").startswith(f"record.json {sentence}")
    assert records(lessons) == []


@pytest.mark.parametrize(
    "arguments",
    [[], ["--json"], ["--starter", "--from", "-"], ["--from", "-", "--summary", "x"], ["--priority", "high"]],
)
def test_what_cannot_be_meant_is_usage(arguments: list[str], lessons: CommandLine) -> None:
    assert "Usage: lessons add" in lessons.refused("add", *arguments, code=2)


def test_a_file_that_is_not_there_is_named(lessons: CommandLine) -> None:
    sentence = "gone.json cannot be read: No such file or directory.\n"
    assert lessons.refused("add", "--from", "gone.json") == sentence
    assert str(lessons.work) in lessons.refused("add", "--from", str(lessons.work))


def test_flags_become_a_record(lessons: CommandLine) -> None:
    flags = {
        "--summary": "git stash leaves untracked files behind",
        "--problem": "Plain `git stash` stashes tracked files only.",
        "--solution": "Use `git stash -u` when new files matter.",
        "--command-pattern": "git stash",
        "--path-pattern": "**/*.lock",
        "--content-pattern": "stash",
        "--error-pattern": "could not",
        "--unless": "-u",
        "--tool": "Bash",
        "--match-on": "invocation",
        "--os": "linux",
        "--shell": "zsh",
        "--model": "opus",
        "--injection": "Stash with -u.",
        "--stage": "shadow",
        "--priority": "7",
        "--confidence": "0.9",
        "--tag": "tool:git",
        "--project": "shop",
        "--fires": "git stash",
        "--quiet-on": "git stash -u",
    }
    words = [word for pair in flags.items() for word in pair]
    record = lessons.json("add", *words, "--command-pattern", "git  stash", "--stop-once")
    assert record == records(lessons)[0]
    assert record["triggers"] == {
        "toolNames": ["Bash"],
        "commandPatterns": ["git stash", "git  stash"],
        "pathPatterns": ["**/*.lock"],
        "contentPatterns": ["stash"],
        "errorPatterns": ["could not"],
        "unless": ["-u"],
        "matchOn": "invocation",
        "when": {"os": ["linux"], "shell": ["zsh"], "models": ["opus"]},
        "sessionStart": False,
    }
    assert record["scope"] == {"type": "project", "path": str(lessons.work / "shop")}
    assert record["examples"] == {"fires": ["git stash"], "quiet": ["git stash -u"]}
    assert (record["stage"], record["priority"], record["confidence"]) == ("shadow", 7, 0.9)
    assert (record["stopOnce"], record["block"], record["needsReview"]) == (True, False, False)
    assert (record["injection"], record["tags"]) == ("Stash with -u.", ["tool:git"])
    assert len(record["id"]) == 26
    assert record["slug"].startswith("git-stash-leaves-untracked-files-behind-")


def test_a_lesson_from_a_file_acts_at_the_next_call(home: DataHome, lessons: CommandLine) -> None:
    file = lessons.work / "record.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps({**GOOD, "mine": {"kept": [1]}}).encode())
    said = lessons.ok("add", "--from", "record.json")
    [record] = records(lessons)
    assert said == f"Stored {record['slug']} (hint). It fires from the next call on.\n"
    assert record["mine"] == {"kept": [1]}
    assert "Use `git stash -u`" in context_of(home.run(bash("git stash")))
    assert (lessons.home / "lesson.schema.json").exists()


def test_what_a_person_should_know_is_on_stderr(lessons: CommandLine) -> None:
    ended = lessons("add", "--from", "-", "--json", text=json.dumps({**GOOD, "confidence": 0.5, "tags": ["team:web"]}))
    record = json.loads(ended.out)
    assert (ended.code, record["needsReview"]) == (0, True)
    assert "needsReview is true (confidence 0.5)" in ended.error
    assert 'tags has "team:web": team is not one of the usual' in ended.error


SUMMARY = "git stash leaves untracked files behind"
PROBLEM = "Plain git stash stashes tracked files only."
SOLUTION = "Use git stash -u when new files matter."


def test_leaving_in_the_middle_stores_nothing(lessons: CommandLine) -> None:
    for leave in ("\x03", "\x04"):
        terminal = lessons.terminal("add")
        terminal.expect("In one line, what goes wrong?")
        terminal.sendline(SUMMARY)
        terminal.expect("Why does it go wrong?")
        terminal.send(leave)
        code, lines = finish(terminal)
        assert (code, lines[-1]) == (130, "Interrupted.")
    assert not (lessons.home / "lessons.json").exists()


def test_a_person_is_asked_until_the_answer_will_do(lessons: CommandLine) -> None:
    terminal = lessons.terminal("add")
    for question, answer in (
        ("In one line, what goes wrong", " "),
        ("summary is .*write a text", "It goes wrong when the files are..."),
        ("cut off: write a whole sentence", SUMMARY),
        ("Why does it go wrong", "<what_went_wrong> and nothing more"),
        ("problem has the placeholder", PROBLEM),
        ("What works instead", SOLUTION),
        ("Fires on .command, path, error", "call"),
        ("is not one of", "command"),
        ("How does the command start", "git (stash"),
        ("not a valid regex", "git stash$"),
        ("Stop the first such call", "y"),
        ("Fires where. .everywhere, project", "there"),
        ("is not one of", "everywhere"),
        ("Tags, separated by spaces", "git"),
        ("write category:value", "tool:git severity:data-loss"),
    ):
        terminal.expect(question)
        terminal.sendline(answer)
    code, lines = finish(terminal)
    assert (code, "(stop once). It fires from the next call on." in " ".join(lines)) == (0, True)
    [record] = records(lessons)
    assert (record["summary"], record["problem"], record["solution"]) == (SUMMARY, PROBLEM, SOLUTION)
    assert (record["stopOnce"], record["tags"]) == (True, ["tool:git", "severity:data-loss"])
    assert record["triggers"]["commandPatterns"] == ["git stash$"]
    assert record["triggers"]["matchOn"] == "invocation"


# Takes what the editor is to write from the files 1, 2, … of a folder, each time the next one.
EDITOR = """\
import pathlib, sys
folder = pathlib.Path(sys.argv[1])
number = len(list(folder.glob("seen-*"))) + 1
(folder / f"seen-{number}").write_bytes(pathlib.Path(sys.argv[2]).read_bytes())
pathlib.Path(sys.argv[2]).write_bytes((folder / str(number)).read_bytes())
"""


def editor(folder: Path, *texts: str) -> str:
    folder.mkdir()
    (folder / "editor.py").write_text(EDITOR)
    for number, text in enumerate(texts, start=1):
        (folder / str(number)).write_text(text, encoding="utf-8")
    return f"{sys.executable} {folder / 'editor.py'} {folder}"


@pytest.mark.parametrize(
    ("arguments", "text", "sentence"),
    [
        (["stash", "--summary", " "], None, 'summary is " ": write a text.'),
        (["stash", "--from", "-"], '{"summary": "Too short"}', 'summary is "Too short": write at least 20 characters.'),
        (["stash", "--command-pattern", "("], None, 'triggers.commandPatterns has "("'),
        (["stash", "--command-pattern", ""], None, 'triggers.commandPatterns has "", which is empty'),
        (["stash", "--error-pattern", ""], None, 'triggers.errorPatterns has "", which is empty'),
        (["stash", "--block"], None, "blockReason is null while block is true: say why the call is denied."),
        (["stash", "--from", "-"], '{"priority": "high"}', 'priority is "high": write a whole number.'),
        (["stash", "--from", "-"], '{"slug": "no-force-push"}', "which another lesson has"),
        (["stash", "--from", "-"], '{"summary": null}', "summary is missing"),
        (["stash", "--from", "-"], "[{}, {}]", "2 records given: an edit takes one JSON object."),
        (["stach-leaves", "--priority", "3"], None, "perhaps stash-leaves-files is meant."),
        (["zzz", "--priority", "3"], None, 'There is no lesson "zzz": `lessons list --status all` shows them all.'),
    ],
)
def test_what_is_refused_changes_nothing(
    arguments: list[str], text: str | None, sentence: str, home: DataHome, lessons: CommandLine
) -> None:
    home.publish(lesson(), blocking())
    before = (lessons.home / "lessons.json").read_bytes()
    assert sentence in lessons.refused("edit", *arguments, text=text)
    assert (lessons.home / "lessons.json").read_bytes() == before


def test_flags_change_what_they_name_and_the_hook_knows(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking())
    arguments = ["--block", "--block-reason", "Not today.", "--tag", "tool:git", "--tag", "topic:safety"]
    assert lessons.ok("edit", "stash", *arguments) == "Changed stash-leaves-files.\n"
    record = records(lessons)[0]
    assert (record["block"], record["blockReason"]) == (True, "Not today.")
    assert record["tags"] == ["tool:git", "topic:safety"]
    assert record["triggers"] == {"commandPatterns": ["git stash"]}
    assert record["contentHash"].startswith("sha256:")
    assert record["updatedAt"] > "2026"
    assert reason_of(home.run(bash("git stash"))) == "Not today."
    record = lessons.json("edit", "stash", "--command-pattern", "git stash$", "--stage", "shadow")
    assert record["triggers"] == {"commandPatterns": ["git stash$"]}
    assert home.run(bash("git stash")) == (0, None)


def test_an_object_is_merged_and_null_removes(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(mine=1, triggers={"commandPatterns": ["git stash"], "unless": ["-u"]}))
    changes = {"mine": None, "own": {"a": 1}, "triggers": {"unless": None, "toolNames": ["Bash"]}}
    record = lessons.json("edit", "stash", "--from", "-", text=json.dumps(changes))
    assert record["triggers"] == {"commandPatterns": ["git stash"], "toolNames": ["Bash"]}
    assert ("mine" in record, record["own"]) == (False, {"a": 1})
    assert record == records(lessons)[0]


def test_what_is_saved_in_the_editor_is_stored(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(mine="kept", triggers={"commandPatterns": ["git stash"], "unless": ["-u", "-a"]}))
    wanted = lesson(priority=9, other=1, triggers={"commandPatterns": ["git stash"]})
    folder = lessons.work / "editor"
    code, lines = finish(lessons.terminal("edit", "stash", VISUAL=editor(folder, json.dumps(wanted))))
    assert (code, lines) == (0, ["Changed stash-leaves-files."])
    assert json.loads((folder / "seen-1").read_text())["mine"] == "kept"
    record = records(lessons)[0]
    assert {key: record[key] for key in wanted} == wanted
    assert record.keys() - wanted.keys() == {"contentHash", "updatedAt"}


def test_what_cannot_be_stored_comes_back_into_the_editor(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson())
    folder = lessons.work / "editor"
    broken, refused = '{"summary": ', json.dumps(lesson(summary=" "))
    terminal = lessons.terminal("edit", "stash", EDITOR=editor(folder, broken, refused, json.dumps(lesson(priority=9))))
    terminal.expect(r"That is not JSON \(.*Continue editing\? \[Y/n\]")
    terminal.sendline("")
    terminal.expect(r"summary is .*write a text.*Continue editing\?")
    terminal.sendline("y")
    assert finish(terminal)[0] == 0
    seen = [(folder / f"seen-{number}").read_text().strip() for number in (2, 3)]
    assert seen == [broken.strip(), refused]
    assert records(lessons)[0]["priority"] == 9


# What an agent adds, and whether it waits for a person.
BY_AGENTS: list[tuple[dict[str, Any], bool]] = [
    ({}, False),
    ({"scope": {"type": "project", "path": "{work}/src"}}, False),
    ({"needsReview": False, "confidence": 0.5}, True),
    ({"scope": {"type": "global"}, "needsReview": False}, True),
    ({"scope": {"type": "machine"}}, True),
    ({"scope": {"type": "project", "path": "{work}/../other"}}, True),
    ({"stopOnce": True}, True),
    ({"block": True, "blockReason": "Not here."}, True),
]


@pytest.mark.parametrize(("changes", "waits"), BY_AGENTS)
def test_what_an_agent_adds_is_a_hint_in_its_project_and_shown_as_its_work(
    changes: dict[str, Any], waits: bool, home: DataHome, lessons: CommandLine
) -> None:
    text = json.dumps({**GOOD, **changes}).replace("{work}", str(lessons.work))
    (lessons.work / "src" / ".git").mkdir(parents=True)
    (lessons.work / ".git").mkdir()
    ended = lessons("add", "--from", "-", "--json", text=text, CLAUDECODE="1")
    record = json.loads(ended.out)
    assert (record["needsReview"], record["writtenBy"]) == (waits, "Claude Code")
    call = bash("git stash", cwd=str(lessons.work / "src"))
    if waits:
        assert home.run(call) == (0, None)
        lessons.ok("edit", record["slug"], "--confidence", "0.8")
    shown = str(home.run(call))
    assert ("Written by a coding agent, not by the user:" in shown) is ("/other" not in text)
    assert "ccepted by the user" not in shown


def test_an_agent_reads_whether_its_lesson_waits(lessons: CommandLine) -> None:
    (lessons.work / ".git").mkdir()
    said = lessons("add", "npm install", "Use pnpm here", CLAUDECODE="1").out
    assert f"It fires from the next call on, in {lessons.work} only. It is shown as written by an agent" in said
    ended = lessons("add", "npm ci", "Use pnpm ci", "--stop", CLAUDECODE="1")
    assert "for review. It stops or blocks calls or acts outside" in ended.out and "warning" not in ended.error


def test_what_an_agent_adds_outside_of_a_project_waits(lessons: CommandLine) -> None:
    record = json.loads(lessons("add", "npm ci", "Use pnpm", "--json", CLAUDECODE="1", HOME=str(lessons.work)).out)
    assert record["needsReview"] is True


def test_what_an_agent_changes_is_recorded_and_shown_as_its_work(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson())
    lessons("edit", "stash-leaves-files", "--priority", "9", CODEX_SANDBOX="1")
    lessons("mute", "stash-leaves-files", "--off", GEMINI_CLI="1")
    lessons("feedback", "stash-leaves-files", "bad", GEMINI_CLI="1")
    lines = [json.loads(line) for line in (home.folder / "decisions.jsonl").read_text().splitlines()]
    assert [each["by"] for each in lines] == ["Codex", "Gemini CLI"]
    assert "edit by Codex" in lessons.ok("undo", "--list") and "Codex" in lessons.ok("show", "stash-leaves-files")
    assert "Written by a coding agent, not by the user:" in context_of(home.run(bash("git stash")))


def test_nobody_is_asked_on_a_terminal_of_an_agent(lessons: CommandLine) -> None:
    ended = lessons.by_person("add", CLAUDECODE="1")
    assert ended.code == 2 and "Give the options of a lesson" in ended.error


def test_a_rule_in_one_line(home: DataHome, lessons: CommandLine) -> None:
    said = lessons.ok("add", "npm install", "Use pnpm here")
    [record] = records(lessons)
    assert said == f"Stored {record['slug']} (hint). It fires from the next call on.\n"
    assert (record["summary"], record["problem"], record["solution"]) == ("Use pnpm here", "", "Use pnpm here")
    assert context_of(home.run(bash("cd web && npm install  react"))).endswith("\n\n## Lesson: Use pnpm here")
    for command in ("npm installer", "npm install-test", "echo npm install", "pnpm install"):
        assert home.run(bash(command, session=command)) == (0, None)
    lessons.ok("add", "npm ci", "Use pnpm here", "--stop", "--tag", "tool:npm")
    assert lessons.json("add", "gh 'pr'  diff?", "Use git diff")["triggers"]["commandPatterns"] == [r"gh pr diff\?"]
    lessons.ok("add", "git push --force", "Use $X.\nAsk first.", "--block")
    stopping, _, blocking = records(lessons)[1:]
    assert (stopping["stopOnce"], stopping["tags"], stopping["solution"]) == (True, ["tool:npm"], "Use pnpm here")
    assert (blocking["summary"], blocking["blockReason"]) == ("Note about `git push --force`", "Use $X.\nAsk first.")
    assert home.run(bash("git push --force-with-lease", session="other")) == (0, None)
    assert reason_of(home.run(bash("git push --force"))) == "Use $X.\nAsk first."


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["npm install"], 2, "Give two quoted texts"),
        (["npm", "install"], 2, "Give two quoted texts"),
        (["npm", "install", "Use pnpm"], 2, "Give two quoted texts"),
        (["", "Use pnpm here"], 2, "Give two quoted texts"),
        (["npm install", " "], 1, "solution is"),
        (["cd x && npm install", "Use pnpm"], 1, "give the first words of one command, or use --command-pattern"),
        (["npm install", "Use pnpm", "--command-pattern", "x"], 2, "Use COMMAND TEXT or --command-pattern, not both"),
        (["npm install", "Use pnpm", "--from", "-"], 2, "Use COMMAND TEXT or --from, not both"),
        (["--from-search", "1", "--from-call", "x"], 2, "Use --from-search or --from-call, not both"),
        (["--from-search", "1", "--solution", "x"], 1, "No hit 1: run `lessons search` first"),
    ],
)
def test_a_line_that_is_no_rule(arguments: list[str], code: int, sentence: str, lessons: CommandLine) -> None:
    assert sentence in " ".join(lessons.refused("add", *arguments, code=code).split())
    assert not (lessons.home / "lessons.json").exists()


@pytest.fixture
def searched(lessons: CommandLine) -> CommandLine:
    """A home whose last search found a failed call, one that succeeded, a file and a prompt."""
    session = Session("s1", "/home/somebody/shop")
    session.prompt("Please push it")
    session.result(session.call("Bash", {"command": "cd shop && git push -v"}), "Exit code 128\nfatal: no", error=True)
    session.result(session.call("Bash", {"command": "make push"}), "done")
    session.result(session.call("Write", {"file_path": "/home/somebody/shop/push.lock", "content": "x"}), "done")
    session.write(lessons.work / "projects")
    lessons.ok("scan", "--path", str(lessons.work / "projects"))
    return lessons


def test_a_hit_of_the_search_becomes_a_lesson(home: DataHome, searched: CommandLine) -> None:
    hits = searched.json("search", "push")["results"]
    numbers = {hit["text"]: str(number) for number, hit in enumerate(hits, start=1)}
    failed = numbers["cd shop && git push -v"]
    assert "Give --solution" in searched.refused("add", "--from-search", failed, code=2)
    assert "is a prompt" in searched.refused("add", "--from-search", numbers["Please push it"], "--solution", "x")
    assert "the last search has 4 hits" in searched.refused("add", "--from-search", "5", "--solution", "x")
    record = searched.json("add", "--from-search", failed, "--solution", "Pull first")
    assert (record["summary"], record["problem"]) == ("`git push` fails: fatal: no",
        "`cd shop && git push -v` failed with: fatal: no")  # fmt: skip
    assert (record["solution"], record["sourceSessionIds"]) == ("Pull first", [Session("s1").id])
    assert "Accepted by the user:\n> ## Lesson: `git push` fails" in context_of(home.run(bash("git push origin")))
    name = next(hit["toolUseId"] for hit in hits if hit["text"] == "make push")
    made = searched.json("add", "--from-call", name, "--solution", "Use just push", "--block")
    assert (made["summary"], made["blockReason"]) == ("Use just push", "Use just push")
    assert reason_of(home.run(bash("make push now"))).endswith("> Use just push")
    file = next(hit["toolUseId"] for hit in hits if hit["tool"] == "Write")
    triggers = searched.json("add", "--from-call", file, "--solution", "Never write it")["triggers"]
    assert (triggers["toolNames"], triggers["pathPatterns"]) == (["Write"], ["**/push.lock"])
    assert "No call gone in the history" in searched.refused("add", "--from-call", "gone", "--solution", "x")


def test_a_person_is_asked_for_what_a_call_does_not_say(searched: CommandLine) -> None:
    searched.ok("search", "push", "--failed", "--kind", "call")
    terminal = searched.terminal("add", "--from-search", "1")
    for question, answer in (
        ("It failed: fatal: no.*For commands that begin with .git push", "cd x && git"),
        ("give the first words of one command.*For commands that begin with", "git push -v"),
        ("What shall the agent read", "Pull first"),
    ):
        terminal.expect(question)
        terminal.sendline(answer)
    assert finish(terminal)[0] == 0
    [record] = records(searched)
    assert record["triggers"]["commandPatterns"] == [r"git push -v(?![\w-])"]
    assert (record["summary"], record["solution"]) == ("`git push -v` fails: fatal: no", "Pull first")
