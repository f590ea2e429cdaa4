"""The calls of the operating system and its environment, without the cost of importing `os`."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os as system
    from typing import Any
else:
    try:
        import posix as system
    except ImportError:  # not a POSIX system
        import os as system

__all__ = ["environment", "environment_of_child", "system"]


def environment(name: str) -> str:
    """One environment variable as text; unset and empty are the same."""
    value: str | bytes | None = system.environ.get(name)
    if value is None:
        # `posix` keeps the environment as bytes, `os` as text.
        value = system.environ.get(name.encode())  # type: ignore[call-overload]
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return value or ""


def environment_of_child(name: str, value: str) -> "Any":
    """The whole environment with one variable changed, in the form that a new process takes."""
    changed: dict[Any, Any] = {**system.environ}
    if any(isinstance(key, bytes) for key in changed):
        changed[name.encode()] = value.encode("utf-8", "surrogateescape")
    else:
        changed[name] = value
    return changed
