"""A failure of a context (session and subagent) in, how often it has come lately out; only digests are kept."""

from lessons.store.claims.shown import Context, is_own_folder, own_folder, root_folders, safe_name, session_folder
from lessons.system import O_BINARY, system

WINDOW_SECONDS = 20 * 60
_LARGEST = 32 * 1024
_ONE_LINE = 64


def noted(home: str, session: str, agent_id: str, shape: str, now: float) -> int:
    """How often this error has come within the window, this time too; 0 where nothing can be remembered."""
    line = f"{int(now)} {_digest(shape)}\n".encode()
    for root in root_folders(home) if session else ():
        folder = f"{root}/{session_folder(session)}"
        if own_folder(root) and own_folder(folder) and _append(f"{folder}/{_name(agent_id)}", line, now):
            return len(_times(f"{folder}/{_name(agent_id)}", shape, now))
    return 0


def began(home: str, session: str, agent_id: str, shape: str, now: float) -> float:
    """When it came for the first time within the window."""
    for root in root_folders(home):
        folder = f"{root}/{session_folder(session)}"
        times = _times(f"{folder}/{_name(agent_id)}", shape, now) if is_own_folder(folder) else []
        if times:
            return min(times)
    return now


def claim(home: str, session: str, agent_id: str, shape: str) -> bool:
    """True for exactly one of all who would tell of this error in this context."""
    return Context(home, session, agent_id).claim(f"failures:{_digest(shape)}", 0)


def _name(agent_id: str) -> str:
    # Beside the folders of the contexts: what lies in those is taken for a claim.
    return "failures-agent-" + safe_name(agent_id) if agent_id else "failures"


def _digest(shape: str) -> str:
    data = shape.encode("utf-8", "surrogatepass") + b"\1"
    return f"{int.from_bytes(data, 'little') % (2**89 - 1):x}"


def _times(path: str, shape: str, now: float) -> list[float]:
    digest = _digest(shape)
    return [time for time, other in _recent(path, now) if other == digest]


def _recent(path: str, now: float) -> list[tuple[float, str]]:
    """The failures of the window; lines that are none are passed over."""
    try:
        file = system.open(path, system.O_RDONLY | O_BINARY)
    except OSError:
        return []
    try:
        text = system.read(file, 2 * _LARGEST).decode("ascii", "replace")
    except OSError:
        return []
    finally:
        system.close(file)
    found = []
    for line in text.split("\n"):
        time, _, digest = line.partition(" ")
        # A clock that was put back must not keep old failures for ever.
        if time.isdigit() and len(line) < _ONE_LINE and abs(now - int(time)) <= WINDOW_SECONDS:
            found.append((float(time), digest))
    return found


def _append(path: str, line: bytes, now: float) -> bool:
    flags = system.O_WRONLY | system.O_CREAT | system.O_APPEND | O_BINARY
    try:
        if _size(path) > _LARGEST:
            kept = "".join(
                f"{time:.0f} {digest}\n" for time, digest in _recent(path, now)[-_LARGEST // 2 // _ONE_LINE :]
            )
            line = kept.encode() + line
            flags = system.O_WRONLY | system.O_CREAT | system.O_TRUNC | O_BINARY
        file = system.open(path, flags, 0o600)
    except OSError:
        return False
    try:
        return system.write(file, line) == len(line)
    except OSError:
        return False
    finally:
        system.close(file)


def _size(path: str) -> int:
    try:
        return system.stat(path).st_size
    except OSError:
        return 0
