"""A call that plans work in, the tasks that are open after it out: identifier -> text, as they were made."""

import re

from lessons.continuity.derive.texts import kept_line, text_at

TOOLS = frozenset(("TodoWrite", "TaskCreate", "TaskUpdate", "ExitPlanMode"))
_MOST = 10
_MOST_KNOWN = 100
_LONGEST = 200
_UNDER_WAY = " (in progress)"
_OPEN = ("pending", "in_progress")
_LISTED = "todo "  # entries of a list that is written anew each time
_PLAN = "plan"
_MADE = re.compile(r"Task #(\w{1,40}) created")


def open_tasks(states: dict[str, str]) -> list[str]:
    """What is under way first."""
    return sorted(states.values(), key=lambda text: not text.endswith(_UNDER_WAY))[:_MOST]


def subject_of(tool: str, arguments: dict[object, object]) -> str:
    """What must be remembered of a call until its result says that it was done."""
    if tool == "TaskCreate":
        return kept_line(text_at(arguments, "subject", "description"), _LONGEST)
    if tool == "ExitPlanMode":
        return kept_line(_title(text_at(arguments, "plan")), _LONGEST)
    return ""


def after_call(states: dict[str, str], tool: str, arguments: dict[object, object]) -> dict[str, str]:
    """A list that was written anew, or a task whose state changes."""
    if tool == "TodoWrite":
        others = {name: text for name, text in states.items() if not name.startswith(_LISTED)}
        return _bounded({**others, **_listed(arguments.get("todos"))})
    return _updated(states, arguments) if tool == "TaskUpdate" else states


def after_result(states: dict[str, str], tool: str, subject: str, printed: str) -> dict[str, str]:
    """A task that was made, whose name the result tells, or a plan that was agreed to."""
    if tool == "ExitPlanMode":
        return _bounded({**states, _PLAN: f"Approved plan: {subject}"}) if subject else states
    made = _MADE.search(printed[:200])
    return _bounded({**states, made[1]: subject}) if made and subject else states


def _listed(todos: object) -> dict[str, str]:
    found = {}
    for number, todo in enumerate(todos[:_MOST_KNOWN] if isinstance(todos, list) else []):
        if isinstance(todo, dict) and todo.get("status") in _OPEN:
            text = kept_line(text_at(todo, "content", "activeForm"), _LONGEST)
            found[f"{_LISTED}{number}"] = _marked(text, todo["status"])
    return {name: text for name, text in found.items() if text}


def _updated(states: dict[str, str], arguments: dict[object, object]) -> dict[str, str]:
    name = str(arguments.get("taskId", ""))[:40]
    status = arguments.get("status")
    known = states.get(name)
    if status is not None and status not in _OPEN:
        return {key: text for key, text in states.items() if key != name}
    text = kept_line(text_at(arguments, "subject"), _LONGEST) or (known or f"Task #{name}").removesuffix(_UNDER_WAY)
    if not name or (known is None and status != "in_progress"):
        return states  # it was made before what was read, and is not being worked on
    was_under_way = known is not None and known.endswith(_UNDER_WAY)
    return _bounded({**states, name: _marked(text, status or ("in_progress" if was_under_way else "pending"))})


def _marked(text: str, status: object) -> str:
    return text + _UNDER_WAY if text and status == "in_progress" else text


def _title(plan: str) -> str:
    lines = (line.strip().lstrip("#").strip() for line in plan[:4_000].splitlines())
    return next((line for line in lines if line), "")


def _bounded(states: dict[str, str]) -> dict[str, str]:
    return dict(list(states.items())[-_MOST_KNOWN:])
