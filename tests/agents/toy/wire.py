"""The toy agent's payloads as events, and answers as it reads them."""

from lessons.agents.hook_event import AFTER_FAILURE, BEFORE_CALL, SESSION_START, Answer, HookEvent
from lessons.match.call import ToolCall
from lessons.store.json_text import encode

AGENT = "toy"
EVENTS = {"before": BEFORE_CALL, "failed": AFTER_FAILURE, "hello": SESSION_START}
HINTS_AT = BEFORE_CALL


def parse(name: str, payload: dict[str, object]) -> HookEvent | None:
    if name not in EVENTS:
        return None
    step, chat, folder = payload.get("step"), str(payload.get("chat") or ""), str(payload.get("dir") or "")
    error = str(payload.get("output", ""))
    event = HookEvent(EVENTS[name], name, agent=AGENT, session=chat, cwd=folder, source="startup", error=error)
    step = step if isinstance(step, dict) else {}
    event.call = ToolCall(
        "Bash" if step else name,
        {"command": step.get("exec")} if step else {},
        agent=AGENT,
        session=chat,
        tool_use_id=str(step.get("id", "")),
        cwd=folder,
        error=error or None,
    )
    return event


def render(event: HookEvent, answer: Answer) -> str:
    said = {"refuse": answer.deny, "say": answer.context, "show": answer.message}
    return encode({key: text for key, text in said.items() if text})
