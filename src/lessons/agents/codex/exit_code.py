"""The exit code of a command that has just ended: the client does not send it to the hook, but has recorded it.

Codex 0.166 writes `item_completed` with the exit code into the rollout before it starts the hooks of PostToolUse.
"""

from lessons.agents.own_file import read_end
from lessons.store.json_text import decode

# The line was written last, or nearly last if calls run in parallel.
_MOST_BYTES = 1024 * 1024
_KIND = b'"CommandExecution"'


def exit_code_of(transcript: str, call_id: str) -> int | None:
    """Returns None if the rollout does not show it: unknown is not a failure."""
    if not transcript or not call_id.replace("-", "").replace("_", "").isalnum():
        return None
    try:
        data = read_end(transcript, _MOST_BYTES)
    except (OSError, ValueError):
        return None
    wanted = b'"id":"%s"' % call_id.encode()
    place = data.rfind(wanted)
    while place >= 0:
        start, end = data.rfind(b"\n", 0, place) + 1, data.find(b"\n", place)
        line = data[start:] if end < 0 else data[start:end]
        code = _code(line, call_id) if _KIND in line else None
        if code is not None:
            return code
        place = data.rfind(wanted, 0, start)
    return None


def _code(line: bytes, call_id: str) -> int | None:
    try:
        read = decode(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    payload = read.get("payload") if isinstance(read, dict) else None
    item = payload.get("item") if isinstance(payload, dict) else None
    if not isinstance(item, dict) or item.get("id") != call_id:
        return None
    code = item.get("exit_code")
    return code if isinstance(code, int) and not isinstance(code, bool) else None
