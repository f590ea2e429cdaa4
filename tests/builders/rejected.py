"""Calls in, a transcript with their outcomes on disk out, and the payload of each before it ran."""

from pathlib import Path

from tests.builders import payloads
from tests.builders.client_lines import REJECTED
from tests.builders.payloads import Payload
from tests.builders.transcript import Session

WORDS = "A fact for the model."


class Conversation:
    """A session whose file grows while it goes on, as the client writes it."""

    def __init__(self, root: Path, agent_id: str = "", name: str = "s1") -> None:
        self.root = root
        self.session = Session(name)
        self.told = self.session.subagent(agent_id) if agent_id else self.session
        self.agent_id = agent_id
        self.session.prompt("do it")
        self.write()

    def write(self) -> Path:
        self.file = self.session.write(self.root)
        return self.file

    def payload(self, command: str = "git stash") -> Payload:
        """The call as the hook is told of it: it is in the transcript, its result is not."""
        call = self.told.call("Bash", {"command": command})
        self.write()
        payload = {**payloads.bash(command, session=self.session.id), "tool_use_id": call}
        payload["transcript_path"] = str(self.file)
        return payloads.in_subagent(payload, self.agent_id) if self.agent_id else payload

    def rejected(self, payload: Payload) -> None:
        """The person said no, and nothing else: the words of the hook are dropped."""
        self.told.result(str(payload["tool_use_id"]), REJECTED, denial="user-rejected")
        self.told.interrupt(for_tool=True)
        self.write()

    def ended_without_a_record(self, payload: Payload, error: bool = False) -> None:
        """As older clients write it, which keep no record of what they send."""
        self.told.result(str(payload["tool_use_id"]), "Exit code 1\nno" if error else "done", error=error)
        self.told.say("go on")
        self.write()

    def accepted(self, payload: Payload, error: bool = False, event: str = "PreToolUse") -> None:
        call, text = str(payload["tool_use_id"]), "Exit code 1\nno" if error else "done"
        if event == "PreToolUse":
            self.told.hook_context(call, WORDS)
        self.told.result(call, text, error=error)
        if event != "PreToolUse":
            self.told.hook_context(call, WORDS, event)
        self.told.say("go on")
        self.write()
