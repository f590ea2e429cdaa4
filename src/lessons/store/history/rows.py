"""The rows that one stretch of a transcript adds to the history, in a form that can be sent between processes."""

import msgspec


class RecordOrigin(msgspec.Struct, array_like=True, gc=False):
    """Which record of which session a row comes from."""

    uuid: str
    session_id: str
    agent_id: str
    project: str
    time: str
    segment: int
    position: int
    copied: bool


class Call(msgspec.Struct, array_like=True, gc=False):
    origin: RecordOrigin
    tool_use_id: str
    message_id: str
    block: int
    sidechain: bool
    cwd: str
    branch: str
    model: str
    version: str
    tool: str
    program: str
    subcommand: str
    command: str
    path: str
    arguments: str
    hides_exit: bool


class Result(msgspec.Struct, array_like=True, gc=False):
    session_id: str
    tool_use_id: str
    outcome: str
    exit_code: int | None
    error: str
    error_fingerprint: str
    suspicious: bool
    ended: str
    uuid: str
    task_id: str
    by_hook: bool = False  # a hook denied the call


class TaskEndRow(msgspec.Struct, array_like=True, gc=False):
    """The result of a call that continued in the background."""

    session_id: str
    task_id: str
    tool_use_id: str
    outcome: str
    exit_code: int | None
    error: str
    error_fingerprint: str
    ended: str


class Interrupt(msgspec.Struct, array_like=True, gc=False):
    """The message in which a person stopped the agent."""

    session_id: str
    message_id: str


class Prompt(msgspec.Struct, array_like=True, gc=False):
    origin: RecordOrigin
    key: int
    branch: str
    text: str
    sureness: str


class HookContext(msgspec.Struct, array_like=True, gc=False):
    origin: RecordOrigin
    key: int
    tool_use_id: str
    event: str
    name: str
    text: str


class MessageRow(msgspec.Struct, array_like=True, gc=False):
    """What is known of one message of a model; everything but its place is a maximum over its records."""

    message_id: str
    session_id: str
    agent_id: str
    project: str
    time: str
    copied: bool
    model: str
    request_id: str
    stop_reason: str
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int


class StopHooks(msgspec.Struct, array_like=True, gc=False):
    origin: RecordOrigin
    key: int
    hooks: int
    errors: str
    commands: str
    milliseconds: str
    prevented: bool
    stop_reason: str


class TagRow(msgspec.Struct, array_like=True, gc=False):
    """A tag of the agent, or the withdrawal of one.

    A withdrawal has no fingerprint; its fields say which tag it withdraws, if not the last.
    """

    origin: RecordOrigin
    key: int
    message_id: str
    number: int
    fields: str
    fingerprint: str


class DiagnosisRow(msgspec.Struct, array_like=True, gc=False):
    """What the agent wrote between a failed call and its next call."""

    origin: RecordOrigin
    key: int
    tool_use_id: str  # of the failed call
    number: int  # of the text in its record
    text: str


class SessionRow(msgspec.Struct, array_like=True, gc=False):
    """What a batch says about its session as a whole."""

    session_id: str
    project: str
    first_time: str
    last_time: str
    title: str
    title_rank: str


class SegmentRow(msgspec.Struct, array_like=True, gc=False):
    """Where a segment begins, and with which boundary."""

    number: int
    key: str
    boundary_uuid: str
    start: int


class ReadTally(msgspec.Struct, array_like=True, gc=False):
    records: int = 0
    malformed: int = 0
    unknown_types: dict[str, int] = msgspec.field(default_factory=dict)
    left_out: int = 0  # records that the user excluded from the history


class FileState(msgspec.Struct, array_like=True, gc=False):
    """A file before it was read: if equal later, it has not changed."""

    inode: int
    size: int
    modified: int


class Batch(msgspec.Struct, array_like=True, gc=False, kw_only=True):
    """All rows of one stretch, written in one transaction with the new offset of the file."""

    start: int
    end: int  # after the last newline of the stretch
    head: bytes = b""
    tail: bytes = b""
    memory: str = ""
    state: FileState | None = None  # set in the last batch of a file
    modified: int = 0  # when the file was last written before it was read, in nanoseconds
    failed: list[tuple[int, str]] = msgspec.field(default_factory=list)  # segments with a record without rows, and why
    withheld: bool = False  # nothing of the file may be stored so far, not even its name
    calls: list[Call] = msgspec.field(default_factory=list)
    results: list[Result] = msgspec.field(default_factory=list)
    task_ends: list[TaskEndRow] = msgspec.field(default_factory=list)
    interrupts: list[Interrupt] = msgspec.field(default_factory=list)
    prompts: list[Prompt] = msgspec.field(default_factory=list)
    contexts: list[HookContext] = msgspec.field(default_factory=list)
    withdrawn: list[int] = msgspec.field(default_factory=list)  # keys of queued prompts that arrived or were withdrawn
    messages: list[MessageRow] = msgspec.field(default_factory=list)
    stop_hooks: list[StopHooks] = msgspec.field(default_factory=list)
    tags: list[TagRow] = msgspec.field(default_factory=list)
    diagnoses: list[DiagnosisRow] = msgspec.field(default_factory=list)
    sessions: dict[str, SessionRow] = msgspec.field(default_factory=dict)
    segments: list[SegmentRow] = msgspec.field(default_factory=list)
    known: list[int] = msgspec.field(default_factory=list)
    damaged: list[tuple[int, int]] = msgspec.field(default_factory=list)
    tally: ReadTally = msgspec.field(default_factory=ReadTally)
    unfinished: ReadTally = msgspec.field(default_factory=ReadTally)  # of a last line without a newline yet
