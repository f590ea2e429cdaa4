"""The toy agent's payloads as events, and answers as it reads them."""

from lessons.agents.hook_event import AFTER_FAILURE, SESSION_START, Answer, HookEvent, call_of, start_session, text
from lessons.agents.table import AGENTS
from lessons.store.json_text import encode

AGENT = "toy"


def parse(name: str, payload: dict[str, object]) -> HookEvent | None:
    kind = AGENTS[AGENT].kind_of(name)
    if kind is None:
        return None
    event = HookEvent(kind, name, agent=AGENT, session=text(payload, "chat"), cwd=text(payload, "dir"))
    event.error = text(payload, "output") if kind == AFTER_FAILURE else ""
    step = payload.get("step")
    if kind == SESSION_START:
        start_session(event, payload)
    elif isinstance(step, dict):
        arguments, name = {"command": step.get("exec")}, text(step, "id")
        event.call = call_of(event, "Bash", arguments, name, event.error or None)
    return event


def render(event: HookEvent, answer: Answer) -> str:
    said = {"refuse": answer.deny, "say": answer.context, "show": answer.message}
    return encode({key: text for key, text in said.items() if text})


def example(word: str, session: str) -> dict[str, object]:
    return {"chat": session, "dir": "/nowhere", "step": {"id": "s1", "exec": word}, "output": word}
