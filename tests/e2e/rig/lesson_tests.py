"""What every client does with lessons, as tests to derive from; each suite has the fixture `world`."""

import json
import sqlite3
from typing import Any

from tests.builders.lessons import blocking, in_own_words, lesson, stopping
from tests.e2e.rig.chat_world import ChatWorld
from tests.e2e.rig.script import Turn, say, together
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."
COMMAND = "git reset --hard; touch it-ran"


TAG = """\
#lesson
tool: Bash
trigger: cat --frobnicate
error: unrecognized option
problem: cat has no option --frobnicate, so the call fails
solution: Read the file with `cat notes.txt`, without that option
#/lesson"""


def check_recovery(world: "World | ChatWorld", event: str, next_call: bool) -> None:
    """The model is asked at this event, writes the tag, and the scan links it to the failure."""
    (world.project / "notes.txt").write_text("total\n")
    failed, fix = world.shell("cat --frobnicate notes.txt", "failed"), world.shell("cat notes.txt", "fix").thinking(1.2)
    # The client writes the result of the fix into its transcript a moment later.
    more = [world.shell("true", "next").thinking(1.2)] if next_call else []
    talk = world.run("Begin.", [failed, fix, *more, say(f"Done.\n\n```\n{TAG}\n```")])
    assert [text.count("If a note would have prevented this") for text in talk.said()] == [0] * (2 + next_call) + [1]
    [asked] = world.log("--decision", "asked")
    assert (asked["source"], asked["agent"]) == ("recovery", world.agent)
    world.lessons("scan")
    [tag] = json.loads(world.lessons("candidates", "--all", "--tier", "1", "--json"))["candidates"]
    [evidence] = tag["evidence"]
    with sqlite3.connect(f"file:{world.data / 'history.db'}?mode=ro", uri=True) as history:
        commands = dict(history.execute("SELECT tool_use_id, command FROM calls").fetchall())
    assert commands[evidence["toolUseId"]] == "cat --frobnicate notes.txt"
    assert commands[evidence["fixToolUseId"]] == "cat notes.txt"
    assert tag["worded"]["by"] == world.agent, "tested on the history"
    assert world.faults() == ""
    seen(world.agent, event, "the model is asked for a note after a recovery, which is linked to it", True)


class ActsOnLessons:
    def test_a_recovery_is_asked_about_and_the_note_is_linked(self, installed: ChatWorld) -> None:
        check_recovery(
            installed, "PostToolUse" if installed.hint_event == "PreToolUse" else installed.hint_event, False
        )

    def check_logged_hint(self, world: ChatWorld, event: dict[str, Any]) -> None:
        """Whatever else a client's event has, such as the session by the name of its transcript."""

    def test_a_hint_comes_once_and_quiet_calls_run_in_silence(self, installed: ChatWorld) -> None:
        installed.add(lesson())
        parallel = installed.add(in_own_words(lesson("parallel", triggers={"commandPatterns": ["echo ran"]})))
        turns = [
            installed.shell("echo git-stash is a word", "quiet"),
            installed.shell("git stash; true", "first"),
            installed.shell("git stash; exit 3", "second"),
            together(*(installed.shell(f"echo ran-{number}", f"c{number}") for number in range(4))),
            say("Done."),
        ]
        talk = installed.run("Begin.", turns)
        results = talk.results()
        assert "git-stash is a word" in results["quiet"].text
        assert [text.count(HINT) for text in talk.said()] == [0, 0, 1, 1, 1]
        assert HINT in talk.request(2).new
        assert all(f"ran-{number}" in results[f"c{number}"].text for number in range(4))
        assert talk.request(4).text.count(str(parallel["solution"])) == 1
        events = installed.log()
        assert [(event["decision"], event["slug"], event["agent"]) for event in events] == [
            ("hint", "stash-leaves-files", installed.agent),
            ("hint", "parallel", installed.agent),
        ]
        self.check_logged_hint(installed, events[0])
        assert installed.faults() == ""
        seen(installed.agent, installed.hint_event, "a hint reaches the model with the result of the call", True)
        seen(installed.agent, installed.hint_event, "parallel calls get one hint, which names its call", True)

    def test_lessons_of_the_start_are_told_at_once_and_once(self, installed: ChatWorld) -> None:
        installed.add(lesson("starts", triggers={"sessionStart": True}))
        talk = installed.run("Begin.", [installed.shell("echo one-piece-of-work", "a"), say("Done.")])
        assert [text.count(HINT) for text in talk.said()] == [1, 1], "not again at each continuation"
        seen(installed.agent, installed.start_event, "lessons of the start reach the first request", True)
        installed.lessons("handoff", "save", "--agent", installed.agent)
        assert "echo one-piece-of-work" in installed.lessons("handoff", "show", "--json")
        seen(installed.agent, "transcript", "what a session did is saved as a handoff", True)

    def test_stops_and_blocks_act_before_the_call(self, installed: ChatWorld) -> None:
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
        assert sorted(event["decision"] for event in installed.log()) == ["block", "block", "stop", "stop"]
        before = installed.before_call
        seen(installed.agent, before, "stop once: the call does not run, the model reads why", True)
        seen(installed.agent, before, "block: every such call is denied with its reason", True)

    def test_the_hook_goes_out_without_a_trace(self, world: ChatWorld) -> None:
        before = world.hook_file.read_bytes() if world.hook_file.exists() else None
        world.install()
        assert world.hook_file.exists() and world.hook_file.read_bytes() != before
        world.lessons("uninstall", "--agent", world.agent)
        assert (world.hook_file.read_bytes() if world.hook_file.exists() else None) == before


class ReadsItsOwnTranscript:
    def missing_file(self, world: ChatWorld) -> Turn:
        """A call that fails because there is no such file, with the id `missing`."""
        raise NotImplementedError

    def test_it_becomes_history_and_a_candidate(self, installed: ChatWorld) -> None:
        installed.add(blocking())
        (installed.project / "Makefile").write_text("test:\n\techo fine\n")
        turns = [
            installed.shell("make tset", "wrong"),
            installed.shell("make test", "right"),
            installed.shell("git push --force", "denied"),
            self.missing_file(installed),
            say("Done."),
        ]
        assert "fine" in installed.run("Begin.", turns).results()["right"].text
        found = scanned(installed)
        assert (found["files"]["read"], found["files"]["unreadable"]) == (1, 0)
        assert (found["malformed"], found["unknownTypes"]) == (0, {})
        assert found["calls"] == {**found["calls"], "total": 4, "ok": 1, "failed": 2, "refused": 1, "unknown": 0}
        again = scanned(installed)
        assert (again["files"]["read"], again["calls"]["total"]) == (0, 0)
        candidates = json.loads(installed.lessons("candidates", "--all", "--json"))["candidates"]
        evidence = [each["toolUseId"] for candidate in candidates for each in candidate["evidence"]]
        # Behind the id is what makes it unique, before it what a client adds to every id of a model.
        names = [name.partition("@")[0].rpartition("__")[2] for name in evidence]
        # Whether a missing file has the weight of a candidate depends on the words of the client's error.
        assert [name for name in names if name != "missing"] == ["wrong"]
        handoff = json.loads(installed.lessons("handoff", "save", "--agent", installed.agent, "--json"))
        assert [each["command"] for each in handoff["failed"]] == ["make tset"]
        seen(installed.agent, "transcript", "its transcript is scanned, and a mistake in it is mined", True)


def scanned(world: World) -> dict[str, Any]:
    """What `lessons scan` found in the transcripts of this client."""
    found: dict[str, Any] = json.loads(world.lessons("scan", "--agent", world.agent, "--json"))
    return found
