"""The text of lessons reaches the model: a hint beside the call, a stop and a block instead of its result."""

from tests.builders.lessons import blocking, lesson, stopping
from tests.e2e.codex.world import CodexWorld, patch, shell
from tests.e2e.rig.responses import developer_words
from tests.e2e.rig.script import call, say, together
from tests.e2e.rig.seen import seen

HINT = "Stash with -u, so that the untracked files go along."
MANY = 6


def test_without_a_lesson_nothing_is_said(installed: CodexWorld) -> None:
    talk = installed.talk("Begin.", [shell("git status; touch it-ran"), say("Done.")])
    assert (installed.project / "it-ran").exists()
    assert "Lesson" not in talk.everything() and installed.injections() == [] and installed.faults() == ""


def test_a_hint_is_given_once_and_the_call_runs(installed: CodexWorld) -> None:
    installed.add(lesson())
    turns = [shell("git stash list; touch it-ran", "call_with_the_hint_0000001"), shell("git stash list"), say("Done.")]

    talk = installed.talk("Begin.", turns)

    assert (installed.project / "it-ran").exists()
    assert HINT in talk.requests[1].new and "Process exited with code 0" in talk.requests[1].new
    assert all(request.text.count(HINT) == 1 for request in talk.requests[1:])
    assert any(HINT in said for said in developer_words(talk.requests[1]))
    assert [(event["slug"], event["toolUseId"]) for event in installed.injections()] == [
        ("stash-leaves-files", "call_with_the_hint_0000001")
    ]
    seen("codex", "PreToolUse", "a hint reaches the model with the result of the call", True)


def test_a_stop_denies_once_and_lets_the_rerun_pass(installed: CodexWorld) -> None:
    installed.add(stopping())
    command = "git reset --hard; touch it-ran"
    turns = [
        shell(command, "call_that_is_stopped_0001"),
        shell(command, "call_that_passes_00000001").thinking(1.2),
        say("Done."),
    ]

    talk = installed.talk("Begin.", turns)

    told = talk.results()
    assert "blocked by PreToolUse hook" in told["call_that_is_stopped_0001"].text
    assert "Stopped once by" in told["call_that_is_stopped_0001"].text
    assert "Process exited with code" in told["call_that_passes_00000001"].text
    assert (installed.project / "it-ran").exists()
    seen("codex", "PreToolUse", "stop once: the call does not run, the model reads why", True)


def test_a_block_denies_each_time_and_only_the_person_hears_how_to_let_it_pass(installed: CodexWorld) -> None:
    installed.add(blocking())
    command = "git push --force origin main; touch it-ran"
    names = ("call_that_is_blocked_0001", "call_that_is_blocked_0002")

    talk = installed.talk("Begin.", [shell(command, names[0]), shell(command, names[1]).thinking(1.2), say("Done.")])

    assert not (installed.project / "it-ran").exists()
    for name in names:
        assert "blocked by PreToolUse hook" in talk.results()[name].text
    assert "lessons allow" not in talk.everything()
    assert [(event["decision"], event["toolUseId"]) for event in installed.log()] == [("block", name) for name in names]
    seen("codex", "PreToolUse", "block: every such call is denied with its reason", True)


def test_a_patch_is_matched_by_its_paths_and_by_what_it_adds(installed: CodexWorld) -> None:
    triggers = {"pathPatterns": ["**/*.py"], "contentPatterns": [r"\bprint\("]}
    installed.add(blocking("no-print", triggers=triggers, blockReason="Log instead of printing."))
    turns = [
        patch("*** Add File: a.py\n+print('x')", "call_with_a_bad_patch_001"),
        patch("*** Add File: b.py\n+x = 1", "call_with_a_good_patch_01"),
        patch("*** Update File: b.py\n@@\n-x = 1\n+print(1)", "call_with_a_bad_patch_002"),
        say("Done."),
    ]

    talk = installed.talk("Begin.", turns)

    assert not (installed.project / "a.py").exists()
    assert (installed.project / "b.py").read_text() == "x = 1\n"
    for name in ("call_with_a_bad_patch_001", "call_with_a_bad_patch_002"):
        assert "Log instead of printing." in talk.results()[name].text
    seen("codex", "PreToolUse", "a patch is matched by its paths and by what it adds", True)


def test_a_session_begins_with_its_lessons(installed: CodexWorld) -> None:
    installed.add(lesson("starts", triggers={"sessionStart": True}, solution="Read CONTRIBUTING before you begin."))

    talk = installed.talk("Begin.", [say("Done.")])

    assert talk.requests[0].text.count("Read CONTRIBUTING before you begin.") == 1
    seen("codex", "SessionStart", "lessons of the start reach the first request", True)


def test_a_lesson_comes_right_after_its_error(installed: CodexWorld) -> None:
    told = "Put the pattern into quotes."
    installed.add(lesson("glob", triggers={"errorPatterns": ["no matches found"]}, solution=told))
    turns = [
        shell("echo 'zsh: no matches found: *.x' >&2; exit 0"),  # it says so, but has not failed
        shell("echo 'zsh: no matches found: *.x' >&2; exit 1"),
        say("Done."),
    ]

    talk = installed.talk("Begin.", turns)

    assert told not in talk.requests[1].text, "a command that succeeds gets no lesson about an error"
    assert told in talk.requests[2].new
    seen("codex", "PostToolUse", "a lesson right after a failed call", True)


def test_calls_that_run_at_once_get_one_hint_and_are_all_stopped(installed: CodexWorld) -> None:
    installed.add(lesson())
    installed.add(stopping(triggers={"commandPatterns": ["git status"]}))
    hinted = [shell(f"git stash list; echo number-{number}") for number in range(MANY)]
    stopped = [shell(f"git status; touch ran-{number}", f"call_stopped_at_once_{number:04d}") for number in range(MANY)]

    talk = installed.talk("Begin.", [together(*hinted), together(*stopped), say("Done.")])

    assert talk.requests[1].text.count(HINT) == 1
    assert all("Stopped once by" in talk.results()[f"call_stopped_at_once_{number:04d}"].text for number in range(MANY))
    assert not list(installed.project.glob("ran-*"))
    seen("codex", "PreToolUse", "parallel calls get one hint, which names its call", True)


def test_a_subagent_has_a_context_of_its_own(installed: CodexWorld) -> None:
    installed.add(lesson())
    spawn = call("spawn_agent", {"message": "You are HELPER-A."}, "call_that_starts_a_helper1")
    spawn.blocks[0]["namespace"] = "multi_agent_v1"
    wait = shell("sleep 3; git stash list")
    routes = {"HELPER-A": [shell("git stash list"), say("Back to you.")]}

    talk = installed.talk("Begin.", [shell("git stash list"), spawn, wait, say("Done.")], routes)

    assert talk.requests[-1].text.count(HINT) == 1
    helper = [request for request in talk.recorded if request.route == "HELPER-A"]
    assert helper[-1].text.count(HINT) == 1
    assert len({event["agentId"] for event in installed.injections()}) == 2
    seen("codex", "PreToolUse", "a subagent gets notes and hints of its own", True)
