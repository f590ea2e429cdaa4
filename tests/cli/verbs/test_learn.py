"""`lessons learn`: wrong arguments, files, and an agent that is missing, slow or answers."""

import json
import stat
from typing import Any

import pytest

from tests.builders import mistakes
from tests.builders.learnable import RIGHT, write_sessions
from tests.builders.mistakes import Mistake
from tests.cli.command_line import CommandLine, finish
from tests.cli.transcripts import projects

Document = dict[str, Any]


@pytest.fixture
def mined(lessons: CommandLine) -> CommandLine:
    write_sessions(projects(lessons), sessions=3)
    lessons.ok("scan")
    return lessons


def stat_of(lessons: CommandLine) -> Document:
    lines = map(json.loads, lessons.ok("learn", "--export", "-").splitlines()[1:])
    [found] = [each for each in lines if "--stat" in each["calls"][0]["command"]]
    return dict(found)


def with_agent(lessons: CommandLine, script: str) -> dict[str, str]:
    """A program in place of the agent; it may read the prompt from its stdin."""
    folder = lessons.person / "bin"
    folder.mkdir(exist_ok=True)
    (folder / "claude").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / "claude").chmod(0o755)
    return {"PATH": f"{folder}:{lessons.environment()['PATH']}"}


# What must not happen.


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["1", "--answers", "x"], "--answers takes the ids from its file"),
        (["--answers", "x", "--export", "y"], "--answers takes the ids from its file"),
        (["--answers", "x", "--limit", "3"], "--answers takes the ids from its file"),
        (["--export", "-", "--json"], "leave out --json"),
        (["--seconds", "0"], "--seconds"),
        (["--limit", "0"], "--limit"),
        (["--agent", "nobody"], "--agent"),
    ],
)
def test_what_is_usage(arguments: list[str], sentence: str, lessons: CommandLine) -> None:
    assert sentence in " ".join(lessons.refused("learn", *arguments, code=2).split())


def test_without_a_terminal_nothing_is_sent(mined: CommandLine) -> None:
    asked = mined.work / "asked"
    variables = with_agent(mined, f"touch {asked}")
    for options in ([], ["--json"]):
        ended = mined("learn", *options, **variables)
        assert (ended.code, ended.out) == (1, "")
        assert ended.error.endswith("no terminal to confirm on. Add --yes, or use --export FILE.\n")
    terminal = mined.terminal("learn", **variables)
    terminal.expect_exact("[y]es / [v]iew / [n]o")
    said = " ".join(str(terminal.before).split())
    assert "failed calls) would be sent to Claude Code" in said and "tokens with the answers." in said
    terminal.sendline("n")
    assert finish(terminal)[0] == 1
    assert not asked.exists()


def test_files_that_cannot_be_used(mined: CommandLine) -> None:
    assert "missing.jsonl cannot be read" in mined.refused("learn", "--answers", "missing.jsonl")
    assert "cannot be written" in mined.refused("learn", "--export", "no/such/folder/file")
    assert "No failure with the id nobody waits" in mined.refused("learn", "nobody", "--export", "-")
    assert "begins with fix-: write more" in " ".join(mined.refused("learn", "fix-", "--export", "-").split())
    (mined.work / "prose").write_text("I would rather not.\n")
    assert "prose has no answer. Write one JSON object per line" in mined.refused("learn", "--answers", "prose")
    mined.ok("learn", "--export", "dossiers.jsonl")
    assert "has no answer" in mined.refused("learn", "--answers", "dossiers.jsonl")


def test_an_agent_that_does_not_answer(mined: CommandLine) -> None:
    ended = mined("learn", "--yes", PATH="/nowhere")
    assert ended.code == 1 and "No agent to ask is on PATH (claude, codex," in ended.error
    assert "lessons learn --export FILE" in " ".join(ended.error.split())
    ended = mined("learn", "--agent", "claude-code", PATH="/nowhere")
    assert ended.code == 1 and "Claude Code is not installed" in ended.error
    ended = mined("learn", "--yes", "--seconds", "1", **with_agent(mined, "sleep 60"))
    assert ended.code == 1 and "did not answer within 1 seconds" in ended.error
    said = json.dumps({"type": "result", "is_error": False, "result": "I would rather not."})
    ended = mined("learn", "--yes", **with_agent(mined, f"cat > {mined.work}/prompt\necho '{said}'"))
    assert ended.code == 0 and "were not answered: `lessons learn` asks again." in ended.error
    assert "1 of 1 question: 0 passed, 0 refused, 0 without a lesson" in " ".join(ended.error.split())
    ended = mined("learn", "--yes", **with_agent(mined, "echo 'Invalid API key · Please run /login'; exit 1"))
    assert ended.code == 1 and ended.error.count("is not logged in") == 1


# What it does.


def test_nothing_to_learn_from_is_no_error(lessons: CommandLine) -> None:
    assert "no transcripts were read yet" in lessons.ok("learn")
    nothing: Document = {"accepted": [], "refused": [], "nothing": []}
    assert lessons.ok("learn", "--export", "-") == ""
    assert lessons.json("learn", "--export", str(lessons.work / "d"))["dossiers"] == []
    (lessons.work / "empty").write_text("\n")
    assert lessons.json("learn", "--answers", str(lessons.work / "empty")) == nothing
    lessons("scan")
    assert "no failure is left to ask about" in " ".join(lessons.ok("learn").split())
    asked = lessons.json("learn", "--yes")
    assert asked == {**nothing, "agent": "claude-code", "batches": 0, "tokens": 0, "unanswered": []}


def test_export_and_answers(mined: CommandLine) -> None:
    file = mined.work / "dossiers.jsonl"
    told = mined.json("learn", "--export", str(file), "--limit", "1")
    assert len(file.read_text().splitlines()) == 2
    assert told == {"file": str(file), "dossiers": [json.loads(file.read_text().splitlines()[1])["id"]]}
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, mined.work / "dossiers.jsonl.md")] == [0o600] * 2
    dossier = stat_of(mined)
    wrong = {"id": "fix-none", "lesson": None}
    answers = "\n".join(map(json.dumps, [{"id": dossier["id"], "lesson": RIGHT}, wrong]))
    ended = mined("learn", "--answers", "-", "--by", "somebody", "--yes", "--json", text=answers)
    assert ended.code == 0
    document = json.loads(ended.out)
    assert list(document) == ["accepted", "refused", "nothing"]
    assert [list(each) for each in document["accepted"]] == [["id", "slug", "acts"]]
    assert [list(each) for each in document["refused"]] == [["id", "reasons", "counterexamples"]]
    [stored] = mined.json("list")["lessons"]
    assert (stored["slug"], document["accepted"][0]["acts"]) == (document["accepted"][0]["slug"], "call")
    tried = mined.json("try", "gh pr diff 7 --stat")
    assert [each["slug"] for each in tried["lessons"]] == [stored["slug"]]
    assert dossier["id"] not in mined.ok("learn", "--export", "-")


def test_a_refusal_shows_a_call_that_speaks_against_it(lessons: CommandLine) -> None:
    silent = Mistake("bell ring {} --loud", "Exit code 1", "bell ring {} --soft")
    mistakes.write_sessions(projects(lessons), mistakes=(*mistakes.MISTAKES, silent))
    lessons.ok("scan")
    found = map(json.loads, lessons.ok("learn", "--export", "-").splitlines()[1:])
    [name] = [each["id"] for each in found if "bell" in each["calls"][0]["command"]]
    for pattern, example in (("bell ring", "This worked: bell ring "), ("ls", "It misses: bell ring ")):
        answer = {"id": name, "lesson": {**RIGHT, "triggers": {"commandPatterns": [pattern]}}}
        assert f"\n  {example}" in lessons.ok("learn", "--answers", "-", text=json.dumps(answer))


def test_what_passed_is_shown_in_review(mined: CommandLine) -> None:
    dossier = stat_of(mined)
    answer = json.dumps({"id": dossier["id"], "lesson": {**RIGHT, "solution": "Run `gh pr files` to list them."}})
    mined("refine", "--answers", "-", "--by", "somebody", text=answer)
    assert "1 lesson that passed waits in" in mined("learn", "--yes", **with_agent(mined, "exit 1")).error
    said = " ".join(mined.ok("candidates", dossier["id"]).split())
    assert "Worded by somebody" in said and "Unproven: no call that worked shows `gh pr files`." in said
    assert mined.json("list")["lessons"] == []


def test_the_agent_answers(mined: CommandLine) -> None:
    dossier = stat_of(mined)
    result = {"type": "result", "is_error": False, "result": json.dumps({"id": dossier["id"], "lesson": RIGHT})}
    (mined.work / "answer").write_text(json.dumps(result), encoding="utf-8")
    variables = with_agent(mined, f"cat > {mined.work}/prompt\ncat {mined.work}/answer")
    ended = mined("learn", dossier["id"], "--yes", "--json", **variables)
    document = json.loads(ended.out)
    assert (ended.code, document["agent"], document["batches"]) == (0, "claude-code", 1)
    assert [each["id"] for each in document["accepted"]] == [dossier["id"]]
    assert len(mined.json("list")["lessons"]) == 1
    assert dossier["id"] in (mined.work / "prompt").read_text()
