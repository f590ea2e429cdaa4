"""`lessons reject`: what is rejected is not shown again, and can be undone."""

from tests.builders.candidates import put_into
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import write


def listed(lessons: CommandLine) -> list[str]:
    return [each["fingerprint"] for each in lessons.json("candidates", "--all")["candidates"]]


def test_a_candidate_that_is_not_there(lessons: CommandLine) -> None:
    write(lessons)
    lessons.ok("scan")
    assert "No candidate 'nobody'" in lessons.refused("reject", "nobody")
    assert "lessons candidates" in lessons.refused("reject", "1")
    assert "Missing argument" in lessons.refused("reject", code=2)


def test_rejected_and_undone(lessons: CommandLine) -> None:
    write(lessons)
    lessons.ok("scan")
    put_into(lessons.home, "mined")
    assert "mined" in listed(lessons)
    number = next(each["index"] for each in lessons.json("candidates")["candidates"] if each["fingerprint"] == "mined")
    told = lessons.json("reject", str(number), "--reason", "nobody does that")
    assert [(each["decision"], each["fingerprint"]) for each in told["rejected"]] == [("archived", "mined")]
    assert "mined" not in listed(lessons)
    assert "already" in lessons.refused("reject", "mined")
    lessons.ok("undo")
    assert "mined" in listed(lessons)
