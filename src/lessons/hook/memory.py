"""Asks memory about a call, or about the error of a failed one, where no lesson answers it.

At a path: what the disk says about one that is missing in the shell's folder and exists in one above it. That trusts
the folder in the payload: it is where the call starts, whatever an earlier `cd` did. Proven with the real clients, see
tests/e2e; other agents get nothing.
"""

from lessons.agents.hook_event import AFTER_CALL, BEFORE_CALL, Answer
from lessons.agents.table import delivery_of
from lessons.hook.lookup import matching, wants_nothing_kept
from lessons.paths import memory_index_file
from lessons.settings import number, setting
from lessons.store.memory_index import MemoryIndex, UnusableMemory
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lessons.agents.hook_event import HookEvent
    from lessons.hook.file_system import FileSystem
    from lessons.hook.lookup import Config
    from lessons.match.call import ToolCall
    from lessons.mistakes.places import Misplaced
    from lessons.mistakes.recall import Recall
    from lessons.store.recalls import Tries

_FOLDER_IS_PROVEN = ("claude-code", "codex", "opencode")
_NOT_IN_WORDS = "'\"`;&|()<>\n\t"
_CHANGE_FOLDER = ("cd", "pushd")
_BEFORE_FOLDER = ("-C", "--prefix", "--cwd", "--dir", "--directory")
_UNKNOWN_FOLDER = ("-", "+", "~", "$", "")
_MOST_WORDS = 200
_MOST_ABOVE = 32


def recalled(event: "HookEvent", home: str, config: "Config", has_run: bool = False) -> Answer | None:
    """Returns what memory has to say, once in a context for each mistake; None if that is nothing.

    What the disk says comes first: it is certain. `has_run`: the call has run already.
    """
    call = event.call
    if call is None or not is_on(config, call):
        return None
    command = call.command if call.error is None else None
    if command and ("/" in command or "cd " in command or "pushd " in command):
        note = place_note(event, home, call, config, has_run)
        if note:
            return note
    try:
        # Few calls have anything in common with a failure: the others do not load this code.
        found = look_up(home, call, lambda names: _tries(event, home, call).silent(names))
    except Exception as fault:  # the index is derived: the next scan makes it again
        from lessons.store import logs

        logs.record_fault(home, event.kind, f"memory-index: {logs.describe_fault(fault)}")
        return None
    if found is None or (call.error is not None and lesson_answers(home, call)):
        return None
    return _said(event, home, config, call, found)


def is_on(config: "Config", call: "ToolCall") -> bool:
    """Whether memory may speak: always, at errors only, or never."""
    chosen = setting(config, "memory").lower()
    return chosen not in ("false", "0", "no", "off") and (chosen != "error" or call.error is not None)


def look_up(
    home: str, call: "ToolCall", silent: "Callable[[Iterable[str]], set[str]] | None" = None
) -> "Recall | None":
    """Returns what is remembered about a call; None if there is nothing, or no usable index (see `lessons doctor`)."""
    try:
        index = MemoryIndex(memory_index_file(home))
        from lessons.mistakes import recall

        if call.error is not None:
            found = recall.at_error(index, call, call.error, _root_of)
        else:
            found = recall.at_call(index, call, _root_of, silent)
    except UnusableMemory:
        return None
    return None if found is None or recall.is_fix(found.failure, call) else found


def _root_of(folder: str) -> str:
    from lessons.hook.file_system import FileSystem  # few folders are unknown

    return FileSystem().project_root(folder)


def lesson_answers(home: str, call: "ToolCall") -> bool:
    """Whether a lesson fires on the call as it was before it failed."""
    error, call.error = call.error, None
    try:
        return any(not lesson.shadow for lesson, _ in matching(home, BEFORE_CALL, call)[1])
    finally:
        call.error = error


def _tries(event: "HookEvent", home: str, call: "ToolCall") -> "Tries":
    """Returns what has worked in this session, of what memory spoke about."""
    from lessons.store.recalls import Tries

    delivery = delivery_of(event.agent)

    def note() -> str:
        return str(delivery.note(call, event.name, event.transcript))

    return Tries(home, call.session, call.tool_use_id, note, getattr(delivery, "worked", None))


def call_worked(home: str, call: "ToolCall") -> None:
    """The client runs the hook after a call anyway, and says that the call has worked."""
    from lessons.store.recalls import Tries

    Tries(home, call.session, call.tool_use_id).call_worked()


def _said(event: "HookEvent", home: str, config: "Config", call: "ToolCall", found: "Recall") -> Answer | None:
    # Few calls get here: load the rest only now.
    from lessons.hook.call_memory import Mutes
    from lessons.inject.notes import memory_name, text_of
    from lessons.store import logs
    from lessons.store.recalls import claim_recall

    name = memory_name(found.failure.key)
    if wants_nothing_kept(config, call.cwd) or Mutes(home).is_muted(name):
        return None
    if event.kind == AFTER_CALL:  # it has run, and worked
        _tries(event, home, call).worked(found.suspects)
        return None
    text = text_of(found, is_error=call.error is not None)
    if len(text.encode("utf-8", "replace")) > number(config, "injectionBudgetBytes"):
        return None
    agent_id = "" if setting(config, "dedupScope") == "session" else call.agent_id
    if not claim_recall(home, call.session, agent_id, name):
        return None
    if event.kind == BEFORE_CALL:
        _tries(event, home, call).spoken(found.suspects)
    logs.record_recall(home, event.kind, call, found.feature or "error", found.failure.identifiers, name)
    return Answer(context=text)


def place_note(
    event: "HookEvent",
    home: str,
    call: "ToolCall",
    config: "Config",
    has_run: bool = False,
) -> Answer | None:
    """Returns the line once for each path in a context; `has_run`: the call has run already."""
    found = misplaced_in(call, has_run)
    text = found.words() if found else ""
    if not found or not text or len(text.encode("utf-8", "replace")) > number(config, "injectionBudgetBytes"):
        return None
    from lessons.store import logs
    from lessons.store.recalls import claim_recall

    agent_id = "" if setting(config, "dedupScope") == "session" else call.agent_id
    if not claim_recall(home, call.session, agent_id, f"path:{found.path}"):
        return None
    if not wants_nothing_kept(config, call.cwd):
        logs.record_recall(home, event.kind, call, "path")
    return Answer(context=text)


def misplaced_in(call: "ToolCall", has_run: bool = False) -> "Misplaced | None":
    """Returns a path of a shell call that is missing in the shell's folder and exists in one above it."""
    folder = call.folder
    if call.agent not in _FOLDER_IS_PROVEN or call.dialect or not folder or not call.command or environment("CDPATH"):
        return None
    from lessons.hook.file_system import FileSystem

    probe = FileSystem()
    if not _is_possible(call.command, folder, probe):
        return None
    # Few calls get here; the others do not load this code.
    from lessons.mistakes.places import misplaced

    root = probe.project_root(folder)
    return misplaced(call.places(), folder, root, probe, has_run) if root else None


def _is_possible(command: str, folder: str, probe: "FileSystem") -> bool:
    """Whether a word of the line may be misplaced: a rough look that needs no parser.

    Most calls run in the root of their project, or name paths that exist, and end here.
    """
    for sign in _NOT_IN_WORDS:
        command = command.replace(sign, " ")
    words = command.split()[:_MOST_WORDS]
    root = probe.project_root(folder)
    for before, word in zip(["", *words], words, strict=False):
        path = word.rpartition("=")[2].partition("::")[0]
        if before in _CHANGE_FOLDER:
            if path[:1] in _UNKNOWN_FOLDER:
                return False
            target = path if path[:1] == "/" else f"{folder}/{path}"
            if probe.exists(target):
                folder = _normal(target)
                root = probe.project_root(folder)
                continue
        elif "/" not in path and before not in _BEFORE_FOLDER:
            continue
        if root and path and path[0] not in "/~$-" and _is_above(path, folder, root, probe):
            return True
    return False


def _is_above(path: str, folder: str, root: str, probe: "FileSystem") -> bool:
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
