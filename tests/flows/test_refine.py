"""The installed command by file exchange: a right answer is accepted, and one is refused for each check."""

import json
import stat
from typing import Any

import pytest

from tests.builders.refinable import not_a_lesson, right, write_sessions, wrong
from tests.cli.command_line import CommandLine, finish
from tests.cli.transcripts import projects
from tests.cli.walking import records, screen

Document = dict[str, Any]


@pytest.fixture
def mined(lessons: CommandLine) -> CommandLine:
    write_sessions(projects(lessons))
    lessons.ok("scan")
    return lessons


def dossier_of(lessons: CommandLine, *options: str) -> Document:
    lines = lessons.ok("refine", "--all", "--export", "-", *options).splitlines()
    [found] = [line for line in lines if "--stat" in json.dumps(json.loads(line)["proposal"])]
    return dict(json.loads(found))


def answered(lessons: CommandLine, *answers: Document, code: int = 0) -> Document:
    """The answers of a file, one a line."""
    file = lessons.work / "answers.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in answers), encoding="utf-8")
    ended = lessons("refine", "--answers", str(file), "--by", "somebody", "--json")
    assert ended.code == code, ended
    return dict(json.loads(ended.out))


def candidate(lessons: CommandLine, fingerprint: str) -> Document:
    [found] = lessons.json("candidates", fingerprint)["candidates"]
    return dict(found)


# What is refused.


def test_one_answer_is_refused_for_each_check(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    for name, (_, changes, part) in wrong(dossier).items():
        told = answered(mined, {**right(dossier), **changes}, code=1)
        assert told["accepted"] == [], name
        [refused] = told["refused"]
        assert refused["fingerprint"] == dossier["fingerprint"]
        assert any(part in reason for reason in refused["reasons"]), (name, refused["reasons"])
    assert candidate(mined, dossier["fingerprint"])["worded"] is None


def test_what_is_no_answer_is_refused_line_by_line(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    lines = [
        "not JSON",
        "{}",
        json.dumps({**right(dossier), "fingerprint": "fix-none"}),
        json.dumps(right(dossier)),
        "",
    ]
    ended = mined("refine", "--answers", "-", "--json", text="\n".join(lines))
    told = json.loads(ended.out)
    assert ended.code == 1 and told["accepted"] == [dossier["fingerprint"]]
    reasons = {each["fingerprint"]: each["reasons"][0] for each in told["refused"]}
    assert reasons.keys() == {"line 1", "line 2", "fix-none"}
    assert "not JSON" in reasons["line 1"] and "form" in reasons["line 2"] and "no candidate" in reasons["fix-none"]


def test_without_a_terminal_nothing_is_sent(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    asked = mined.work / "asked"
    program = mined.person / "claude"
    program.write_text(f"#!/bin/sh\ntouch {asked}\n")
    program.chmod(0o755)
    variables = {"PATH": f"{mined.person}:{mined.environment()['PATH']}"}
    for options in ([], ["--json"]):
        ended = mined("refine", dossier["fingerprint"], *options, **variables)
        assert (ended.code, ended.out) == (1, "")
        assert ended.error.endswith(
            "Nothing was sent: there is no terminal to confirm on. Add --yes, or use --export FILE.\n"
        )
    terminal = mined.terminal("refine", dossier["fingerprint"], **variables)
    terminal.expect_exact("to Claude Code? [y/N]: ")
    assert dossier["occurrences"][0]["toolUseId"] in str(terminal.before), "it is shown before anything is sent"
    terminal.sendline("n")
    assert finish(terminal)[0] == 1
    assert not asked.exists()


# What is accepted.


def test_a_right_answer_waits_in_review_and_starts_in_shadow(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    told = answered(mined, right(dossier))
    assert told == {"accepted": [dossier["fingerprint"]], "notLessons": [], "refused": []}
    found = candidate(mined, dossier["fingerprint"])
    answer = right(dossier)
    assert (found["summary"], found["solution"]) == (answer["summary"], answer["solution"])
    assert found["proposedTrigger"] == answer["triggers"]
    assert (found["worded"]["by"], found["worded"]["unproven"]) == ("somebody", [])
    assert "Worded by somebody: it starts in shadow." in mined.ok("candidates", dossier["fingerprint"])

    terminal = mined.terminal("review")
    shown = " ".join(" ".join(screen(terminal)).split())
    while answer["summary"] not in shown:
        terminal.send("k")
        shown = " ".join(" ".join(screen(terminal)).split())
    assert "worded by somebody" in shown and "it starts in shadow" in shown
    terminal.send("p")
    terminal.expect_exact("In shadow: ")
    terminal.close()
    [record] = records(mined)
    assert (record["stage"], record["summary"]) == ("shadow", answer["summary"])


def test_promoted_without_a_person_it_starts_in_shadow_too(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    answered(mined, right(dossier))
    mined.json("promote", dossier["fingerprint"], "--yes")
    assert [record["stage"] for record in records(mined)] == ["shadow"]


def test_unproven_code_is_marked(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    answered(mined, {**right(dossier), "solution": "Run `gh pr files` to list the changed files."})
    text = mined.ok("candidates", dossier["fingerprint"])
    assert "Unproven: no call that worked shows `gh pr files`." in " ".join(text.split())


def test_what_is_no_lesson_does_not_vanish(mined: CommandLine) -> None:
    """It is offered as such, and a person rejects it."""
    dossier = dossier_of(mined)
    before = candidate(mined, dossier["fingerprint"])
    told = answered(mined, not_a_lesson(dossier))
    assert told["notLessons"] == [dossier["fingerprint"]]
    after = candidate(mined, dossier["fingerprint"])
    assert (after["problem"], after["proposedTrigger"]) == (before["problem"], before["proposedTrigger"])
    reason = not_a_lesson(dossier)["reason"]
    assert f"says that this is not worth a lesson: {reason}" in " ".join(
        mined.ok("candidates", after["fingerprint"]).split()
    )
    terminal = mined.terminal("review")
    shown = " ".join(" ".join(screen(terminal)).split())
    while "not worth a lesson" not in shown:
        terminal.send("k")
        shown = " ".join(" ".join(screen(terminal)).split())
    assert "Press r to reject it." in shown and "worded by" not in shown
    terminal.send("q")
    finish(terminal)
    mined.ok("reject", after["fingerprint"], "--reason", "as the agent said")
    assert dossier["fingerprint"] not in mined.ok("candidates", "--all", "--json")


def test_a_file_for_the_person_alone(mined: CommandLine) -> None:
    file = mined.work / "dossiers.jsonl"
    told = mined.json("refine", "--all", "--export", str(file))
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [each["fingerprint"] for each in lines] == told["dossiers"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_brief_dossier_is_a_few_hundred_tokens(mined: CommandLine) -> None:
    brief, whole = dossier_of(mined, "--brief"), dossier_of(mined)
    assert len(json.dumps(brief)) < 2_000 < len(json.dumps(whole))
    told = answered(mined, right(brief))
    assert told["accepted"] == [brief["fingerprint"]]


def test_forgetting_reaches_what_was_worded(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    answered(mined, {**right(dossier), "problem": "The marzipan option is not known to `gh pr diff`, ever."})

    def holding() -> list[str]:
        return [path.name for path in mined.home.rglob("*") if path.is_file() and b"marzipan" in path.read_bytes()]

    assert holding() != []
    mined.ok("forget", "--session", dossier["occurrences"][0]["sessionId"], "--yes")
    assert holding() == []
