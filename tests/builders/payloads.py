"""A call or an event in, Claude Code's payload for a hook's stdin out; all values invented."""

Payload = dict[str, object]

SESSION = "0d1e2f3a-4b5c-4d6e-8f70-112233445566"
AGENT_ID = "a0123456789abcdef"
FOLDER = "/home/somebody/shop"


def _common(event: str, session: str, cwd: str) -> Payload:
    return {
        "session_id": session,
        "transcript_path": f"/home/somebody/.claude/projects/-home-somebody-shop/{session}.jsonl",
        "cwd": cwd,
        "hook_event_name": event,
    }


def pre_tool_use(tool: str, arguments: object, session: str = SESSION, cwd: str = FOLDER) -> Payload:
    """Any tool about to run, with whatever arguments."""
    return {
        **_common("PreToolUse", session, cwd), "prompt_id": "99aabbcc-ddee-4f00-9122-334455667788",
        "permission_mode": "default", "effort": {"level": "medium"}, "tool_name": tool, "tool_input": arguments,
        "tool_use_id": "toolu_invented_0001",
    }  # fmt: skip


def bash(command: str, session: str = SESSION, cwd: str = FOLDER) -> Payload:
    return pre_tool_use("Bash", {"command": command, "description": "one step"}, session, cwd)


def edit(path: str, new: str = "total = 2", old: str = "total = 1") -> Payload:
    arguments = {"file_path": path, "old_string": old, "new_string": new, "replace_all": False}
    return pre_tool_use("Edit", arguments)


def write(path: str, content: str = "total = 1\n") -> Payload:
    return pre_tool_use("Write", {"file_path": path, "content": content})


def read(path: str) -> Payload:
    return pre_tool_use("Read", {"file_path": path})


def glob(pattern: str) -> Payload:
    return pre_tool_use("Glob", {"pattern": pattern})


def mcp(arguments: object, server: str = "tracker", tool: str = "create_ticket") -> Payload:
    payload = pre_tool_use(f"mcp__{server}__{tool}", arguments)
    return {**payload, "mcp_server": {"name": server, "source": "project"}}


def in_subagent(payload: Payload, agent_id: str = AGENT_ID) -> Payload:
    """The same call by a subagent: it shares the session of its parent."""
    return {**payload, "agent_id": agent_id, "agent_type": "general-purpose"}


def failure(payload: Payload, error: str, is_interrupt: bool = False) -> Payload:
    """The same call after it has failed."""
    event = {"hook_event_name": "PostToolUseFailure", "error": error, "is_interrupt": is_interrupt, "duration_ms": 12}
    return {**payload, **event}


def session_start(source: str, session: str = SESSION, model: str = "", cwd: str = FOLDER) -> Payload:
    """`source` is startup, resume, fork, clear or compact."""
    payload = {**_common("SessionStart", session, cwd), "source": source}
    if source in ("resume", "fork"):
        payload |= {
            "seconds_since_last_response": 3,
            "context_tokens": 12000,
            "prompt_cache_likely_expired": False,
            "estimated_cache_write_usd": 0.06,
        }
    if source == "compact":
        payload["prompt_id"] = "99aabbcc-ddee-4f00-9122-334455667788"
    return {**payload, "model": model} if model else payload


def pre_compact(session: str = SESSION, cwd: str = FOLDER, trigger: str = "auto") -> Payload:
    return {**_common("PreCompact", session, cwd), "trigger": trigger, "custom_instructions": None}


def stop(session: str = SESSION, cwd: str = FOLDER) -> Payload:
    told = {"stop_hook_active": False, "last_assistant_message": "Done.", "background_tasks": [], "session_crons": []}
    return {**_common("Stop", session, cwd), "permission_mode": "default", **told}


def session_end(session: str = SESSION, cwd: str = FOLDER, reason: str = "other") -> Payload:
    return {**_common("SessionEnd", session, cwd), "reason": reason}


def post_tool_use(command: str, session: str = SESSION, cwd: str = FOLDER) -> Payload:
    """A shell command after it has run."""
    response = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    event = {"hook_event_name": "PostToolUse", "tool_response": response, "duration_ms": 12}
    return {**bash(command, session, cwd), **event}


def with_transcript(payload: Payload, file: object) -> Payload:
    return {**payload, "transcript_path": str(file)}


def subagent_start(agent_id: str = AGENT_ID, session: str = SESSION) -> Payload:
    return in_subagent(
        {**_common("SubagentStart", session, FOLDER), "prompt_id": "99aabbcc-ddee-4f00-9122-334455667788"}, agent_id
    )
