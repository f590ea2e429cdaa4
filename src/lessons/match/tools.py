"""A tool's name as an agent spells it in, the names a lesson may use for it out."""

# One flat table: no two agents use the same spelling for different tools.
_CANONICAL = {
    # shell
    "PowerShell": "Bash",
    "Shell": "Bash",
    "bash": "Bash",
    "powershell": "Bash",
    "shell": "Bash",
    "local_shell": "Bash",
    "exec_command": "Bash",
    "run_shell_command": "Bash",
    "run_commands": "Bash",
    "run_command": "Bash",
    "execute_command": "Bash",
    "execute_bash": "Bash",
    # read
    "read": "Read",
    "view": "Read",
    "read_file": "Read",
    "read_files": "Read",
    "read_many_files": "Read",
    "fs_read": "Read",
    # write
    "write": "Write",
    "create": "Write",
    "write_file": "Write",
    "write_to_file": "Write",
    "fs_write": "Write",
    # edit
    "edit": "Edit",
    "editor": "Edit",
    "MultiEdit": "Edit",
    "replace": "Edit",
    "replace_in_file": "Edit",
    "str_replace": "Edit",
    "str_replace_editor": "Edit",
    "StrReplace": "Edit",
    "apply_patch": "Edit",
    "notebook_edit": "NotebookEdit",
    # search and find
    "grep": "Grep",
    "rg": "Grep",
    "grep_search": "Grep",
    "glob": "Glob",
    "find_files": "Glob",
    "list_files": "Glob",
    "list_directory": "Glob",
    # agents and the web
    "Task": "Agent",
    "task": "Agent",
    "agent": "Agent",
    "spawn_agent": "Agent",
    "collaborationspawn_agent": "Agent",
    "invoke_agent": "Agent",
    "webfetch": "WebFetch",
    "web_fetch": "WebFetch",
    "websearch": "WebSearch",
    "web_search": "WebSearch",
}


def canonical_name(name: str) -> str:
    """Returns the Claude Code name of a tool; a tool unknown to it keeps its own name."""
    if name.startswith("search_"):
        return "Grep"
    if name.startswith("@") and "/" in name:
        server, _, tool = name[1:].partition("/")
        return f"mcp__{server}__{tool}"
    return _CANONICAL.get(name, name)


def known_names(name: str) -> tuple[str, ...]:
    """Returns every name by which a lesson's `toolNames` may mean this tool, the canonical one first."""
    canonical = canonical_name(name)
    if name == "apply_patch":
        # One Codex tool does the work of Write and Edit.
        return ("Edit", "Write", name)
    if name == "powershell":
        return ("Bash", "PowerShell", name)
    if canonical == "NotebookEdit":
        return ("NotebookEdit", "Edit", name)
    if name == canonical:
        return (name,)
    return (canonical, name)


def meant_names(names: list[str]) -> tuple[str, ...]:
    """Returns the tools that a lesson's `toolNames` mean: other agents' spellings count as the canonical name too."""
    meant = dict.fromkeys(names)
    # PowerShell is a separate tool for a lesson: its rules do not apply to every shell.
    for name in names:
        meant["PowerShell" if name == "powershell" else name if name == "PowerShell" else canonical_name(name)] = None
    return tuple(meant)
