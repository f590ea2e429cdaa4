"""The full circle: a repeated mistake is found in the client's rollouts, promoted, and stopped in the next session."""

import json

from tests.e2e.codex.app_server import AppServer
from tests.e2e.codex.world import CodexWorld, patch, shell, thread_of
from tests.e2e.rig import client
from tests.e2e.rig.responses import ResponsesModel
from tests.e2e.rig.script import call, say
from tests.e2e.rig.seen import seen
from tests.e2e.test_circle import RIGHT, WRONG, add_program


def _make_the_mistake(world: CodexWorld, name: str) -> None:
    turns = [shell(WRONG, f"call_wrong_{name:>20}"), shell(RIGHT, f"call_right_{name:>20}"), say("Shipped.")]
    talk = world.talk(f"Ship it, {name}.", turns)
    assert "Process exited with code 2" in talk.results()[f"call_wrong_{name:>20}"].text


def test_the_circle(installed: CodexWorld) -> None:
    add_program(installed)
    for name in ("a" * 20, "b" * 20):
        _make_the_mistake(installed, name)

    read = installed.scan()
    assert read["calls"] == {**read["calls"], "total": 4, "ok": 2, "failed": 2}
    assert (read["unknownTypes"], read["malformed"]) == ({}, 0)
    [candidate] = json.loads(installed.lessons("candidates", "--json"))["candidates"]
    assert {(piece["toolUseId"], piece["fixToolUseId"]) for piece in candidate["evidence"]} == {
        (f"call_wrong_{letter * 20}", f"call_right_{letter * 20}") for letter in "ab"
    }
    answer = json.loads(installed.lessons("promote", candidate["fingerprint"], "--stop-once", "--yes", "--json"))
    [promoted] = [entry["lesson"] for entry in answer["promoted"]]

    turns = [shell(WRONG, "call_wrong_once_more_0001"), shell(RIGHT).thinking(1.2), say("Shipped.")]
    talk = installed.talk("Ship it once more.", turns)

    assert promoted["solution"] in talk.results()["call_wrong_once_more_0001"].text
    again = installed.scan()
    assert again["calls"] == {**again["calls"], "total": 2, "ok": 1, "failed": 0, "refused": 1}
    [event] = installed.log("--session", thread_of(talk))
    assert (event["decision"], event["toolUseId"]) == ("stop", "call_wrong_once_more_0001")
    seen("codex", "transcript", "its transcript is scanned, and a mistake in it is mined", True)


def test_every_way_in_which_a_call_ends(installed: CodexWorld) -> None:
    polled = call("write_stdin", {"session_id": 0, "chars": "", "yield_time_ms": 4000}, "call_that_asks_after_it1")
    turns = [
        shell("exit 3"),
        patch("*** Add File: a.txt\n+x"),
        patch("*** Update File: missing.txt\n@@\n-x\n+y"),
        shell("sleep 1; exit 5", "call_in_the_background_01", yield_time_ms=250),
        polled,
        shell("true"),
        say("Done."),
    ]

    def name_process() -> None:
        files = [path.read_text("utf-8") for path in installed.transcripts()]
        number = files[0].rpartition("Process running with session ID ")[2].partition("\\n")[0]
        polled.blocks[0]["input"]["session_id"] = int(number)

    turns[4] = polled.after(name_process)
    installed.talk("Begin.", turns)

    calls = installed.scan()["calls"]
    # The call that asks after a process has done so: what the process came to belongs to the call that started it.
    assert (calls["total"], calls["failed"], calls["ok"], calls["unknown"]) == (6, 3, 3, 0)


def test_a_resumed_and_a_forked_session_count_each_call_once(installed: CodexWorld) -> None:
    first = installed.talk("Begin.", [shell("exit 3"), say("Done.")])
    resumed = installed.talk("Go on.", [shell("exit 4"), say("Done.")], command=("exec", "resume", thread_of(first)))
    assert "Process exited with code 3" in resumed.requests[0].text
    with ResponsesModel([shell("exit 5"), say("Done.")]) as model:
        line, environment = [client.binary("codex"), "app-server"], installed.client_environment(model)
        with AppServer(line, installed.project, environment) as server:
            thread = server.ask("thread/fork", {"threadId": thread_of(first)})["thread"]["id"]
            server.ask("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "Go another way."}]})
            server.wait_for("turn/completed")
    assert len(installed.transcripts()) == 2
    calls = installed.scan()["calls"]
    assert (calls["total"], calls["failed"]) == (3, 3)
