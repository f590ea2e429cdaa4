"""After a call: adds hints that could not be shown before it, and links its commits to the session at once."""

from lessons.hook import session_worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer, HookEvent


def answer(event: "HookEvent", home: str, python: str = "") -> "Answer | None":
    # A client that does not support the condition in its settings runs this after every command.
    if "git" in event.command and "commit" in event.command:
        # The transcript may not contain the call yet, so it alone would not show whose commit it is.
        session_worker.spawn_save(event, home, python, "stop", "committed=yes")
    if event.call is None:
        return None
    from lessons.hook import before_call  # few agents need it

    return before_call.hints_after(event, home)
