"""`lessons allow`: one call passes, the next is blocked again; the person is told how, the agent never is."""

from tests.builders.home import DataHome, reason_of
from tests.builders.lessons import blocking, lesson, stopping
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine

CALL = bash("git push --force")


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
    assert reason_of(home.run(CALL))


def test_a_pass_that_has_expired_is_none(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    lessons.person_ok("allow", "no-force", "--for", "0.000001s")
    assert reason_of(home.run(CALL))


def test_exactly_one_call_passes(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking(), blocking("other", triggers={"commandPatterns": ["git push --tags"]}))
    assert lessons.person_ok("allow", "no-force").startswith(
        "The next call that no-force-push would block passes, if it runs"
    )
    assert reason_of(home.run(bash("git push --tags")))
    assert home.run(CALL) == (0, None)
    assert reason_of(home.run(CALL))
    assert reason_of(home.run(bash("git push --force", session="another")))
    assert [event["decision"] for event in home.log()] == ["block", "allowed", "block", "block"]
    lessons.person_ok("allow", "no-force")
    assert home.run(CALL) == (0, None)


def test_the_person_is_told_and_the_agent_is_not(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    answer = home.run(CALL)
    assert "lessons allow no-force-push" in answer[1]["systemMessage"]
    assert "allow" not in reason_of(answer)
    said = lessons.person_json("allow", "no-force")
    assert said.keys() == {"slug", "until"}
