"""`lessons refine` and its agent: wrong arguments, an agent that is missing, slow, broken or interrupted."""

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.builders.candidates import put_into
from tests.builders.refinable import right, write_sessions, wrong
from tests.cli.command_line import CommandLine, finish
from tests.cli.transcripts import projects

Document = dict[str, Any]


@pytest.fixture
def mined(lessons: CommandLine) -> CommandLine:
    write_sessions(projects(lessons), sessions=3)
    lessons.ok("scan")
    return lessons


def dossier_of(lessons: CommandLine) -> Document:
    lines = lessons.ok("refine", "--all", "--export", "-").splitlines()
    [found] = [line for line in lines if "--stat" in json.dumps(json.loads(line)["proposal"])]
    return dict(json.loads(found))


def with_agent(lessons: CommandLine, script: str) -> dict[str, str]:
    """A program in place of the agent; it may read the prompt from its stdin."""
    folder = lessons.person / "bin"
    folder.mkdir(exist_ok=True)
    (folder / "claude").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / "claude").chmod(0o755)
    return {"PATH": f"{folder}:{lessons.environment()['PATH']}"}


def answering(lessons: CommandLine, *answers: Document) -> dict[str, str]:
    """One answer after the other; each prompt is kept beside."""
    for number, answer in enumerate(answers, start=1):
        told = {"type": "result", "is_error": False, "structured_output": answer}
        (lessons.work / f"answer-{number}").write_text(json.dumps(told), encoding="utf-8")
    folder = lessons.work
    count = f"n=$(($(cat {folder}/count 2>/dev/null || echo 0) + 1)); echo $n > {folder}/count"
    return with_agent(lessons, f"{count}\ncat > {folder}/prompt-$n\nenv > {folder}/env-$n\ncat {folder}/answer-$n")


# What must not happen.


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Name candidates (N or ID of `lessons candidates`), or add --all."),
        (["1", "--all"], "Name candidates (N or ID of `lessons candidates`), or add --all."),
        (["1", "--brief"], "--brief needs --export."),
        (["1", "--answers", "x"], "--answers takes the candidates from its file"),
        (["--answers", "x", "--export", "y"], "--answers takes the candidates from its file"),
        (["--all", "--export", "-", "--json"], "leave out --json"),
        (["--answers", "-", "--by", " "], "--by is"),
        (["--answers", "-", "--by", "x" * 41], "at most 40 characters"),
        (["1", "--seconds", "0"], "--seconds"),
        (["1", "--agent", "nobody"], "--agent"),
    ],
)
def test_what_is_usage(arguments: list[str], sentence: str, lessons: CommandLine) -> None:
    assert sentence in " ".join(lessons.refused("refine", *arguments, code=2).split())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobody"], "No candidate 'nobody'"),
        (["99"], "lessons candidates"),
        (["--answers", "missing.jsonl"], "missing.jsonl cannot be read"),
        (["--all", "--export", "no/such/folder/file"], "cannot be written"),
        (["tagged"], "is not about failed calls"),
    ],
)
def test_what_is_refused(arguments: list[str], sentence: str, mined: CommandLine) -> None:
    put_into(mined.home, "tagged", tier=1, kind="tag")
    assert sentence in mined.refused("refine", *arguments)


def test_without_a_history(lessons: CommandLine) -> None:
    assert "lessons scan" in lessons.refused("refine", "--all", "--export", "-")


def test_a_file_without_an_answer(mined: CommandLine) -> None:
    empty = mined.work / "answers.jsonl"
    empty.write_text("\n")
    assert "has no answer: write one JSON object per line" in mined.refused("refine", "--answers", str(empty))


def test_an_agent_that_is_not_installed(mined: CommandLine) -> None:
    ended = mined("refine", dossier_of(mined)["fingerprint"], "--yes", PATH="/nowhere")
    assert ended.code == 1 and "Claude Code is not installed" in ended.error


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        ("sleep 60", "did not answer within 1 seconds"),
        ("echo not JSON", "gave no answer: “not JSON"),
        ("echo boom >&2; exit 3", "gave no answer: “boom"),
        ("exit 3", "gave no answer: exit code 3"),
        ("""echo '{"is_error": true, "result": "Not logged in"}'""", "gave no answer: “Not logged in”"),
    ],
)
def test_an_agent_that_does_not_answer(script: str, sentence: str, mined: CommandLine) -> None:
    name = dossier_of(mined)["fingerprint"]
    ended = mined("refine", name, "--yes", "--seconds", "1", **with_agent(mined, script))
    assert ended.code == 1 and sentence in ended.error
    assert mined.json("candidates", name)["candidates"][0]["worded"] is None


def test_text_that_is_no_answer_goes_back_once(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    ended = mined("refine", dossier["fingerprint"], "--yes", "--json", **with_agent(mined, 'echo \'{"result": "hm"}\''))
    assert ended.code == 1
    assert "does not have the form" in json.loads(ended.out)["refused"][0]["reasons"][0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_the_agent_is_ended_too(number: signal.Signals, mined: CommandLine) -> None:
    """By ^C, by a kill, or because the terminal is closed."""
    name = dossier_of(mined)["fingerprint"]
    mark = mined.work / "agent-process"
    variables = with_agent(mined, f"echo $$ > {mark}; exec sleep 300")
    terminal = mined.terminal("refine", name, "--yes", **variables)
    terminal.expect_exact("Asking about")
    give_up = time.monotonic() + 30
    while not (mark.exists() and mark.read_text().strip()):
        assert time.monotonic() < give_up
        time.sleep(0.02)
    terminal.kill(number)
    code, said = finish(terminal)
    assert code == 128 + number
    assert ("0 answers so far" in " ".join(str(said).split())) == (number == signal.SIGINT)
    assert not Path(f"/proc/{mark.read_text().strip()}").exists()
    assert not list(mined.temporary.glob("lessons-refine-*"))


# What happens.


def test_a_refused_answer_goes_back_with_its_reasons(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    _, changes, part = wrong(dossier)["fires on the fix"]
    variables = answering(mined, {**right(dossier), **changes}, right(dossier))
    told = json.loads(mined("refine", dossier["fingerprint"], "--yes", "--json", **variables).out)
    assert told["accepted"] == [dossier["fingerprint"]]
    first, second = ((mined.work / f"prompt-{number}").read_text("utf-8") for number in (1, 2))
    assert part not in first and part in second
    environment = (mined.work / "env-1").read_text("utf-8").splitlines()
    assert "LESSONS_DISABLE=1" in environment
    assert candidate(mined, dossier)["worded"]["by"] == "claude-code"


def test_a_trigger_that_is_refused_twice_falls_to_the_error(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    _, changes, _ = wrong(dossier)["fires on the fix"]
    bad = {**right(dossier), **changes}
    told = json.loads(mined("refine", dossier["fingerprint"], "--yes", "--json", **answering(mined, bad, bad)).out)
    assert told["accepted"] == [dossier["fingerprint"]]
    found = candidate(mined, dossier)
    assert found["worded"]["atError"] and found["proposedTrigger"].keys() == {"errorPatterns"}
    assert "unknown flag" in found["proposedTrigger"]["errorPatterns"][0]


def test_words_that_are_refused_twice_are_dropped(mined: CommandLine) -> None:
    dossier = dossier_of(mined)
    bad = {**right(dossier), "solution": "Run `git commit --no-verify` before it."}
    ended = mined("refine", dossier["fingerprint"], "--yes", "--json", **answering(mined, bad, bad))
    assert ended.code == 1 and json.loads(ended.out)["accepted"] == []
    assert candidate(mined, dossier)["worded"] is None


def test_completion_knows_the_candidates(mined: CommandLine) -> None:
    listed = mined.json("candidates")["candidates"]
    variables = {"_LESSONS_COMPLETE": "bash_complete", "COMP_WORDS": "lessons refine fix-", "COMP_CWORD": "2"}
    ended = mined(**variables)
    assert all(each["fingerprint"] in ended.out for each in listed)


def candidate(lessons: CommandLine, dossier: Document) -> Document:
    [found] = lessons.json("candidates", dossier["fingerprint"])["candidates"]
    return dict(found)
