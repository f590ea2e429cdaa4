"""The open tasks after a planning call: identifier -> text, in creation order."""

from lessons.agents.actions import ChangeTask, ListTasks, MakeTask, ProposePlan, Task
from lessons.continuity.derive.requests import is_telling
from lessons.continuity.derive.texts import kept_line

# Names in work.json for calls with pending results, unchanged since its first version.
MADE = "TaskCreate"
_CHANGED = "TaskUpdate"
_PLANNED = "ExitPlanMode"
_MOST_SHOWN = 10
_MOST_KNOWN = 100
_LONGEST_TASK = 200
_UNDER_WAY = " (in progress)"
_OPEN = ("pending", "in_progress")
_LISTED = "todo "  # entries of a list that is rewritten each time
_PLAN = "plan"
_SAME = "-"


def open_tasks(states: dict[str, str]) -> list[str]:
    """Returns tasks in progress first."""
    return sorted(states.values(), key=lambda text: not text.endswith(_UNDER_WAY))[:_MOST_SHOWN]


def remembered(action: ListTasks | MakeTask | ChangeTask | ProposePlan) -> tuple[str, str]:
    """Returns what to store of a call until its result confirms it: a kind and a text; no text for a list."""
    match action:
        case MakeTask(text):
            return MADE, kept_line(text, _LONGEST_TASK)
        case ChangeTask():
            return _CHANGED, _change(action)
        case ProposePlan(text):
            return _PLANNED, kept_line(_title(text), _LONGEST_TASK)
    return "", ""


def after_list(states: dict[str, str], tasks: list[Task]) -> dict[str, str]:
    """Returns the tasks after the whole list was rewritten."""
    others = {name: text for name, text in states.items() if not name.startswith(_LISTED)}
    listed = _listed(tasks)
    found = {**others, **listed}
    return _bounded(found if listed or not tasks else _without_finished_plan(found))


def after_result(states: dict[str, str], kind: str, subject: str, made: str = "") -> dict[str, str]:
    """Applies a result: a task got the identifier `made`, a task changed, or a plan was approved."""
    if kind == _PLANNED:
        others = {name: text for name, text in states.items() if name != _PLAN}
        return _bounded({**others, _PLAN: f"Approved plan: {subject}"}) if subject else states
    if kind == _CHANGED:
        return _updated(states, *subject.split(" ", 2))
    return _bounded({**states, made: subject}) if made and subject else states


def after_request(states: dict[str, str], text: str) -> dict[str, str]:
    """Drops the plan when the user asks for something new; "go on" keeps it."""
    return {name: task for name, task in states.items() if name != _PLAN} if is_telling(text) else states


def _without_finished_plan(states: dict[str, str]) -> dict[str, str]:
    """Drops the plan if no task made after it is open."""
    return {name: text for name, text in states.items() if name != _PLAN or [*states][-1] != _PLAN}


def _listed(tasks: list[Task]) -> dict[str, str]:
    found = {}
    for number, task in enumerate(tasks[:_MOST_KNOWN]):
        if task.status in _OPEN:
            found[f"{_LISTED}{number}"] = _marked(kept_line(task.text, _LONGEST_TASK), task.status)
    return {name: text for name, text in found.items() if text}


def _change(action: ChangeTask) -> str:
    """Joins a task, its new state and its new subject in one line; unchanged parts are a dash or empty."""
    name = "".join(action.identifier[:40].split())
    status = "".join(action.status[:40].split()) or _SAME
    return f"{name} {status} {kept_line(action.text, _LONGEST_TASK)}" if name else ""


def _updated(states: dict[str, str], name: str = "", status: str = _SAME, subject: str = "") -> dict[str, str]:
    known = states.get(name)
    if status not in (*_OPEN, _SAME):
        left = {key: text for key, text in states.items() if key != name}
        return left if known is None else _without_finished_plan(left)
    text = subject or (known or f"Task #{name}").removesuffix(_UNDER_WAY)
    if not name or (known is None and status != "in_progress"):
        return states  # created before the part that was read, and not in progress
    if status == _SAME:
        status = "in_progress" if known is not None and known.endswith(_UNDER_WAY) else "pending"
    return _bounded({**states, name: _marked(text, status)})


def _marked(text: str, status: object) -> str:
    return text + _UNDER_WAY if text and status == "in_progress" else text


def _title(plan: str) -> str:
    lines = (line.strip().lstrip("#").strip() for line in plan[:4_000].splitlines())
    return next((line for line in lines if line), "")


def _bounded(states: dict[str, str]) -> dict[str, str]:
    return dict(list(states.items())[-_MOST_KNOWN:])
