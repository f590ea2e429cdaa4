"""The `cwd` of a payload is the start folder of a call, whatever an earlier `cd` did, as FORMAT.md says."""

import json
import shlex
from pathlib import Path

import pytest

from tests.e2e.rig.conversation import Conversation
from tests.e2e.rig.script import Turn, agent, bash, say, together
from tests.e2e.rig.world import World

OUTSIDE = "elsewhere"


@pytest.fixture
def tree(world: World) -> World:
    """A project with folders in it, one folder outside, and a hook that notes every payload before a call."""
    (world.project / "web" / "src").mkdir(parents=True)
    (world.home / OUTSIDE).mkdir()
    line = f'payload=$(cat); printf "%s\\n" "$payload" >> {shlex.quote(str(notes(world)))}'
    # A hook that takes long for one call: what other calls do meanwhile must not change where it runs.
    line += '; case $payload in *"echo slow"*) sleep 2;; esac'
    hooks = {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": line}]}]}
    world.settings.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    return world


def notes(world: World) -> Path:
    return world.home / "payloads.jsonl"


def folders(world: World) -> dict[str, str]:
    """Tool use id -> the payload's folder, from the project on."""
    payloads = [json.loads(line) for line in notes(world).read_text("utf-8").splitlines()]
    return {payload["tool_use_id"]: payload["cwd"].replace(str(world.project), "P") for payload in payloads}


def run(world: World, *turns: Turn, **more: object) -> Conversation:
    return world.run("Begin.", [*turns, say("Done.")], **more)  # type: ignore[arg-type]


def ran_in(world: World, talk: Conversation) -> dict[str, str]:
    """Tool use id -> what `pwd` printed first, of the calls that did print it."""
    texts = {name: result.text.splitlines()[0] for name, result in talk.results().items() if result.text}
    return {name: text.replace(str(world.project), "P") for name, text in texts.items() if text.startswith("/")}


def test_folder_of_an_earlier_cd_is_kept(tree: World) -> None:
    talk = run(
        tree,
        bash("pwd", "start"),
        bash("cd web", "into"),
        bash("pwd", "in-web"),
        bash("cd web", "again"),  # fails: the shell is there already
        bash("(cd src && pwd)", "subshell"),
        bash("cd src && false", "failed"),  # a call that fails moves nothing
        bash("pwd", "still-in-web"),
        bash("cd src; cd .. && cd ..", "out"),
        bash("pwd", "back"),
    )

    seen = folders(tree)
    assert [seen[name] for name in ("start", "into", "in-web", "again")] == ["P", "P", "P/web", "P/web"]
    assert talk.results()["again"].is_error
    assert [seen[name] for name in ("subshell", "failed", "still-in-web", "out", "back")] == ["P/web"] * 4 + ["P"]
    assert ran_in(tree, talk) == {
        "start": "P", "in-web": "P/web", "subshell": "P/web/src", "still-in-web": "P/web", "back": "P"
    }  # fmt: skip


def test_folder_outside_of_the_project_is_left_again(tree: World) -> None:
    outside = tree.home / OUTSIDE

    talk = run(
        tree,
        bash("cd web", "into"),
        bash(f"cd {outside} && pwd", "outside"),
        bash("pwd", "after"),  # not in web, where the shell was before, but in the folder the session began in
    )

    assert folders(tree) == {"into": "P", "outside": "P/web", "after": "P"}
    assert f"Shell cwd was reset to {tree.project}" in talk.results()["outside"].text
    assert ran_in(tree, talk) == {"outside": str(outside), "after": "P"}


def test_folder_that_was_added_to_the_session_is_kept(tree: World) -> None:
    outside = tree.home / OUTSIDE

    run(tree, bash(f"cd {outside}", "outside"), bash("pwd", "after"), arguments=["--add-dir", str(outside)])

    assert folders(tree) == {"outside": "P", "after": str(outside)}


def test_calls_of_one_message_wait_for_a_writer(tree: World) -> None:
    calls = together(bash("cd web && touch new", "writer"), bash("touch newer", "second"), bash("pwd", "third"))

    talk = run(tree, calls)

    assert folders(tree) == {"writer": "P", "second": "P/web", "third": "P/web"}
    assert ran_in(tree, talk)["third"] == "P/web"
    assert (tree.project / "web" / "newer").exists()
    # The transcript is older than the calls: all of them carry the folder in which the message came.
    lines = [json.loads(line) for line in talk.transcript.read_text("utf-8").splitlines()]
    written = [line["cwd"] for line in lines if line.get("type") == "assistant" and '"tool_use"' in json.dumps(line)]
    assert written == [str(tree.project)] * 3


def test_calls_at_once_run_where_their_payload_says(tree: World) -> None:
    calls = together(bash("cd web", "cd"), bash("pwd; echo slow", "slow"), bash("cd src; pwd", "other"))

    talk = run(tree, calls, bash("pwd", "after"))

    assert folders(tree) == {"cd": "P", "slow": "P", "other": "P", "after": "P/web"}
    # The cd had ended when the slow call began, and it began in its own folder all the same.
    assert ran_in(tree, talk)["slow"] == "P"
    assert "No such file or directory" in talk.results()["other"].text


def test_subagent_starts_where_its_parent_is_and_cannot_move(tree: World) -> None:
    helper = [bash("pwd", "first"), bash("cd src; pwd", "moves"), bash("pwd", "third"), say("Back to you.")]

    talk = run(tree, bash("cd web", "cd"), agent("You are HELPER.", "agent"), bash("pwd", "parent"), routes={
        "HELPER": helper
    })  # fmt: skip

    seen = folders(tree)
    assert [seen[name] for name in ("agent", "first", "moves", "third", "parent")] == ["P/web"] * 5
    told = ran_in(tree, talk)
    assert [told[name] for name in ("first", "moves", "third")] == ["P/web", "P/web/src", "P/web"]


def test_resumed_session_starts_where_the_client_does(tree: World) -> None:
    earlier = run(tree, bash("cd web", "cd"), bash("pwd", "in-web"))

    tree.resume(earlier, "Go on.", [bash("pwd", "resumed"), say("Done.")])

    assert folders(tree) == {"cd": "P", "in-web": "P/web", "resumed": "P"}


def test_client_can_be_told_to_stay_in_the_project(tree: World) -> None:
    run(tree, bash("cd web", "cd"), bash("pwd", "after"), environment={"CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR": "1"})

    assert folders(tree) == {"cd": "P", "after": "P"}


def test_folder_has_no_links_in_it(tree: World) -> None:
    (tree.project / "link").symlink_to("web/src")

    run(tree, bash("cd link", "cd"), bash("pwd", "after"))

    assert folders(tree) == {"cd": "P", "after": "P/web/src"}
