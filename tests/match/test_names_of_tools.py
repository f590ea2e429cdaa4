"""Tool names: which spelling a name in a lesson may mean, for every known agent."""

from lessons.match.call import canonical_name, known_names, meant_names
from tests.tables import table

# What each agent calls its tools, by the name that Claude Code has for the same.
SPELLINGS = {
    "Bash": (
        "Bash", "PowerShell", "bash", "powershell", "run_shell_command", "run_commands", "execute_command", "Shell",
        "execute_bash", "shell", "local_shell", "exec_command", "run_command",
    ),
    "Read": ("Read", "read", "view", "read_file", "read_files", "read_many_files", "fs_read"),
    "Write": ("Write", "write", "create", "write_file", "write_to_file", "fs_write", "apply_patch"),
    "Edit": (
        "Edit", "MultiEdit", "edit", "editor", "replace", "replace_in_file", "str_replace", "str_replace_editor",
        "StrReplace", "apply_patch", "NotebookEdit", "notebook_edit",
    ),
    "NotebookEdit": ("NotebookEdit", "notebook_edit"),
    "Grep": ("Grep", "grep", "rg", "grep_search", "search_files"),
    "Glob": ("Glob", "glob", "list_directory", "list_files", "find_files"),
    "Agent": ("Agent", "Task", "task", "agent", "spawn_agent", "collaborationspawn_agent", "invoke_agent"),
    "WebFetch": ("WebFetch", "webfetch", "web_fetch"),
    "WebSearch": ("WebSearch", "websearch", "web_search"),
}  # fmt: skip
CASES = [(name, spelling) for name, spellings in SPELLINGS.items() for spelling in spellings]


@table(
    ("meant", "tool"),
    [
        ("Bash", "BashOutput"),
        ("Bash", "KillShell"),
        ("Bash", "BASH"),
        ("Bash", "mcp__bash__run"),
        ("Bash", ""),
        ("Edit", "Write"),
        ("Write", "Edit"),
        ("Write", "NotebookEdit"),
        ("NotebookEdit", "Edit"),
        ("Read", "Grep"),
        ("Read", "ReadMcpResource"),
        ("Grep", "Glob"),
        ("Agent", "TaskOutput"),
        ("Agent", "mcp__agent__task"),
        ("WebFetch", "WebSearch"),
        ("PowerShell", "Bash"),
        ("mcp__tracker__create", "mcp__tracker__create_ticket"),
        ("mcp__tracker", "mcp__tracker__create"),
    ],
)
def test_one_name_never_means_another_tool(meant: str, tool: str) -> None:
    assert not set(meant_names([meant])) & set(known_names(tool))


def test_powershell_is_powershell_however_it_is_spelled() -> None:
    assert "Bash" not in meant_names(["powershell"])


@table(("name", "spelling"), CASES)
def test_every_agents_spelling_is_known_by_the_common_name(name: str, spelling: str) -> None:
    names = known_names(spelling)
    assert name in names
    assert spelling in names
    assert set(meant_names([name])) & set(names)


@table(("name", "spelling"), CASES)
def test_a_lesson_may_use_the_spelling_of_its_agent(name: str, spelling: str) -> None:
    assert set(meant_names([spelling])) & set(known_names(spelling))


def test_the_first_known_name_is_the_common_one() -> None:
    assert known_names("run_shell_command") == ("Bash", "run_shell_command")
    assert known_names("Bash") == ("Bash",)
    assert known_names("apply_patch")[0] == "Edit"
    assert known_names("frobnicate") == ("frobnicate",)


@table("tool", ["mcp__tracker__create_ticket", "mcp_tracker_create", "tracker_create", "MCP:create"])
def test_a_tool_of_a_server_keeps_its_own_name(tool: str) -> None:
    assert known_names(tool) == (tool,)
    assert meant_names([tool]) == (tool,)


def test_another_way_to_write_a_servers_tool_is_the_usual_one_too() -> None:
    assert canonical_name("@tracker/create") == "mcp__tracker__create"
    assert known_names("@tracker/create") == ("mcp__tracker__create", "@tracker/create")
    assert canonical_name("@tracker") == "@tracker"


def test_powershell_is_a_shell_but_not_every_shell_is_powershell() -> None:
    assert "Bash" in known_names("PowerShell")
    assert meant_names(["PowerShell"]) == ("PowerShell",)


def test_meant_names_keep_their_order_and_repeat_nothing() -> None:
    assert meant_names(["bash", "Bash", "mcp__a__b"]) == ("bash", "Bash", "mcp__a__b")
    assert meant_names([]) == ()
