"""`lessons promote` and `lessons scan promote`: by name and by number, with flags for all, asked or with --yes."""

import json

import pytest

from tests.builders.promotable import TAG, mistake, write_mistakes
from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest
from tests.cli.transcripts import projects
from tests.cli.walking import records

WORDS = ["--summary", "A summary of one's own, long enough", "--problem", "A problem that nobody else has told of."]


@pytest.fixture
def found(lessons: CommandLine) -> CommandLine:
    """A history with two candidates: a mistake of eight sessions, and a tag."""
    write_mistakes(projects(lessons), tag=TAG)
    lessons.ok("scan")
    return lessons


# What must not happen.


@pytest.mark.parametrize("arguments", [["promote", "fix"], ["promote", "fix", "--json"], ["scan", "promote", "1"]])
def test_without_a_terminal_it_wants_yes(arguments: list[str], found: CommandLine) -> None:
    assert found.refused(*arguments) == "No terminal to ask on: add --yes.\n"
    assert records(found) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["promote"], "Missing argument"),
        (["promote", "fix", "tag", "--yes", "--summary", "x"], "name just one"),
        (["promote", "fix", "--yes", "--block", "--stop-once"], "not both"),
        (["promote", "fix", "--yes", "--block-reason", "x"], "--block-reason needs --block"),
        (["promote", "fix", "--yes", "--priority", "x"], "--priority"),
        (["scan", "promote", "x", "--yes"], "'x' is not a valid integer"),
    ],
)
def test_what_is_usage(arguments: list[str], sentence: str, found: CommandLine) -> None:
    assert sentence in " ".join(found.refused(*arguments, code=2).split())
    assert records(found) == []


def test_what_is_refused(found: CommandLine) -> None:
    assert "No candidate 'nope'" in found.refused("promote", "nope", "--yes")
    assert "run `lessons candidates --all`" in found.refused("promote", "1", "--yes")
    assert "--force" in found.refused("promote", "fix", "--yes", "--block")
    assert "a description" in found.refused("promote", "fix", "--yes", "--command-pattern", "running the tests")
    document = found("promote", "fix", "tag", "--yes", "--block", "--json")
    assert (document.code, len(json.loads(document.out)["refused"])) == (1, 2)
    assert records(found) == []
    assert not (found.home / "decisions.jsonl").exists()


def test_a_list_that_has_changed(found: CommandLine) -> None:
    found("candidates", "--all")
    mistake("later", 99, tag=TAG.replace("lamp", "oven")).write(projects(found))
    found.ok("scan")
    assert "The list has changed" in found.refused("promote", "1", "--yes")
    assert "The list has changed" in found.refused("scan", "promote", "3", "--yes")
    assert records(found) == []
    found("candidates")
    assert found("scan", "promote", "1", "--yes").code == 0


# What is done.


def test_by_name(found: CommandLine) -> None:
    ended = found("promote", "fix-", "tag", "--yes")
    assert (ended.code, len(ended.out.splitlines()), len(records(found))) == (0, 2, 2)
    assert "(hint). It fires from the next call on." in ended.out
    assert "to shadow" in ended.out and "starts in shadow" in ended.error
    assert {each.get("stage") for each in records(found)} == {None, "shadow"}
    assert found.json("candidates", "--all")["candidates"] == []
    assert found.json("try", "gh pr diff 4 --stat")["decision"] == "hint"
    assert found.json("try", "gh pr diff 4 --name-only")["decision"] == "none"
    assert "already promoted" in found.refused("promote", "fix", "--yes")


def test_by_number_one_after_the_other(found: CommandLine) -> None:
    found("candidates", "--all")
    document = found.json("scan", "promote", "1", "--yes", "--shadow")
    (done,) = document["promoted"]
    assert (done["lesson"]["stage"], done["decision"]["decision"]) == ("shadow", "promoted")
    so_far = found.json("backtest", done["lesson"]["slug"])
    assert done["backtest"].keys() == so_far.keys()
    assert all(done["backtest"][name] == so_far[name] for name in ("hits", "sessions", "ok", "judged"))
    assert found("scan", "promote", "2", "--yes").code == 0
    assert "already promoted" in found.refused("scan", "promote", "2", "--yes")
    assert len(records(found)) == 2


def test_by_index_in_the_file_of_the_last_scan(found: CommandLine) -> None:
    file = json.loads((found.home / "cross-project-candidates.json").read_text())["candidates"]
    assert [each["index"] for each in file] == [1, 2]
    for each in file:
        (done,) = found.json("scan", "promote", str(each["index"]), "--yes")["promoted"]
        assert done["decision"]["fingerprint"] == each["fingerprint"]
    assert "No list" in found.refused("promote", "1", "--yes")
    (found.home / "cross-project-candidates.json").write_text("{}")
    assert "No list" in found.refused("scan", "promote", "1", "--yes")


def test_every_flag(found: CommandLine) -> None:
    flags = [
        *WORDS,
        "--solution",
        "Ask for the names and count these then.",
        "--command-pattern",
        "gh pr diff .*--stat",
    ]
    flags += ["--unless", "--name-only", "--tool", "Bash", "--match-on", "command", "--block", "--block-reason", "No."]
    flags += ["--scope", str(found.work), "--priority", "9", "--tag", "tool:gh", "--shadow", "--force"]
    (done,) = found.json("promote", "fix", "--yes", *flags)["promoted"]
    record = done["lesson"]
    assert (record["summary"], record["problem"]) == (WORDS[1], WORDS[3])
    assert (record["block"], record["blockReason"], record["stage"], record["priority"]) == (True, "No.", "shadow", 9)
    assert record["scope"] == {"type": "project", "path": str(found.work)}
    assert record["triggers"]["commandPatterns"] == ["gh pr diff .*--stat"]
    assert (record["triggers"]["unless"], record["triggers"]["toolNames"]) == (["--name-only"], ["Bash"])
    assert (record["tags"], done["decision"]["forced"]) == (["tool:gh"], True)


def test_on_a_terminal(found: CommandLine) -> None:
    terminal = found.terminal("promote", "fix")
    terminal.expect(r"Promote it\? \[y/N\]: ")
    shown = plain(str(terminal.before))
    assert "learned from 8 calls; would have caught no other failed call" in " ".join(shown.split())
    assert widest(shown.splitlines()) <= COLUMNS
    terminal.sendline("n")
    assert finish(terminal)[0] == 0
    assert records(found) == []
    terminal = found.terminal("promote", "fix", "--shadow")
    terminal.expect(r"Promote it\? \[y/N\]: ")
    terminal.sendintr()
    assert finish(terminal)[0] == 130
    assert records(found) == []
    terminal = found.terminal("promote", "fix", "--shadow")
    terminal.expect(r"Promote it\? \[y/N\]: ")
    terminal.sendline("y")
    assert finish(terminal)[0] == 0
    assert [each["stage"] for each in records(found)] == ["shadow"]


def test_by_number_on_a_terminal_it_asks_for_what_no_option_gives(found: CommandLine) -> None:
    found("candidates", "--all")
    (_, mark), *_ = [(each["index"], each["fingerprint"]) for each in found.json("candidates", "--all")["candidates"]]
    terminal = found.terminal("scan", "promote", "1", "--scope", "machine")
    for field, text in (
        ("summary", "Count the files of a pull request yourself"),
        ("command pattern", "gh pr diff .*--stat"),
        ("error pattern", ""),
        ("priority", "11"),
        ("priority", "8"),
        ("tags", "tool:gh topic:review"),
    ):
        terminal.expect(field + r".*: $")
        terminal.sendline(text)
    terminal.expect(r"Promote it\? \[y/N\]: ")
    terminal.sendline("y")
    assert finish(terminal)[0] == 0
    (record,) = records(found)
    assert record["summary"] == "Count the files of a pull request yourself"
    assert record["triggers"]["commandPatterns"] == ["gh pr diff .*--stat"]
    assert (record["priority"], record["tags"]) == (8, ["tool:gh", "topic:review"])
    assert record["fingerprints"] == [mark] and record["scope"]["type"] == "machine"


def test_an_option_or_an_empty_answer_keeps_what_there_is(found: CommandLine) -> None:
    found("candidates", "--all")
    terminal = found.terminal("scan", "promote", "1", "--priority", "3", "--tag", "tool:gh", *WORDS[:2])
    terminal.expect("command pattern.*: $")
    assert "summary" not in str(terminal.before)
    terminal.sendline("")
    terminal.expect("error pattern.*: $")
    terminal.sendline("")
    terminal.expect(r"Promote it\? \[y/N\]: ")
    terminal.sendline("y")
    assert finish(terminal)[0] == 0
    (record,) = records(found)
    assert (record["priority"], record["tags"], record["summary"]) == (3, ["tool:gh"], WORDS[1])
