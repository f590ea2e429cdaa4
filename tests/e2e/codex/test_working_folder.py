"""The `cwd` of a payload is the start folder of a call; the check of paths rests on it and reaches the model."""

import json
import shlex

from tests.e2e.codex.world import IN_SCRIPTS, CodexWorld, shell
from tests.e2e.rig.responses import developer_words
from tests.e2e.rig.script import custom, say
from tests.e2e.rig.seen import seen

IDS = tuple(f"call_of_a_folder_{number:09d}" for number in range(5))


def test_folder_is_that_of_the_call_and_no_cd_is_kept(world: CodexWorld) -> None:
    (world.project / "web" / "src").mkdir(parents=True)
    notes = world.home / "payloads.jsonl"
    line = f'payload=$(cat); printf "%s\\n" "$payload" >> {shlex.quote(str(notes))}'
    hooks = {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": line}]}]}
    world.hook_file.write_text(json.dumps({"hooks": hooks}), encoding="utf-8")
    world.accept_hooks()

    talk = world.talk("Begin.", [
        shell("pwd", IDS[0]),
        shell("cd web && pwd", IDS[1]),
        shell("pwd", IDS[2]),  # each call has a shell of its own
        shell("pwd", IDS[3], workdir="web"),
        shell("pwd", IDS[4], workdir=str(world.project / "web" / "src")),
        say("Done."),
    ])  # fmt: skip

    payloads = [json.loads(row) for row in notes.read_text("utf-8").splitlines()]
    assert {each["tool_use_id"]: each["cwd"].replace(str(world.project), "P") for each in payloads} == dict(
        zip(IDS, ("P", "P", "P", "P/web", "P/web/src"), strict=True)
    )
    ran = [talk.results()[name].text.splitlines()[-1].replace(str(world.project), "P") for name in IDS]
    assert ran == ["P", "P/web", "P", "P/web", "P/web/src"]

    notes.unlink()
    script = 'text((await tools.exec_command({cmd: "pwd", workdir: "web"})).output);'
    world.talk("Begin.", [custom("exec", script, "call_of_a_script_00000001"), say("Done.")], model=IN_SCRIPTS)
    assert json.loads(notes.read_text("utf-8"))["cwd"] == str(world.project / "web")


def test_a_path_that_exists_above_is_told(installed: CodexWorld) -> None:
    for folder in ("web/src", "docs"):
        (installed.project / folder).mkdir(parents=True)
    (installed.project / "docs" / "guide.md").touch()
    missing = f"`docs/guide.md` does not exist in {installed.project}/web, where the shell is"

    talk = installed.talk("Begin.", [
        shell("cd web && ls src/"),
        shell("cat docs/guide.md"),  # back in the root, where it exists
        shell("cat docs/guide.md", workdir="web"),
        shell("cd web/src && ls docs/"),
        say("Done."),
    ])  # fmt: skip

    assert "does not exist in" not in talk.requests[2].text
    assert any(missing in said for said in developer_words(talk.requests[3]))
    assert (
        f"`docs/` does not exist in {installed.project}/web/src, where the shell is after its `cd`" in talk.said()[-1]
    )
    assert [(event["source"], event["decision"]) for event in installed.injections()] == [("memory", "hint")] * 2
    assert installed.faults() == ""
    seen("codex", "PreToolUse", "a path that exists in a folder above is told", True)
