"""What the model of the real opencode is told, and which calls run: stops before a call, hints with its result."""

import pytest

from lessons.continuity.compaction import SUMMARISER_WORDS
from tests.builders.lessons import blocking, in_own_words, lesson, stopping
from tests.e2e.rig.opencode_world import OpencodeWorld
from tests.e2e.rig.script import call, say, together
from tests.e2e.rig.seen import seen

HINT = "Stash with -u, so that the untracked files go along."
COMMAND = "git reset --hard; touch it-ran"


def test_a_hint_comes_with_the_result_and_only_once(installed: OpencodeWorld) -> None:
    installed.add(lesson())
    turns = [
        installed.shell("echo git-stash is a word", "none"),
        installed.shell("git stash; true", "first"),
        installed.shell("git stash; true", "second"),
        say("Done."),
    ]
    talk = installed.run("Begin.", turns)
    assert [text.count(HINT) for text in talk.said()] == [0, 0, 1, 1]
    assert HINT in talk.results()["first"].text and "git-stash is a word" in talk.results()["none"].text
    [event] = installed.log()
    assert (event["decision"], event["slug"], event["agent"]) == ("hint", "stash-leaves-files", "opencode")
    assert event["toolUseId"] == f"first@{event['session']}"
    assert installed.faults() == ""
    seen("opencode", "tool.execute.after", "a hint reaches the model with the result of the call", True)


def test_the_start_of_a_session_and_the_end_of_a_turn(installed: OpencodeWorld) -> None:
    installed.add(lesson("starts", triggers={"sessionStart": True}))
    talk = installed.run("Begin.", [installed.shell("echo one-piece-of-work", "a"), say("Done.")])
    assert [text.count(HINT) for text in talk.said()] == [1, 1]
    installed.lessons("handoff", "save", "--agent", "opencode")
    assert "echo one-piece-of-work" in installed.lessons("handoff", "show", "--json")
    seen("opencode", "chat.message", "lessons of the start reach the first request", True)


def test_stops_and_blocks_act_before_the_call(installed: OpencodeWorld) -> None:
    installed.add(stopping())
    installed.add(in_own_words(blocking()))
    push = "git push --force; touch it-was-pushed"
    turns = [
        together(installed.shell(f"{COMMAND}-a", "a"), installed.shell(f"{COMMAND}-b", "b")),
        installed.shell(COMMAND, "again").thinking(1.2),
        installed.shell(push, "blocked"),
        installed.shell(push, "blocked-again").thinking(1.2),
        say("Done."),
    ]
    results = installed.run("Begin.", turns).results()
    assert all("Stopped once by" in results[name].text for name in ("a", "b"))
    assert "Stopped once by" not in results["again"].text
    assert [path.name for path in installed.project.glob("it-*")] == ["it-ran"]
    assert all("The branch is shared." in results[name].text for name in ("blocked", "blocked-again"))
    decisions = [event["decision"] for event in installed.log()]
    assert sorted(decisions) == ["block", "block", "stop", "stop"]
    seen("opencode", "tool.execute.before", "stop once: the call does not run, the model reads why", True)
    seen("opencode", "tool.execute.before", "block: every such call is denied with its reason", True)


def test_parallel_calls_get_one_hint(installed: OpencodeWorld) -> None:
    installed.add(lesson())
    calls = together(*(installed.shell(f"git stash; echo ran-{number}", f"c{number}") for number in range(4)))
    talk = installed.run("Begin.", [calls, say("Done.")])
    assert all(f"ran-{number}" in talk.results()[f"c{number}"].text for number in range(4))
    assert talk.request(1).text.count(HINT) == 1
    seen("opencode", "tool.execute.after", "parallel calls get one hint, which names its call", True)


def test_lessons_about_errors_and_files(installed: OpencodeWorld) -> None:
    """A failed command is told with its result, an error of a tool in the request that first shows it."""
    installed.add(lesson("errors", triggers={"errorPatterns": ["no matches found"]}))
    installed.add(in_own_words(lesson("edits", triggers={"errorPatterns": ["Could not find oldString"]})))
    installed.add(in_own_words(lesson("files", triggers={"pathPatterns": ["*.txt"]})))
    old, new = installed.project / "old.md", installed.project / "new.txt"
    old.write_text("old\n")
    turns = [
        installed.shell("echo 'zsh: no matches found: *.x'; exit 1", "bad"),
        call("read", {"filePath": str(old)}, "read"),
        call("edit", {"filePath": str(old), "oldString": "nothere", "newString": "x"}, "edit"),
        call("write", {"filePath": str(new), "content": "new\n"}, "write"),
        say("Done."),
    ]
    talk = installed.run("Begin.", turns)
    assert HINT in talk.results()["bad"].text
    assert sorted(event["slug"] for event in installed.log()) == ["edits", "errors", "files"]
    assert all("Notes that the user keeps" in talk.results()[name].text for name in ("edit", "write"))
    seen("opencode", "event", "a lesson right after a failed call", True)


def test_a_compaction_is_told_what_to_keep_and_the_work_is_restored(installed: OpencodeWorld) -> None:
    installed.context = 20_000
    turns = [
        installed.shell("echo one-piece-of-work", "a"),
        installed.shell("echo more", "b").using(19_000),
        say("Done."),
    ]
    talk = installed.run("Begin.", turns)
    asked = [request for request in talk.recorded if request not in talk.requests]
    assert any(SUMMARISER_WORDS in request.raw.replace("\\n", "\n") for request in asked)
    restored = [request for request in talk.requests if "one-piece-of-work" in request.text]
    assert talk.requests[-1] in restored and "a restored note" not in talk.everything()
    assert installed.faults() == ""
    seen(
        "opencode",
        "experimental.session.compacting",
        "the handoff is saved before and restored after a compaction",
        True,
    )


@pytest.mark.parametrize("scope", ["user", "project"])
def test_the_plugin_goes_out_without_a_trace(world: OpencodeWorld, scope: str) -> None:
    def files() -> set[str]:
        return {str(path) for path in (*world.configuration.glob("plugins*"), *world.project.glob(".opencode/**/*.js"))}

    before = files()
    world.install("--scope", scope)
    assert len(files() - before) >= 1
    world.lessons("uninstall", "--agent", "opencode", "--scope", scope)
    assert files() == before
