"""An event's name and the payload on stdin in, the answer on stdout out; whatever happens, nothing is raised."""

from lessons import paths
from lessons.store import fired
from lessons.store.json_text import decode
from lessons.system import environment, system

EVENTS = (
    *("PreToolUse", "PostToolUseFailure", "SessionStart", "SubagentStart"),
    *("PreCompact", "Stop", "SessionEnd", "PostToolUse"),
)
# Not an event: the process stays and answers one call after the other.
SERVER = "Resident"
# A payload beyond this is not a tool call; reading on would only cost memory.
_LARGEST_PAYLOAD = 128 * 1024 * 1024


def run(event: str, options: list[str]) -> int:
    """One hook event from beginning to end; 1 where the package is not whole, which somebody has to be told."""
    home = ""
    try:
        if event == SERVER:
            return _serve(options)
        if event not in EVENTS or environment("LESSONS_DISABLE") not in ("", "0"):
            return 0
        if options[-1:] == ["--plugin"]:
            from lessons.agents.claude_code import hook_in_settings

            if hook_in_settings.in_settings(event):
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
        return 1 if event == SERVER or isinstance(fault, ImportError | AttributeError | NameError) else 0
    return 0


def _serve(options: list[str]) -> int:
    """With `--check` it only tells, by its status, whether it could."""
    from lessons.hook import resident

    home = paths.data_home()
    resident.load()
    if options != ["--check"]:
        resident.serve(home)
    return 0


def answer_to(event: str, payload: dict[str, object], home: str, options: list[str]) -> str | None:
    """The answer to one event, JSON but for PreCompact; None means that the hook has nothing to say."""
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

        return session_start.answer(payload, home, _option(options, "--python"), _option(options, "--client"))
    if event == "SubagentStart":
        from lessons.hook import subagent_start

        return subagent_start.answer(payload, home)
    return _at_a_pause(event, payload, home, _option(options, "--python"))


def _at_a_pause(event: str, payload: dict[str, object], home: str, python: str) -> str | None:
    """The events at which what the session was doing is kept."""
    if event == "PreCompact":
        from lessons.hook import pre_compact

        return pre_compact.answer(payload, home, python)
    if event == "Stop":
        from lessons.hook import stop

        return stop.answer(payload, home, python)
    if event == "SessionEnd":
        from lessons.hook import session_end

        session_end.answer(payload, home, python)
    if event == "PostToolUse":
        from lessons.hook import after_commit

        after_commit.answer(payload, home, python)
    return None


def _option(options: list[str], name: str) -> str:
    place = options.index(name) + 1 if name in options else len(options)
    return options[place] if place < len(options) else ""


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
