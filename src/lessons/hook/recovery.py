"""Asks the agent for a note when it has recovered from a failed call: once, and only if nothing answers the mistake.

A failure that may be a mistake is remembered when it occurs. Later calls that are like it are tried as its fix; whether
one worked is known after it, or from the transcript before a later call and at the end of the turn.
"""

import time

from lessons.agents.hook_event import AFTER_CALL, BEFORE_CALL, Answer
from lessons.agents.table import AGENTS, delivery_of, part_of
from lessons.hook import memory
from lessons.hook.lookup import matching, wants_nothing_kept
from lessons.match.call import ToolCall
from lessons.settings import number, protocol
from lessons.store import session_failures
from lessons.store.json_text import encode
from lessons.store.recalls import QUESTION, claim_recall, has_had_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.agents.hook_event import HookEvent
    from lessons.hook.lookup import Config, Match
    from lessons.store.session_failures import Fix, Waiting

_EDITORS = ("Edit", "Write", "NotebookEdit")
_MOST_WORDS = 200
_LONGEST_QUOTE = 100
# Clients write their transcript in the background: at the end of a turn the last result may be missing for a moment.
_WAIT_SECONDS, _WAIT_STEP = 0.5, 0.02
_TOGETHER_MILLISECONDS = 1000  # a call that comes sooner after a failure was made together with the failed one


def after_failure(event: "HookEvent", home: str, is_answered: bool) -> None:
    """Remembers a failure that may be a mistake; `is_answered`: the agent was told something about it."""
    call = event.call
    if call is None or call.agent_id or not AGENTS[event.agent].asks_at:
        return
    if session_failures.waiting(home, call.session):
        session_failures.add(home, call.session, {"ended": _name(call)})
    from lessons.mistakes.failed_call import has_enough_weight
    from lessons.mistakes.recall import exit_code_in

    is_mistake = not is_answered and has_enough_weight(
        event.error, exit_code_in(event.error), _text(call), call.is_shell
    )
    if is_mistake and _may_ask(event, home, call):
        _remember(event, home, call)


def before_call(event: "HookEvent", home: str, config: "Config", reply: Answer | None) -> Answer | None:
    """Returns the question if it is due and nothing else is said, and remembers the call."""
    call = event.call
    found = session_failures.waiting(home, call.session) if call and not call.agent_id else None
    if call is None or found is None or (reply and reply.deny is not None):
        return None
    asked = None
    if reply is None and found.fixes and AGENTS[event.agent].asks_at == BEFORE_CALL:
        fix = _shown_by_transcript(event, home, found)
        if fix:
            asked = _asked(event, home, call, config, fix)
        found = session_failures.waiting(home, call.session)
    if found is not None:
        _take_call(event, home, call, found)
    return asked


def after_call(event: "HookEvent", home: str) -> Answer | None:
    """Asks right after the fix; for a call that has worked."""
    call = event.call
    if call is None or call.agent_id or AGENTS[event.agent].asks_at != AFTER_CALL:
        return None
    found = session_failures.waiting(home, call.session)
    fix = found.fixes.get(_name(call)) if found else None
    return _asked(event, home, call, matching(home, event.kind, call)[0], fix) if fix else None


def at_turn_end(event: "HookEvent", home: str) -> Answer | None:
    """Asks about a fix that was the last call of the turn; the agent then goes on with the turn."""
    if event.is_continued or event.agent_id or AGENTS[event.agent].asks_at != BEFORE_CALL:
        return None
    found = session_failures.waiting(home, event.session_key)
    until = time.monotonic() + _WAIT_SECONDS
    fix = _shown_by_transcript(event, home, found) if found else None
    while fix is None and found and found.fixes and time.monotonic() < until:
        time.sleep(_WAIT_STEP)
        found = session_failures.waiting(home, event.session_key)
        fix = _shown_by_transcript(event, home, found) if found else None
    if fix is None:
        return None
    about = {"agent": event.agent, "session": event.session_key, "cwd": event.cwd, "model": event.model}
    call = ToolCall(event.name, {}, **about)
    return _asked(event, home, call, matching(home, event.kind, call)[0], fix)


def _may_ask(event: "HookEvent", home: str, call: ToolCall) -> bool:
    """Whether questions are wanted, and neither a lesson nor memory answers the failure, shown before or not."""
    config, matches = matching(home, event.kind, call)
    if protocol(config) != "recovery" or wants_nothing_kept(config, call.cwd):
        return False
    if has_had_all(home, call.session, QUESTION) or _is_answered(home, config, call, matches):
        return False
    if memory.lesson_answers(home, call):
        return False
    error, call.error = call.error, None
    try:
        return not _is_answered(home, config, call, [])
    finally:
        call.error = error


def _is_answered(home: str, config: "Config", call: ToolCall, matches: "list[Match]") -> bool:
    if any(not lesson.shadow for lesson, _ in matches):
        return True
    return memory.is_on(config, call) and memory.look_up(home, call) is not None


def _remember(event: "HookEvent", home: str, call: ToolCall) -> None:
    from lessons.failure.repeated import repeated_form, telling_lines
    from lessons.redact.mask import masked

    note = delivery_of(event.agent).note(call, event.name, event.transcript)
    if not note and AGENTS[event.agent].asks_at == BEFORE_CALL:
        return  # nothing will show what works
    error = (telling_lines(event.error) or [""])[0]
    session_failures.add(
        home,
        call.session,
        {
            "failed": _name(call),
            "id": call.tool_use_id[:_LONGEST_QUOTE],
            "mistake": _digest(repeated_form(event.error) or _text(call)),
            "tool": call.names[-1],
            "call": masked(_text(call), _LONGEST_QUOTE),
            "error": masked(error, _LONGEST_QUOTE),
            "note": note,
            "same": _digest(_text(call)),
            "time": int(1000 * time.time()),
            "words": _words(call),
            "kinds": _kinds(call),
        },
    )


def _shown_by_transcript(event: "HookEvent", home: str, found: "Waiting") -> "Fix | None":
    """Returns the first fix that worked; removes those that did not."""
    recovered: Callable[[str, str], bool | None] = part_of(event.agent, "delivery").recovered
    for name, fix in found.fixes.items():
        verdict = recovered(fix.failures[-1].note, fix.identifier)
        if verdict:
            return fix
        if verdict is False:
            session_failures.add(home, event.session_key, {"ended": name})
    return None


def _asked(event: "HookEvent", home: str, call: ToolCall, config: "Config", fix: "Fix | None") -> Answer | None:
    """Asks about the first of the failures that the call has fixed."""
    if fix is None:
        return None
    session_failures.add(home, call.session, {"settled": [failure.name for failure in fix.failures]})
    failure = fix.failures[0]
    from lessons.inject.notes import question
    from lessons.store import logs

    text = question(failure.tool, failure.call, failure.error, fix.call)
    if protocol(config) != "recovery" or len(text.encode("utf-8", "replace")) > number(config, "injectionBudgetBytes"):
        return None
    if not claim_recall(home, call.session, "", failure.mistake, QUESTION):
        return None
    logs.record_question(home, event.kind, call, failure.identifier, fix.identifier, failure.time / 1000)
    return Answer(context=text)


def _take_call(event: "HookEvent", home: str, call: ToolCall, found: "Waiting") -> None:
    """Remembers a call that may be the fix, or that shows that the failure was none of the call's own."""
    if call.names[0] in _EDITORS:
        # What follows works because of the edit.
        session_failures.add(home, call.session, {"edited": True})
        return
    same, words, kinds = _digest(_text(call)), frozenset(_words(call)), frozenset(_kinds(call))
    untried = [found.failures[name] for name in found.untried()]
    again = [failure.name for failure in untried if failure.same == same]
    if again:
        session_failures.add(home, call.session, {"settled": again})
        return
    from lessons.mistakes.failed_call import is_alike

    together = 0 if AGENTS[event.agent].asks_at == BEFORE_CALL else _TOGETHER_MILLISECONDS
    latest = int(1000 * time.time()) - together
    alike = [each for each in untried if is_alike(each.words, words, bool(each.kinds & kinds)) and each.time <= latest]
    if alike and _is_unsafe(call):
        session_failures.add(home, call.session, {"settled": [failure.name for failure in alike]})
        return
    line: session_failures.Line = {"called": _name(call)}
    if alike:
        from lessons.redact.mask import masked

        names = [failure.name for failure in alike]
        text = masked(_text(call), _LONGEST_QUOTE)
        line |= {"id": call.tool_use_id[:_LONGEST_QUOTE], "call": text, "fixes": names}
    session_failures.add(home, call.session, line)


def _is_unsafe(call: ToolCall) -> bool:
    # Loads regular expressions: a call that is like a failed one is rare, and no second list of unsafe options is kept.
    from lessons.shell.bypass import is_unsafe_call

    return is_unsafe_call(call.names[0], call.command or "", call.arguments)


def _name(call: ToolCall) -> str:
    """Returns the id of a call, or a digest where the agent gives none."""
    return call.tool_use_id[:_LONGEST_QUOTE] or _digest(_text(call))


def _text(call: ToolCall) -> str:
    if call.command:
        return call.command
    try:
        return encode(call.arguments)
    except (TypeError, RecursionError):  # no agent sends such arguments
        return ""


def _words(call: ToolCall) -> "list[int]":
    """Returns digests of the words; of very many the same part for every call."""
    from lessons.mistakes.failed_call import words_of
    from lessons.mistakes.features import keys_of

    return keys_of(words_of(_text(call)))[:_MOST_WORDS]


def _kinds(call: ToolCall) -> "list[int]":
    """Returns digests of the programs of a line, or of the tool."""
    from lessons.mistakes.failed_call import programs_of
    from lessons.mistakes.features import keys_of

    return keys_of(programs_of(call.command) if call.command else [call.names[-1]])


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass") + b"\1"
    return f"{int.from_bytes(data, 'little') % (2**89 - 1):x}"
