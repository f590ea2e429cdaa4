"""A patch in the arguments of a tool: the files that it touches."""

from collections.abc import Mapping

from lessons.match.call import ToolCall

_PATCH_TOOLS = ("apply_patch", "patch")


def with_path(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """Returns the arguments; for a patch with its first file as `path`."""
    given = dict(arguments)
    if tool in _PATCH_TOOLS and "path" not in given:
        texts = [value for value in given.values() if isinstance(value, str)]
        found = [path for each in texts for path in ToolCall("apply_patch", {"patch": each}).paths]
        return {**given, "path": found[0]} if found else given
    return given
