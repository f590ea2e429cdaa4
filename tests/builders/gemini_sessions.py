"""Actions of a session in, the file of Gemini CLI out: a document of older versions, or lines."""

import json
from pathlib import Path
from typing import Any

Fields = dict[str, Any]


def shell_text(output: str, exit: int = 0) -> str:
    code = f"\nExit Code: {exit}" if exit else ""
    return f"<untrusted_context>\nOutput: {output}{code}\nProcess Group PGID: 17\n</untrusted_context>"


def call(name: str, id: str, arguments: Fields, told: Fields, status: str = "success") -> Fields:
    answer = [{"functionResponse": {"id": id, "name": name, "response": told}}]
    return {"id": id, "name": name, "args": arguments, "status": status, "result": answer}


def shell(command: str, id: str, output: str = "", exit: int = 0) -> Fields:
    return call("run_shell_command", id, {"command": command}, {"output": shell_text(output, exit)})


def running(command: str, id: str) -> Fields:
    return {"id": id, "name": "run_shell_command", "args": {"command": command}, "status": "executing"}


class Chat:
    """Its messages so far, and every line that the newer client has written for them."""

    def __init__(self, session: str = "s1") -> None:
        self.metadata: Fields = {"sessionId": session, "projectHash": "0a3a", "startTime": "2026-01-01T10:00:00.000Z"}
        self.messages: list[Fields] = []
        self.lines: list[Fields] = [self.metadata]

    def add(self, kind: str, content: Any, id: str = "", **more: Any) -> Fields:
        number = len(self.lines)
        time = f"2026-01-01T10:{number // 60:02d}:{number % 60:02d}.000Z"
        message = {"id": id or f"m{number}", "timestamp": time, "type": kind, "content": content, **more}
        self.messages.append(message)
        self.lines.append(message)
        return message

    def again(self, message: Fields, **changes: Any) -> Fields:
        """The same message once more, changed: the last one counts."""
        message.update(changes)
        self.lines.append(dict(message))
        return message

    def put(self, **fields: Any) -> None:
        self.lines.append({"$set": fields})

    def document(self) -> str:
        return json.dumps({**self.metadata, "messages": self.messages}, indent=2)

    def text(self, lines: int | None = None) -> str:
        return "".join(json.dumps(line) + "\n" for line in self.lines[:lines])


def eventful() -> Chat:
    """Calls that ended in every way, repeated messages, a rewind and a replaced conversation."""
    chat = Chat()
    context = "<session_context>\n- **Workspace Directories:**\n  - /shop\n</session_context>"
    chat.put(messages=[{"id": "c0", "timestamp": "2026-01-01T10:00:00.500Z", "type": "user", "content": context}])
    chat.add("user", [{"text": "<hook_context>x</hook_context>\n\nMake the tests pass."}])
    first = chat.add("gemini", "", model="gemini-2.5-pro")
    chat.again(first, toolCalls=[running("make tset", "call_1_0")])
    chat.again(first, toolCalls=[shell("make tset", "call_1_0", "No rule", 2)])
    chat.add("user", [{"functionResponse": {"id": "call_1_0", "response": {}}}])
    chat.put(lastUpdated="2026-01-01T10:00:30.000Z", summary="Tests")
    chat.add("gemini", "I see what is wrong.", toolCalls=[shell("make test", "call_2_0", "fine")])
    gone = call("replace", "call_3_0", {"file_path": "a"}, {"error": "Could not find it"}, "error")
    blocked = call(
        "run_shell_command", "call_3_1", {"command": "rm x"}, {"error": "Tool execution blocked: No"}, "error"
    )
    chat.add("gemini", "", toolCalls=[gone, blocked])
    chat.lines.append({"$rewindTo": first["id"]})
    refused = call(
        "run_shell_command", "call_4_0", {"command": "rm y"}, {"error": "[Operation Cancelled]"}, "cancelled"
    )
    chat.add("gemini", [{"text": "Again."}], toolCalls=[refused])
    chat.put(messages=[chat.messages[-1]])
    chat.add("info", "Request cancelled.")
    return chat


def write_eventful(root: Path) -> None:
    root.mkdir(parents=True, exist_ok=True)
    (root / "session-eventful.jsonl").write_text(eventful().text())
