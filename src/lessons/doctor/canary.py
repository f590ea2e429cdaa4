"""An empty folder in, a data home whose lessons fire on the made-up calls of `doctor` out."""

import json
import os

from lessons import config
from lessons.model import lesson_from_document
from lessons.promote.publish.entry import entry_of
from lessons.promote.publish.publish import write

CANARY = "lessons-doctor-canary"
SESSION = "doctor"

_AT_A_CALL: dict[str, object] = {
    "id": "call",
    "slug": CANARY,
    "summary": "A lesson by which doctor sees that the hook answers",
    "problem": f"The command {CANARY} exists only for this check.",
    "solution": "Nothing has to be done about it, it is never run.",
    "block": True,
    "blockReason": f"{CANARY} was seen.",
    "triggers": {"commandPatterns": [CANARY], "errorPatterns": [CANARY]},
}
_AT_THE_START: dict[str, object] = {
    "id": "start",
    "slug": f"{CANARY}-start",
    "summary": f"The lesson of {CANARY} for the start of a session",
    "problem": "A session that starts is told this by the check.",
    "solution": "Nothing has to be done about it, it is never seen.",
    "triggers": {"sessionStart": True},
}


def lay_canary(home: str) -> None:
    """Published with the default settings: what the person has set must not decide whether the hook answers."""
    lessons = [lesson_from_document(document) for document in (_AT_A_CALL, _AT_THE_START)]
    entries = {lesson.id: entry_of(lesson, lambda source, flags: None).entry for lesson in lessons}
    write(home, config.load(home, {}), entries, "")


def lay_transcript(folder: str) -> str:
    """What a session of the check left, in which one command was run; the path of it."""
    call = {"type": "tool_use", "id": "doctor", "name": "Bash", "input": {"command": CANARY}}
    result = {"type": "tool_result", "tool_use_id": "doctor", "content": "done"}
    common = {"sessionId": SESSION, "cwd": folder, "isSidechain": False}
    lines = [
        {**common, "type": role, "uuid": f"0-{role}", "message": {"role": role, "content": [block]}}
        for role, block in (("assistant", call), ("user", result))
    ]
    path = os.path.join(folder, "doctor.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    return path


def payload_of(event: str, folder: str) -> dict[str, object]:
    """What the agent would write to the hook's stdin, for any event; only PreCompact, which waits, gets a transcript.

    Without one the others start nothing that would outlive the check.
    """
    transcript = lay_transcript(folder) if event == "PreCompact" else os.path.join(folder, "none.jsonl")
    return {
        "session_id": SESSION,
        "transcript_path": transcript,
        "trigger": "manual",
        "reason": "other",
        # Nowhere, so that a session that starts begins nothing in the background.
        "cwd": folder if event == "PreCompact" else os.path.join(folder, "none"),
        "hook_event_name": event,
        "source": "clear",  # the source that starts nothing in the background
        "tool_name": "Bash",
        "tool_input": {"command": CANARY},
        "tool_use_id": "doctor",
        "error": f"Exit code 1\n{CANARY}",
    }
