"""A call that both the server and the command receive: the first one answers."""

from lessons.agents.claude_code.server import answer_claims
from lessons.agents.hook_event import Answer
from lessons.store.claims.notices import claim_notice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from lessons.agents.hook_event import HookEvent
    from lessons.match.call import ToolCall

    class CallHandler(Protocol):
        """The hook's answer to a call; it asks `may_answer` once a lesson fires."""

        def __call__(
            self, event: HookEvent, home: str, *, may_answer: "Callable[[ToolCall], bool]"
        ) -> Answer | None: ...


# Options of the command beside the server.
BEHIND_SERVER = "--behind-server"
SERVER_GONE = "--server-gone"
SERVER_GONE_MESSAGE = (
    "The lessons server of this session has stopped. Lessons still fire: the hook's command answers instead. "
    "Run `lessons doctor` for details."
)


def answer_of_server(event: "HookEvent", home: str, handler: "CallHandler") -> Answer | None:
    return _answer_as(answer_claims.SERVER, event, home, handler)


def answer_of_command(event: "HookEvent", home: str, options: list[str], handler: "CallHandler") -> Answer | None:
    """Tells the user once per session that the server is gone, in addition to any answer."""
    reply = _answer_as(answer_claims.COMMAND, event, home, handler)
    if SERVER_GONE in options and claim_notice(home, event.session_key, "server-gone"):
        return (reply or Answer()).with_message(SERVER_GONE_MESSAGE)
    return reply


def _answer_as(asker: str, event: "HookEvent", home: str, handler: "CallHandler") -> Answer | None:
    def may_answer(call: "ToolCall") -> bool:
        return answer_claims.claim_call(home, call.session, call.tool_use_id, asker)

    return handler(event, home, may_answer=may_answer)
