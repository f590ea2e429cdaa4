"""A tool's name as an agent spells it in, the names a lesson may use for it out."""

# No two agents use the same spelling for different tools.
_SPELLINGS = {
    "Agent": "Task task agent spawn_agent collaborationspawn_agent invoke_agent",
    "Bash": (
        "PowerShell Shell bash powershell shell local_shell exec_command run_shell_command run_commands run_command"
        " execute_command execute_bash"
    ),
    "Edit": ("edit editor MultiEdit replace replace_in_file str_replace str_replace_editor StrReplace apply_patch"),
    "Glob": "glob find_files list_files list_directory",
    "Grep": "grep rg grep_search",
    "NotebookEdit": "notebook_edit",
    "Read": "read view read_file read_files read_many_files fs_read",
    "WebFetch": "webfetch web_fetch",
    "WebSearch": "websearch web_search",
    "Write": "write create write_file write_to_file fs_write",
}
_CANONICAL = {name: canonical for canonical, names in _SPELLINGS.items() for name in names.split()}


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
