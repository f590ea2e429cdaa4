"""Asks memory about a call, or about the error of a failed one, where no lesson answers it."""

from lessons.hook.lookup import setting
from lessons.hook_paths import memory_index_file
from lessons.store.memory_index import MemoryIndex, UnusableMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.agents.hook_event import Answer, HookEvent
    from lessons.hook.lookup import Config
    from lessons.match.call import ToolCall
    from lessons.mistakes.recall import Recall


def recalled(
    event: "HookEvent",
    home: str,
    config: "Config",
    may_answer: "Callable[[ToolCall], bool] | None" = None,
    has_run: bool = False,
) -> "Answer | None":
    """Returns what memory has to say, once in a context for each mistake; None if that is nothing.

    What the disk says comes first: it is certain. `has_run`: the call has run already.
    """
    call = event.call
    if call is None or not is_on(config, call):
        return None
    command = call.command if call.error is None else None
    if command and ("/" in command or "cd " in command or "pushd " in command):
        from lessons.hook.recall_place import place_note

        note = place_note(event, home, call, config, may_answer, has_run)
        if note:
            return note
    try:
        found = look_up(home, call)
    except Exception as fault:  # the index is derived: the next scan makes it again
        from lessons.store import faults

        faults.record(home, event.kind, f"memory-index: {faults.describe(fault)}")
        return None
    if found is None or _is_fix(found, call) or (may_answer and not may_answer(call)):
        return None
    return _said(event, home, config, call, found)


def is_on(config: "Config", call: "ToolCall") -> bool:
    """Whether memory may speak: always, at errors only, or never."""
    chosen = setting(config, "memory").lower()
    return chosen not in ("false", "0", "no", "off") and (chosen != "error" or call.error is not None)


def look_up(home: str, call: "ToolCall") -> "Recall | None":
    """Returns what is remembered about a call; None if there is nothing, or no index."""
    try:
        index = MemoryIndex(memory_index_file(home))
    except UnusableMemory:
        return None
    from lessons.mistakes import recall

    return recall.at_call(index, call) if call.error is None else recall.at_error(index, call, call.error)


def _is_fix(found: "Recall", call: "ToolCall") -> bool:
    """Whether this call is what worked then: it needs no advice, and if it failed, it is none."""
    return bool(found.failure.worked) and " ".join((call.command or "").split()) == found.failure.worked


def _said(event: "HookEvent", home: str, config: "Config", call: "ToolCall", found: "Recall") -> "Answer | None":
    # Few calls get here: load the rest only now.
    from lessons.agents.hook_event import Answer
    from lessons.hook.call_memory import Mutes
    from lessons.hook.injection_log import wants_nothing_kept
    from lessons.inject.recall_words import memory_name, text_of
    from lessons.store import injections
    from lessons.store.claims.recalls import claim_recall

    name = memory_name(found.failure.key)
    if wants_nothing_kept(config, call.cwd) or Mutes(home).is_muted(name):
        return None
    if not claim_recall(home, call.session, call.agent_id, name):
        return None
    injections.record_recall(home, event.kind, call, found.feature or "error", found.failure.identifiers, name)
    return Answer(context=text_of(found, is_error=call.error is not None))
