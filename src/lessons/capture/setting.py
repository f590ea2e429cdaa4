"""What a transcript states once for all later records: session, folder, model, polled tasks."""

import msgspec

from lessons.agents.base import Line, Record
from lessons.agents.events import Called, Prompted, Returned, Setting, TaskEnded
from lessons.agents.outcomes import Sureness, Verdict
from lessons.capture.memory import Memory
from lessons.redact.texts import clean_name

_MOST_ASKED = 64
_LASTING = ("cwd", "branch", "version", "model")


def placed(record: Record, memory: Memory) -> Record:
    """Returns the record completed with what its line does not say itself.

    What it names is remembered even if the user excluded it: it may exclude the following records from the history.
    """
    for event in record.events:
        if type(event) is Setting:
            _take(memory, event)
    setting, line = memory.setting, record.line
    if setting is None and line.cwd:
        memory.here = clean_name(line.cwd)
    elif setting is not None and record.events:
        line = _completed(line, setting)
        record = msgspec.structs.replace(record, line=line)
    memory.first_cwd = memory.first_cwd or clean_name(line.cwd)
    memory.session_id = memory.session_id or line.session_id
    memory.time = line.time or memory.time
    return record


def folder_of(line: Line, memory: Memory) -> str:
    """Returns the folder of a record: its own, else the one that the transcript named last."""
    named = memory.setting.cwd if memory.setting else memory.here
    return line.cwd or named or memory.first_cwd


def asked(called: Called, memory: Memory) -> Called:
    """Returns the call with its model; remembers a call that polls a task until its result."""
    if called.task_id:
        memory.asked_after[called.tool_use_id] = called.task_id
        while len(memory.asked_after) > _MOST_ASKED:
            del memory.asked_after[next(iter(memory.asked_after))]
    if memory.setting is None or called.model:
        return called
    return msgspec.structs.replace(called, model=memory.setting.model)


def sureness(prompt: Prompted, memory: Memory) -> Sureness:
    """Returns the certainty that a person typed it: "no" for scripts and other agents."""
    return prompt.sureness if memory.setting is None or memory.setting.typed else "no"


def _take(memory: Memory, new: Setting) -> None:
    """Only the first owner counts: a file that copies the start of another repeats that file's owner."""
    new = msgspec.structs.replace(new, **{name: clean_name(getattr(new, name)) for name in _LASTING})
    old = memory.setting
    if old is None:
        memory.setting = new
    elif not (old.session_id and new.session_id):
        named = {name: value for name in _LASTING if (value := getattr(new, name))}
        owner = new if new.session_id else old
        memory.setting = msgspec.structs.replace(
            old,
            session_id=owner.session_id,
            agent_id=owner.agent_id,
            sidechain=owner.sidechain,
            typed=owner.typed,
            **named,
        )


def _completed(line: Line, setting: Setting) -> Line:
    """Returns the line completed with what it does not say itself."""
    return msgspec.structs.replace(
        line,
        session_id=line.session_id or setting.session_id,
        agent_id=line.agent_id or setting.agent_id,
        sidechain=line.sidechain or setting.sidechain,
        cwd=line.cwd or setting.cwd,
        branch=line.branch or setting.branch,
        version=line.version or setting.version,
    )


def ended_task(memory: Memory, returned: Returned, is_final: bool) -> tuple[Returned, TaskEnded | None]:
    """Assigns the result of a polling call to its task; the call itself succeeded.

    An unfinished line will be read again, so the call must still be known then.
    """
    task = memory.asked_after.get(returned.tool_use_id, "")
    if not task:
        return returned, None
    if is_final:
        del memory.asked_after[returned.tool_use_id]
    verdict = returned.verdict
    if verdict.outcome != "unknown" and verdict.exit_code is None:
        return returned, None
    end = None if verdict.outcome == "unknown" else TaskEnded(task, "", verdict, returned.text)
    return Returned(returned.tool_use_id, Verdict("ok", None), ""), end
