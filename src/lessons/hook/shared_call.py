"""A call that a resident server (no options) and a command may both answer in, the answer of who is first out."""

from lessons.agents.claude_code import wire
from lessons.agents.claude_code.server import answer_claims
from lessons.hook import pre_tool_use
from lessons.store.json_text import decode, encode

SERVER_GONE = "--server-gone"
TOLD = (
    "The lessons server of this session has stopped. Lessons go on acting: until it is back the hook's command "
    "answers in its place. `lessons doctor` tells more."
)


def answer(payload: dict[str, object], home: str, options: list[str]) -> str | None:
    """The person is told once a session that the server is gone, beside whatever answer there is."""
    said = pre_tool_use.answer(payload, home, shared_as=answer_claims.COMMAND if options else answer_claims.SERVER)
    if SERVER_GONE in options and answer_claims.claim_notice(home, wire.session_of(payload), "server-gone"):
        return _with_message(said, TOLD)
    return said


def _with_message(said: str | None, message: str) -> str:
    document = decode(said) if said else {}
    assert isinstance(document, dict)
    earlier = wire.text(document, "systemMessage")
    return encode({**document, "systemMessage": f"{earlier}\n{message}" if earlier else message})
