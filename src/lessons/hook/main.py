"""An event's name and the payload on stdin in, the answer on stdout out; whatever happens, nothing is raised."""

from lessons import paths
from lessons.store import fired
from lessons.store.json_text import decode
from lessons.system import environment, system

EVENTS = ("PreToolUse", "PostToolUseFailure", "SessionStart", "SubagentStart")
# Not an event: the process stays and answers one call after the other.
SERVER = "Resident"
# A payload beyond this is not a tool call; reading on would only cost memory.
_LARGEST_PAYLOAD = 128 * 1024 * 1024


def run(event: str, options: list[str]) -> int:
    """One hook event from beginning to end; 1 where the package is not whole, which somebody has to be told."""
    home = ""
    try:
        if event == SERVER:
            return _serve()
        if event not in EVENTS or environment("LESSONS_DISABLE") not in ("", "0"):
            return 0
        if options[-1:] == ["--plugin"]:
            from lessons.hook import beside

            if beside.in_settings(event):
                return 0
            options = options[:-1]
        home = paths.data_home()
        fired.touch(home, event)
        answer = answer_to(event, _payload(), home, options)
        if answer:
            _write(answer.encode("ascii"))
    except BaseException as fault:
        if home:
            from lessons.store import faults

            faults.record(home, event, faults.describe(fault))
        return 1 if isinstance(fault, ImportError | AttributeError | NameError) else 0
    return 0


def _serve() -> int:
    from lessons.hook import resident

    resident.serve(paths.data_home())
    return 0


def answer_to(event: str, payload: dict[str, object], home: str, options: list[str]) -> str | None:
    """The JSON answer to one event; None means that the hook has nothing to say."""
    if event == "PreToolUse":
        from lessons.hook import pre_tool_use

        if not options:
            return pre_tool_use.answer(payload, home)
        # Only `--behind-server` is ever given: a server may answer the same call.
        from lessons.hook import shared_call

        return shared_call.answer(payload, home, options)
    if event == "PostToolUseFailure":
        from lessons.hook import tool_failure

        return tool_failure.answer(payload, home)
    if event == "SessionStart":
        from lessons.hook import session_start

        python = options[1] if len(options) > 1 and options[0] == "--python" else ""
        return session_start.answer(payload, home, python)
    if event == "SubagentStart":
        from lessons.hook import subagent_start

        return subagent_start.answer(payload, home)
    return None


def _payload() -> dict[str, object]:
    pieces, size = [], 0
    while piece := system.read(0, 1 << 20):
        pieces.append(piece)
        size += len(piece)
        if size > _LARGEST_PAYLOAD:
            raise ValueError("the payload is too large")
    value = decode(b"".join(pieces).decode("utf-8", "replace"))
    if not isinstance(value, dict):
        raise ValueError("the payload is not an object")
    return value


def _write(data: bytes) -> None:
    while data:
        data = data[system.write(1, data) :]
