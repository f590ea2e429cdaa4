"""Makes the record of a lesson of little: of two typed texts, or of one recorded call."""

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress

from lessons import paths
from lessons.candidate import FAILURE
from lessons.errors import LessonsError, NotFound, Refused
from lessons.failure.error_text import telling_line
from lessons.match.call import canonical_name
from lessons.model import LONGEST_SUMMARY
from lessons.promote.draft import one_line, plain
from lessons.promote.publish import examples
from lessons.store.history.history import History
from lessons.store.history.past_calls import PastCall

Document = dict[str, object]

_SPECIAL = re.compile(r"[\\^$.|?*+()\[\]{}]")
_LONGEST_COMMAND = 200
_LONGEST_ERROR = 80
_LAST_SEARCH = "lastSearch"  # a fact of the history: the call of each hit, empty for a prompt


def rule(command: str, text: str) -> Document:
    """Returns a lesson about calls that begin with this command; the agent reads the text. It has no problem."""
    return {
        "summary": title(command, text),
        "solution": text,
        "triggers": beginning(command),
        "examples": {"fires": [command]},
    }


def title(subject: str, text: str) -> str:
    """Returns the text itself if it can be a title."""
    is_title = len(text) <= LONGEST_SUMMARY and "\n" not in text.strip()
    return text if is_title else one_line(f"Note about `{subject}`", LONGEST_SUMMARY)


def beginning(command: str) -> Document:
    """Returns the trigger for calls that begin with this command, up to the end of its last word."""
    words = " ".join(command.split())
    for text in dict.fromkeys((words, re.sub("[\"']", "", words))):  # the hook sees words without their quotes
        end = r"(?![\w-])" if re.search(r"[\w-]$", text) else ""
        triggers: Document = {"commandPatterns": [_SPECIAL.sub(r"\\\g<0>", text) + end], "matchOn": "invocation"}
        if text and examples.fires(_record(triggers), command):
            return triggers
    raise Refused(f"No call begins with `{words}`: give the first words of one command, or use --command-pattern.")


def recorded(home: str, name: str) -> PastCall:
    """Returns the call with this id, which `lessons search --json` shows."""
    with History.for_reading(home) as history:
        found = history.calls.past([name])
    if not found:
        raise NotFound(f"No call {name} in the history: `lessons search --json` shows their ids as toolUseId.")
    return found[0]


def first_words(call: PastCall) -> str:
    """Returns how the call began, as a person would type it; empty if it was not a command."""
    if canonical_name(call.tool) != "Bash":
        return ""
    for words in (f"{call.program} {call.subcommand}".strip(), call.command):
        with suppress(Refused):
            if words and examples.fires(_record(beginning(words)), call.command):
                return words
    return ""


def of_call(home: str, call: PastCall, words: str) -> Document:
    """Returns a lesson without a solution: when it fires, and what went wrong if the call failed.

    `words`: how the commands begin that it is about; empty for a call of another tool.
    """
    error = plain(telling_line(call.error), _LONGEST_ERROR) if call.error else ""
    document: Document = {"sourceSessionIds": [call.session_id], "occurrenceCount": 1}
    if words:
        document["triggers"] = beginning(words)
    elif error:
        document["triggers"] = {"toolNames": [call.tool], "errorPatterns": [_SPECIAL.sub(r"\\\g<0>", error)]}
    elif call.path:
        name = os.path.basename(call.path.replace("\\", "/"))
        document["triggers"] = {"toolNames": [call.tool], "pathPatterns": [f"**/{name}"]}
    if error:
        command = plain(call.command or call.path or call.tool, _LONGEST_COMMAND)
        document["summary"] = " ".join(f"`{words or call.tool}` fails: {error}"[:LONGEST_SUMMARY].split())
        document["problem"] = f"`{command}` failed with: {error}"
        with History.for_reading(home) as history:  # a candidate about this failure is answered by the lesson
            found = history.candidates.evidence(FAILURE, [call.tool_use_id]).items()
        document["fingerprints"] = [name for name, calls in found if call.tool_use_id in calls]
    return document


def remember_hits(home: str, calls: Sequence[str | None]) -> None:
    """Stores the call of each hit of a search; ignores a history that cannot be written."""
    with suppress(LessonsError), History.opened(home) as history:
        history.put_fact(_LAST_SEARCH, json.dumps([each or "" for each in calls]))


def hit(home: str, number: int) -> str:
    """Returns the call of the hit with this number in the last search."""
    found: list[str] = []
    if os.path.exists(paths.history_file(home)):
        with History.for_reading(home) as history:
            found = json.loads(history.fact(_LAST_SEARCH) or "[]")
    if not 1 <= number <= len(found):
        shown = f"the last search has {len(found)} hits" if found else "run `lessons search` first"
        raise NotFound(f"No hit {number}: {shown}.")
    if not found[number - 1]:
        raise Refused(f"Hit {number} is a prompt, not a call: write the rule, `lessons add COMMAND TEXT`.")
    return found[number - 1]


def _record(triggers: Document) -> Document:
    return {"summary": "", "problem": "", "solution": "", "triggers": triggers}
