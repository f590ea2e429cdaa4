"""A shell command that has run: where it may have committed, its commits are joined to the session at once."""

from lessons.hook import session_worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent


def answer(event: "HookEvent", home: str, python: str = "") -> None:
    # A client that does not know the condition in its settings runs this after every command.
    if "git" in event.command and "commit" in event.command:
        # The transcript may not have the call yet, so that it alone would not tell whose commit it is.
        session_worker.spawn_save(event, home, python, "stop", "committed=yes")
