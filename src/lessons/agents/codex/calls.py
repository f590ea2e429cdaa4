"""The tools of Codex under the names that all agents share, with arguments of the same form."""

import msgspec

from lessons.agents.long_text import anything_of, first_byte, start_of
from lessons.match.call import command_of

Arguments = dict[object, object]

_MOST_INPUT_CHARACTERS = 1 << 20
_SHELLS = frozenset(("exec_command", "shell", "local_shell", "shell_command", "container.exec", "local_shell_call"))
_PATCH = "apply_patch"
_POLL = "write_stdin"
_ADD, _MARKS = "*** Add File: ", ("*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: ")


def named(name: str, namespace: str) -> str:
    """Adds the server's name to a server's tool; the client's own tools keep their name."""
    return f"{namespace}__{name}" if namespace.startswith("mcp__") else name


def canonical(tool: str, arguments: Arguments) -> tuple[str, Arguments]:
    """Renames a shell to Bash, a patch to Edit, or to Write if it only adds files."""
    if tool in _SHELLS:
        words = arguments.get("command")
        if isinstance(words, list) and len(words) == 2 and words[0] == _PATCH and isinstance(words[1], str):
            return patched(words[1])
        kept = {key: value for key, value in arguments.items() if key not in ("cmd", "command")}
        return "Bash", {"command": command_of(arguments) or "", **kept}
    if tool == _PATCH:
        patch = arguments.get("input", arguments.get("patch"))
        return patched(patch if isinstance(patch, str) else "")
    return tool, arguments


def patched(patch: str) -> tuple[str, Arguments]:
    """Returns what a patch touches, adds and removes."""
    paths, added, removed = dict[str, None](), list[str](), list[str]()
    only_adds = True
    for line in patch.split("\n"):
        if line.startswith("+"):
            added.append(line[1:])
        elif line.startswith("-"):
            removed.append(line[1:])
        elif line.startswith(_MARKS):
            paths[line.partition(": ")[2].strip()] = None
            only_adds = only_adds and line.startswith(_ADD)
    files: Arguments = {"file_path": next(iter(paths), "")}
    if len(paths) > 1:
        files["paths"] = list(paths)[1:]
    if paths and only_adds:
        return "Write", {**files, "content": "\n".join(added)}
    return "Edit", {**files, "old_string": "\n".join(removed), "new_string": "\n".join(added)}


def arguments_of(given: msgspec.Raw, written: msgspec.Raw) -> Arguments:
    """Returns a function's decoded JSON string, or the text of a tool that takes text; only the start of very long
    ones.
    """
    if first_byte(written) == b'"':
        return {"input": start_of(written, _MOST_INPUT_CHARACTERS)}
    found: object = {}
    try:
        if first_byte(given) == b'"' and len(memoryview(given)) <= 2 * _MOST_INPUT_CHARACTERS:
            found = anything_of(start_of(given, 2 * _MOST_INPUT_CHARACTERS).encode())
        elif first_byte(given) == b"{" and len(memoryview(given)) <= _MOST_INPUT_CHARACTERS:
            found = anything_of(given)
    except msgspec.MsgspecError:  # the model wrote something else
        return {"input": start_of(given, _MOST_INPUT_CHARACTERS)}
    return found if isinstance(found, dict) else {}


def folder_of(arguments: Arguments) -> str:
    """Returns the working folder of a shell call, if it is an absolute path."""
    folder = arguments.get("workdir", arguments.get("working_directory"))
    return folder if isinstance(folder, str) and folder.startswith("/") else ""


def polled_process(tool: str, arguments: Arguments) -> str:
    """Returns the process that a call polls."""
    return str(arguments.get("session_id") or "") if tool == _POLL else ""
