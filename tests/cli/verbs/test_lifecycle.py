"""`lessons archive`, `mute` and `feedback`: what becomes of a lesson; `lessons undo`: the way back."""

import json

import pytest

from tests.builders.home import DataHome, context_of, reason_of
from tests.builders.lessons import blocking, lesson, stopping
from tests.builders.payloads import bash
from tests.builders.promotable import TAG, write_mistakes
from tests.cli.command_line import COLUMNS, CommandLine, widest
from tests.cli.transcripts import projects

PUSH = bash("git push origin main --force")


def test_a_lesson_that_is_not_there(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), lesson("stash-again", triggers={"commandPatterns": ["git stash pop"]}))
    assert 'There is no lesson "zzz"' in lessons.refused("archive", "zzz")
    assert "matches 2 lessons (stash-leaves-files, stash-again)" in lessons.refused("archive", "stash")
    assert not (lessons.home / "decisions.jsonl").exists()


def test_it_acts_no_more(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking(mine=1))
    assert reason_of(home.run(PUSH))
    said = lessons.ok("archive", "no-force", "--reason", "we push alone")
    assert said == (
        "Retired no-force-push: it no longer fires. Run `lessons archive --off no-force-push` to bring it back.\n"
    )
    assert home.run(PUSH) == (0, None)
    record = lessons.json("show", "no-force")
    assert (record["stage"], record["mine"]) == ("retired", 1)
    [decision] = (lessons.home / "decisions.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(decision) | {"time": ""} == {
        "time": "",
        "decision": "archived",
        "slug": "no-force-push",
        "reason": "we push alone",
    }
    assert lessons.json("archive", "no-force")["stage"] == "retired"


def test_what_is_not_retired_is_refused(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(stage="shadow"))
    sentence = lessons.refused("unarchive", "stash")
    assert sentence == "stash-leaves-files is not retired: its stage is shadow.\n"


CALLS = {"no-force-push": "git push --force", "think-before-reset": "git reset --hard", "stash": "git stash"}


def slug_of(name: str) -> str:
    return "stash-leaves-files" if name == "stash" else name


def test_what_cannot_be_muted(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson())
    assert 'There is no lesson "zzz"' in lessons.refused("mute", "zzz")
    assert "cannot be used together" in lessons.refused("mute", "stash", "--for", "2h", "--off", code=2)
    assert "longer than ten years" in lessons.refused("mute", "stash", "--for", f"{'9' * 400}w", code=2)
    assert not (home.folder / "passes.json").exists()


def test_a_muted_lesson_does_nothing_until_it_is_unmuted(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking(), stopping())
    for slug in CALLS:
        assert (
            lessons.ok("mute", slug) == f"Muted {slug_of(slug)}. Run `lessons mute --off {slug_of(slug)}` to end it.\n"
        )
    assert [home.run(bash(command)) for command in CALLS.values()] == [(0, None)] * 3
    assert [line["decision"] for line in home.log()] == ["muted"] * 3
    for slug in CALLS:
        assert lessons.ok("mute", slug, "--off") == f"Unmuted {slug_of(slug)}.\n"
    assert reason_of(home.run(bash(CALLS["no-force-push"])))
    assert reason_of(home.run(bash(CALLS["think-before-reset"])))
    assert context_of(home.run(bash(CALLS["stash"])))
    decisions = (home.folder / "decisions.jsonl").read_text(encoding="utf-8")
    assert (decisions.count('"muted"'), decisions.count('"unmuted"')) == (3, 3)


def test_a_mute_is_seen_in_try_list_and_show(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking())
    lessons.ok("mute", "stash", "--for", "2h")
    lessons.ok("mute", "no-force")
    tried = lessons.ok("try", "git", "stash")
    assert "No lesson fires" in tried and "Muted until 20" in tried and "`lessons unmute stash-leaves-files`" in tried
    document = lessons.json("try", "git", "push", "--force")
    assert (document["decision"], document["lessons"], document["output"]) == ("none", [], "")
    assert document["muted"] == [{"slug": "no-force-push", "until": None}]
    listed = {row[0]: row[1] for row in (line.split("\t") for line in lessons.ok("list").splitlines())}
    assert listed["no-force-push"] == "active, muted"
    assert listed["stash-leaves-files"] == "active, muted"
    assert "muted       until 20" in lessons.ok("show", "stash-leaves-files")
    assert "\nmuted" in lessons.ok("show", "no-force")
    assert lessons.json("show", "no-force")["muted"] == {"until": None}
    lessons.ok("unmute", "no-force")
    assert "muted" not in lessons.ok("show", "no-force")
    assert lessons.json("show", "no-force")["muted"] is None
    assert lessons.json("try", "git", "push", "--force")["muted"] == []


def test_the_list_of_mutes(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), blocking(), stopping())
    assert "SLUG" in lessons.refused("mute", code=2)
    assert "cannot be used together" in lessons.refused("mute", "--list", "stash", code=2)
    assert "cannot be used together" in lessons.refused("mute", "--list", "--off", code=2)
    assert lessons("mute", "--list").error == "No lesson is muted.\n"
    assert lessons.json("mute", "--list") == {"muted": []}
    lessons.ok("mute", "stash", "--for", "2h")
    lessons.ok("mute", "no-force")
    lessons.ok("mute", "think", "--for", "0.000001s")
    rows = [line.split("\t") for line in lessons.ok("mute", "--list").splitlines()]
    assert [row[0] for row in rows] == ["no-force-push", "stash-leaves-files"]
    assert rows[0][1] == "until unmuted" and rows[1][1].startswith("until 20")
    assert [each["slug"] for each in lessons.json("mute", "--list")["muted"]] == [row[0] for row in rows]


FORCED = bash("git push --force")


def test_only_a_block_can_be_lifted(home: DataHome, lessons: CommandLine) -> None:
    home.publish(lesson(), stopping())
    for slug in ("stash-leaves-files", "think-before-reset"):
        sentence = f"{slug} does not block. Run `lessons mute {slug}` to silence it.\n"
        assert lessons.by_person("allow", slug) == (1, "", sentence)
    assert not (home.folder / "passes.json").exists()


def test_neither_a_script_nor_an_agent_lets_a_call_pass(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    for arguments in (["no-force"], ["no-force", "--json"]):
        assert "needs a terminal" in lessons.refused("allow", *arguments)
        for variable in ("CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "OPENCODE", "QWEN_CODE", "AI_AGENT"):
            ended = lessons.by_person("allow", *arguments, **{variable: "1"})
            assert (ended.code, ended.out) == (1, "")
            assert "is refused to agents, and" in ended.error
    assert not (home.folder / "passes.json").exists()
    assert reason_of(home.run(FORCED))


def test_exactly_one_call_passes(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking(), blocking("other", triggers={"commandPatterns": ["git push --tags"]}))
    assert lessons.person_ok("allow", "no-force").startswith(
        "The next call that no-force-push would block passes, if it runs"
    )
    assert reason_of(home.run(bash("git push --tags")))
    assert home.run(FORCED) == (0, None)
    assert reason_of(home.run(FORCED))
    assert reason_of(home.run(bash("git push --force", session="another")))
    assert [event["decision"] for event in home.log()] == ["block", "allowed", "block", "block"]
    lessons.person_ok("allow", "no-force")
    assert home.run(FORCED) == (0, None)


@pytest.fixture
def known(lessons: CommandLine) -> CommandLine:
    (lessons.home / "lessons.json").write_text(json.dumps({"lessons": [lesson("stash")]}), encoding="utf-8")
    return lessons


def test_it_is_recorded_without_secrets(known: CommandLine) -> None:
    why = "it printed ghp_0123456789abcdefghijABCDEFGHIJ012345 twice"
    told = known.json("feedback", "stash", "bad", "--why", why)
    assert (told["slug"], told["verdict"]) == ("stash", "bad")
    line = json.loads((known.home / "decisions.jsonl").read_text())
    assert (line["decision"], line["slug"]) == ("bad", "stash")
    assert "ghp_0123" not in line["reason"]
    assert "Recorded" in known.ok("feedback", "stash", "good")
    assert "reason" not in json.loads((known.home / "decisions.jsonl").read_text().splitlines()[1])


@pytest.fixture
def promoted(lessons: CommandLine) -> CommandLine:
    write_mistakes(projects(lessons), tag=TAG)
    lessons.ok("scan")
    assert lessons("promote", "fix", "tag", "--yes").code == 0
    return lessons


def test_nothing_to_undo(lessons: CommandLine) -> None:
    assert "Nothing to undo" in lessons.refused("undo")
    ended = lessons("undo", "--list")
    assert (ended.code, ended.out) == (0, "")
    assert lessons.json("undo", "--list") == {"decisions": []}
    assert not (lessons.home / "decisions.jsonl").exists()


def test_what_cannot_be_undone(promoted: CommandLine) -> None:
    assert "No decision zzz" in promoted.refused("undo", "zzz")
    assert "not both" in promoted.refused("undo", "x", "--list", code=2)
    slug = promoted.json("undo", "--list")["decisions"][0]["slug"]
    file = promoted.home / "lessons.json"
    file.write_text(file.read_text().replace('"summary": "', '"summary": "By hand: '))
    assert f"{slug} was changed since and is kept" in promoted.refused("undo")
    assert len(promoted.json("list")["lessons"]) == 2


LESSON = [
    "add",
    "--summary",
    "make all takes the whole night here",
    "--problem",
    "It builds every target of every year.",
]
LESSON += ["--solution", "Run make some, which builds what changed.", "--command-pattern", "^make all"]


def test_whatever_was_changed_last_is_undone_first(lessons: CommandLine) -> None:
    slug = lessons.json(*LESSON)["slug"]
    before = lessons.json("show", slug)
    for change, then, undone in (
        (["archive"], "retired", f"{slug} fires again."),
        (
            ["edit", "--priority", "2", "--command-pattern", "^make every"],
            "active",
            f"{slug} is as it was before (edit undone).",
        ),
        (["mute"], "active", f"Unmuted {slug}."),
    ):
        verb, *options = change
        lessons.json(verb, slug, *options)
        assert lessons.json("show", slug).get("stage", "active") == then
        assert lessons.ok("undo") == undone + "\n"
        after = lessons.json("show", slug)
        assert {**after, "updatedAt": "", "history": []} == {**before, "updatedAt": "", "history": []}


def test_a_lesson_that_was_added_last_is_removed_and_one_that_was_changed_is_kept(lessons: CommandLine) -> None:
    slug = lessons.json(*LESSON)["slug"]
    assert lessons.ok("undo") == f"Removed {slug}: added last, and unchanged since.\n"
    assert lessons.json("list", "--status", "all")["lessons"] == []
    assert "Nothing to undo" in lessons.refused("undo")
    slug = lessons.json(*LESSON)["slug"]
    file = lessons.home / "lessons.json"
    file.write_text(file.read_text().replace('"problem": "', '"problem": "By hand: '))
    assert f"{slug} was changed since and is kept" in lessons.refused("undo")


def test_one_after_the_other(promoted: CommandLine) -> None:
    rows = [line.split("\t") for line in promoted.ok("undo", "--list").splitlines()]
    assert [row[2] for row in rows] == ["promoted", "promoted"]
    assert widest(promoted.screen("undo", "--list")) <= COLUMNS
    assert "Removed" in promoted.ok("undo")
    assert promoted.json("undo", rows[1][0])["undoes"] == rows[1][0]
    assert promoted.json("list")["lessons"] == []
    assert len(promoted.json("candidates", "--all")["candidates"]) == 2
    assert promoted.json("try", "gh pr diff 4 --stat")["lessons"] == []
    lines = (promoted.home / "decisions.jsonl").read_text().splitlines()
    assert [json.loads(line)["decision"] for line in lines] == ["promoted", "promoted", "undone", "undone"]
    assert promoted("promote", "fix", "--yes").code == 0
