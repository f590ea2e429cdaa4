"""A tool's name and input in, the call as triggers see it out."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.match.state import Probe
    from lessons.shell.command import Command


_PATH_KEYS = ("file_path", "notebook_path", "path", "filePath", "absolute_path", "relative_path", "dir_path")
_CONTENT_KEYS = (
    "content", "new_string", "new_source", "newString", "new_str", "file_text", "replacement", "newText",
)  # fmt: skip
_SHELLS = ("bash", "sh", "zsh", "dash", "ksh")
_PATCH_KEYS = ("command", "input", "patch", "patchText")
_PATCH_FILE_MARKS = ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")
_SYSTEM_NAMES = {"darwin": "macos", "mac": "macos", "osx": "macos", "win32": "windows", "cygwin": "windows"}
# A hostile payload may nest or repeat endlessly; no real tool has so many arguments.
_DEEPEST = 6
_MOST_STRINGS = 500


class ToolCall:
    """One call of a tool; `error` is set if the call has already failed with that text."""

    __slots__ = (
        "_invocations", "_places", "_probe", "_scripts", "agent", "agent_id", "arguments", "command", "content", "cwd",
        "error", "is_shell", "make_probe", "model", "names", "operating_system", "paths", "session", "shell",
        "tool_use_id",
    )  # fmt: skip

    def __init__(
        self,
        tool: str,
        tool_input: object,
        *,
        agent: str = "",
        session: str = "",
        agent_id: str = "",
        tool_use_id: str = "",
        cwd: str = "",
        error: str | None = None,
        model: str = "",
        operating_system: str = "",
        shell: str = "",
    ) -> None:
        arguments: dict[object, object] = tool_input if isinstance(tool_input, dict) else {}
        self.names = known_names(tool)
        self.is_shell = self.names[0] == "Bash"
        self.command = command_of(arguments) if self.is_shell else None
        self.paths: tuple[str, ...]
        self.content: str | None
        if tool == "apply_patch":
            self.paths, self.content = _patch_parts(arguments, cwd)
        else:
            self.paths, self.content = paths_of(arguments, cwd), _content_of(arguments)
        self.arguments = arguments
        self.agent = agent
        self.session = session
        self.agent_id = agent_id
        self.tool_use_id = tool_use_id
        self.cwd = cwd
        # Windows programs end lines in two characters; a pattern that ends in `$` means the line end.
        self.error = error.replace("\r\n", "\n") if error else error
        self.model = model
        self.operating_system, self.shell = operating_system, shell
        self.make_probe: Callable[[], Probe] | None = None
        self._probe: Probe | None = None
        self._invocations: list[list[str]] | None = None
        self._scripts: list[str] | None = None
        self._places: list[Command] | None = None

    @property
    def strings(self) -> tuple[str, ...]:
        """Every string in the arguments, for tools other than shells; few lessons need them."""
        return () if self.is_shell else tuple(_strings_in(self.arguments))

    @property
    def dialect(self) -> str:
        """The dialect of its line: "powershell", or empty for all other shells."""
        return "powershell" if "PowerShell" in self.names else ""

    def invocations(self) -> list[list[str]]:
        """Returns the simple commands of a shell call; splits once for all lessons."""
        if self._invocations is None:
            from lessons.shell.fast import simple_invocations

            simple = None if self.dialect else simple_invocations(self.command or "")
            self._invocations = self._split() if simple is None else simple
        return self._invocations

    def _split(self) -> list[list[str]]:
        from lessons.shell.split import invocations  # few of the relevant lines need it

        return invocations(self.command or "", self.dialect)

    def scripts(self) -> list[str]:
        """Returns the code that a shell call passes to interpreters."""
        if self._scripts is None:
            from lessons.shell.split import scripts_in

            self._scripts = scripts_in(self.command or "", self.dialect)
        return self._scripts

    @property
    def probe(self) -> "Probe | None":
        """Answers about files and programs; without a probe all answers are unknown."""
        if self._probe is None and self.make_probe:
            self._probe = self.make_probe()
        return self._probe

    @probe.setter
    def probe(self, probe: "Probe | None") -> None:
        self._probe = probe

    @property
    def folder(self) -> str:
        """The folder the call starts in, with forward slashes; empty if unknown."""
        folder = comparable(self.cwd) if "\\" in self.cwd else self.cwd
        return folder.rstrip("/") or "/" if folder[:1] == "/" or folder[1:3] == ":/" else ""

    def places(self) -> "list[Command]":
        """Returns the simple commands of a shell call that certainly run in a known folder."""
        if self._places is None:
            from lessons.shell.places import places

            self._places = places(self.command, self.folder) if self.command else []
        return self._places

    def stays(self) -> bool:
        """Whether the whole call happens in its folder."""
        if not self.command:
            return True
        from lessons.shell.places import stays

        return stays(self.command)

    def subject(self) -> str:
        """Returns what the call is about, for texts that name it: the command, else the path, else the tool."""
        if self.command:
            return self.command
        return self.paths[0] if self.paths else self.names[-1]


def command_of(arguments: dict[object, object]) -> str | None:
    several = arguments.get("commands")
    if isinstance(several, list) and several and all(isinstance(line, str) for line in several):
        return "\n".join(several)
    command = arguments.get("command")
    if command is None:
        command = arguments.get("cmd", arguments.get("command_line"))
    if isinstance(command, str):
        return command
    if isinstance(command, list) and command and all(isinstance(word, str) for word in command):
        words: list[str] = command
        # ["bash", "-lc", "script"]: the script is what runs.
        if len(words) == 3 and words[0].rpartition("/")[2] in _SHELLS and words[1] in ("-c", "-lc"):
            return words[2]
        return " ".join(_quoted(word) for word in words)
    return None


def _quoted(word: str) -> str:
    if word and all(character.isalnum() or character in "-_./=:,@%+" for character in word):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


def paths_of(arguments: dict[object, object], cwd: str) -> tuple[str, ...]:
    found = []
    for key in _PATH_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            found.append(normal_path(value, cwd))
    several = arguments.get("paths")
    if isinstance(several, list):
        found += [normal_path(value, cwd) for value in several if isinstance(value, str) and value]
    return tuple(found)


def normal_path(path: str, cwd: str) -> str:
    """Returns a path with forward slashes and without `.` and `..`, absolute if the folder is known."""
    if "\\" in path and (is_of_windows(path) or "/" not in path):
        path = path.replace("\\", "/")
    if "\\" in cwd and is_of_windows(cwd):
        cwd = cwd.replace("\\", "/")
    if cwd and not path.startswith(("/", "~")) and path[1:2] != ":":
        path = cwd + "/" + path
    if "/." not in path and "//" not in path and not path.startswith("."):
        return path
    kept: list[str] = []
    for part in path.split("/"):
        if part == ".." and kept and kept[-1] not in ("", ".."):
            kept.pop()
        elif part != "." and (part or not kept):
            kept.append(part)
    return "/".join(kept)


def is_of_windows(path: str) -> bool:
    """Whether the path starts with a drive or a server; in other paths a backslash is an ordinary character."""
    return (path[1:2] == ":" and path[:1].isalpha()) or path.startswith("\\\\")


def comparable(path: str) -> str:
    """Unifies the spelling of a Windows path (drives ignore case, separators have two forms); others unchanged."""
    return (path[:1].lower() + path[1:]).replace("\\", "/") if is_of_windows(path) else path


def folder_key(folder: str) -> str:
    """Returns the prefix shared by the comparable paths of all files in the folder (and the folder itself with a
    slash).
    """
    return comparable(folder).rstrip("/") + "/"


def _content_of(arguments: dict[object, object]) -> str | None:
    pieces = [value for key in _CONTENT_KEYS if isinstance(value := arguments.get(key), str)]
    edits = arguments.get("edits")
    if isinstance(edits, list):
        for edit in edits:
            if isinstance(edit, dict):
                pieces += [value for key in _CONTENT_KEYS if isinstance(value := edit.get(key), str)]
    return "\n".join(pieces) if pieces else None


def _patch_parts(arguments: dict[object, object], cwd: str) -> tuple[tuple[str, ...], str | None]:
    patch = next((v for key in _PATCH_KEYS if isinstance(v := arguments.get(key), str)), "")
    paths, added = [], []
    for line in patch.split("\n"):
        if line.startswith("+"):
            added.append(line[1:])
        elif line.startswith("*** "):
            for mark in _PATCH_FILE_MARKS:
                if line.startswith(mark):
                    paths.append(normal_path(line[len(mark) :].strip(), cwd))
    return tuple(paths), "\n".join(added) if added else None


def _strings_in(arguments: object) -> list[str]:
    """Returns every string in the arguments, in order, at any depth."""
    found: list[str] = []
    waiting: list[tuple[object, int]] = [(arguments, 0)]
    while waiting and len(found) < _MOST_STRINGS:
        value, depth = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif depth < _DEEPEST and isinstance(value, dict | list):
            children = list(value.values()) if isinstance(value, dict) else value
            waiting.extend((child, depth + 1) for child in reversed(children[:_MOST_STRINGS]))
    return found


def system_name(platform: str) -> str:
    """Maps `sys.platform`, or the usual name, to the names in lessons: linux, macos, windows."""
    return _SYSTEM_NAMES.get(platform, platform)


def fold(text: str) -> str:
    """Returns the form in which texts and literals are compared.

    Lower-cases, and turns every character that IGNORECASE equates with an ASCII letter into that letter.
    """
    if text.isascii():
        return text.lower()
    # Before lower(): it would turn the dotted capital I into two characters and leave the other two unchanged. The
    # fourth such character, the Kelvin sign, already has k as its lower case.
    return text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s").lower()


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
