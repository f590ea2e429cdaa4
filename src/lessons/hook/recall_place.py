"""A shell call in, one line about a path that is missing in the shell's folder and exists in one above it, or nothing.

Trusts the folder in the payload: it is where the call starts, whatever an earlier `cd` did. Proven with the real
clients, see tests/e2e; other agents get nothing.
"""

from lessons.agents.hook_event import Answer
from lessons.hook.file_system import FileSystem
from lessons.hook.lookup import number, setting
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.agents.hook_event import HookEvent
    from lessons.hook.lookup import Config
    from lessons.match.call import ToolCall

_FOLDER_IS_PROVEN = ("claude-code", "codex", "opencode")
_NOT_IN_WORDS = "'\"`;&|()<>\n\t"
_CHANGE_FOLDER = ("cd", "pushd")
_BEFORE_FOLDER = ("-C", "--prefix", "--cwd", "--dir", "--directory")
_UNKNOWN_FOLDER = ("-", "+", "~", "$", "")
_MOST_WORDS = 200
_MOST_ABOVE = 32


def place_note(
    event: "HookEvent",
    home: str,
    call: "ToolCall",
    config: "Config",
    may_answer: "Callable[[ToolCall], bool] | None" = None,
    has_run: bool = False,
) -> Answer | None:
    """Returns the line once for each path in a context; `has_run`: the call has run already."""
    folder = call.folder
    if call.agent not in _FOLDER_IS_PROVEN or call.dialect or not folder or not call.command or environment("CDPATH"):
        return None
    probe = FileSystem()
    if not _is_possible(call.command, folder, probe):
        return None
    # Few calls get here; the others do not load this code.
    from lessons.mistakes.places import misplaced

    root = _root(folder, probe)
    found = misplaced(call.places(), folder, root, probe, has_run) if root else None
    text = found.words() if found else ""
    if not found or not text or len(text) > number(config, "injectionBudgetBytes"):
        return None
    if may_answer and not may_answer(call):
        return None
    from lessons.hook.injection_log import wants_nothing_kept
    from lessons.store import injections
    from lessons.store.claims.recalls import claim_recall

    agent_id = "" if setting(config, "dedupScope") == "session" else call.agent_id
    if not claim_recall(home, call.session, agent_id, f"path:{found.path}"):
        return None
    if not wants_nothing_kept(config, call.cwd):
        injections.record_recall(home, event.kind, call, "path")
    return Answer(context=text)


def _root(folder: str, probe: FileSystem) -> str:
    """Returns the root of the folder's repository, else the project that the client names if the folder is below it."""
    root = probe.root(folder)
    if root is not None:
        return root
    project = environment("CLAUDE_PROJECT_DIR").replace("\\", "/").rstrip("/")
    return project if project and f"{folder}/".startswith(f"{project}/") else ""


def _is_possible(command: str, folder: str, probe: FileSystem) -> bool:
    """Whether a word of the line may be misplaced: a rough look that needs no parser.

    Most calls run in the root of their project, or name paths that exist, and end here.
    """
    for sign in _NOT_IN_WORDS:
        command = command.replace(sign, " ")
    words = command.split()[:_MOST_WORDS]
    root = _root(folder, probe)
    for before, word in zip(["", *words], words, strict=False):
        path = word.rpartition("=")[2].partition("::")[0]
        if before in _CHANGE_FOLDER:
            if path[:1] in _UNKNOWN_FOLDER:
                return False
            target = path if path[:1] == "/" else f"{folder}/{path}"
            if probe.exists(target):
                folder = _normal(target)
                root = _root(folder, probe)
                continue
        elif "/" not in path and before not in _BEFORE_FOLDER:
            continue
        if root and path and path[0] not in "/~$-" and _is_above(path, folder, root, probe):
            return True
    return False


def _is_above(path: str, folder: str, root: str, probe: FileSystem) -> bool:
    if folder == root or probe.exists(f"{folder}/{path}") is not False:
        return False
    for _ in range(_MOST_ABOVE):
        folder = folder.rpartition("/")[0] or "/"
        if probe.exists(f"{folder.rstrip('/')}/{path}"):
            return True
        if folder in (root, "/"):
            break
    return False


def _normal(folder: str) -> str:
    """Returns the folder without `.` and `..`."""
    kept: list[str] = []
    for part in folder.split("/"):
        if part == "..":
            del kept[-1:]
        elif part not in ("", "."):
            kept.append(part)
    return "/" + "/".join(kept)
