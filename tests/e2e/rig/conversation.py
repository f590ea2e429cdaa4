"""The requests to a scripted model in, answers to a test's questions about the conversation out."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.e2e.rig.model import MAIN
from tests.e2e.rig.request import Request, Result


class Conversation:
    """`events` is what a client without a terminal printed, `requests` are all of the main conversation."""

    def __init__(self, recorded: Sequence[Request], config: Path, output: str = "", errors: str = "", code: int = 0):
        self.recorded = list(recorded)
        self.exit_code, self.errors = code, errors
        self.events: list[dict[str, Any]] = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
        self._config = config

    @property
    def requests(self) -> list[Request]:
        return self.on(MAIN)

    def on(self, route: str) -> list[Request]:
        """The requests that this part of the script answered."""
        return [request for request in self.recorded if request.route == route]

    def request(self, number: int) -> Request:
        return self.requests[number]

    def said(self) -> list[str]:
        """All that the model had been told at each request of the main conversation."""
        return [request.text for request in self.requests]

    def everything(self) -> str:
        """Every byte that ever reached a model, subagents, summaries and titles included."""
        return "\n".join(request.raw for request in self.recorded)

    def results(self) -> dict[str, Result]:
        """Tool use id -> what a model was told about that call, first telling first."""
        told: dict[str, Result] = {}
        for request in self.recorded:
            told = {**request.results(), **told}
        return told

    @property
    def session(self) -> str:
        return next(str(event["session_id"]) for event in self.events if event.get("session_id"))

    @property
    def transcript(self) -> Path:
        [file] = self._config.glob(f"projects/*/{self.session}.jsonl")
        return file

    def attachments(self, kind: str) -> list[dict[str, Any]]:
        """What the client noted in the transcript beside the messages."""
        lines = map(json.loads, self.transcript.read_text("utf-8").splitlines())
        found = [line["attachment"] for line in lines if line.get("type") == "attachment"]
        return [attachment for attachment in found if attachment["type"] == kind]

    def told(self) -> list[str]:
        """Every line that hooks have told the person, the messages of lessons apart."""
        contents = [str(each["content"]) for each in self.attachments("hook_system_message")]
        lines = [line for content in contents for line in content.splitlines()]
        return [line for line in lines if not line.startswith("lessons: ")]
