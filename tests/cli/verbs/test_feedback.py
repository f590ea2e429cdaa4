"""`lessons feedback`: what is refused, and what is recorded."""

import json

import pytest

from tests.builders.lessons import lesson
from tests.cli.command_line import CommandLine


@pytest.fixture
def known(lessons: CommandLine) -> CommandLine:
    (lessons.home / "lessons.json").write_text(json.dumps({"lessons": [lesson("stash")]}), encoding="utf-8")
    return lessons


def test_what_is_refused(known: CommandLine) -> None:
    assert "zzz" in known.refused("feedback", "zzz", "good")
    known.refused("feedback", "stash", "great", code=2)
    known.refused("feedback", "stash", code=2)
    assert not (known.home / "decisions.jsonl").exists()


def test_it_is_recorded_without_secrets(known: CommandLine) -> None:
    why = "it printed ghp_0123456789abcdefghijABCDEFGHIJ012345 twice"
    told = known.json("feedback", "stash", "bad", "--why", why)
    assert (told["slug"], told["verdict"]) == ("stash", "bad")
    line = json.loads((known.home / "decisions.jsonl").read_text())
    assert (line["decision"], line["slug"]) == ("bad", "stash")
    assert "ghp_0123" not in line["reason"]
    assert "Recorded" in known.ok("feedback", "stash", "good")
    assert "reason" not in json.loads((known.home / "decisions.jsonl").read_text().splitlines()[1])
