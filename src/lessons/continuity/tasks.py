"""The open tasks of a session: lists that are rewritten each time, tasks with their own ids, and an approved plan."""

from lessons.agents.events import ChangeTask, Task
from lessons.continuity.texts import storable_line

_MOST_SHOWN = 10
_LONGEST_TASK = 200
_LONGEST_PLAN_READ = 4_000
_OPEN = ("pending", "in_progress")
_LISTED = "todo "  # prefix of the entries of a list, which have no id
_PLAN = "plan"


class Tasks:
    """The tasks by their id, in the order in which they were made."""

    def __init__(self) -> None:
        self._open: dict[str, Task] = {}

    def shown(self) -> list[str]:
        """Returns what is stored of them, tasks in progress first."""
        tasks = sorted(self._open.values(), key=lambda task: task.status != "in_progress")[:_MOST_SHOWN]
        return [
            storable_line(task.text, _LONGEST_TASK) + " (in progress)" * (task.status == "in_progress")
            for task in tasks
        ]

    def list_all(self, tasks: list[Task]) -> None:
        """Replaces the earlier list."""
        others = {name: task for name, task in self._open.items() if not name.startswith(_LISTED)}
        listed = {f"{_LISTED}{number}": task for number, task in enumerate(tasks) if task.text and task.status in _OPEN}
        self._open = {**others, **listed}
        if tasks and not listed:
            self._drop_finished_plan()

    def make(self, identifier: str, text: str) -> None:
        if identifier and text:
            self._open[identifier] = Task(text, "pending")

    def change(self, change: ChangeTask) -> None:
        name, known = change.identifier, self._open.get(change.identifier)
        status = change.status or (known.status if known else "pending")
        if status not in _OPEN:
            if self._open.pop(name, None):
                self._drop_finished_plan()
        elif known or (name and status == "in_progress"):  # an unknown one was made before the part that was read
            self._open[name] = Task(change.text or (known.text if known else f"Task #{name}"), status)

    def approve(self, plan: str) -> None:
        """Adds the plan by its title: its first line."""
        lines = (line.strip().lstrip("#").strip() for line in plan[:_LONGEST_PLAN_READ].splitlines())
        if title := next(filter(None, lines), ""):
            self.drop_plan()
            self._open[_PLAN] = Task(f"Approved plan: {title}", "pending")

    def drop_plan(self) -> None:
        self._open.pop(_PLAN, None)

    def _drop_finished_plan(self) -> None:
        """Drops the plan if no task made after it is open."""
        if [*self._open][-1:] == [_PLAN]:
            self.drop_plan()
