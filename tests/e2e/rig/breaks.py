"""The ways in which an installed hook may be broken; each takes a world whose hook is in place."""

from collections.abc import Callable

from tests.e2e.rig.chat_world import ChatWorld


def _entry_gone(world: ChatWorld) -> None:
    text = world.hook_file.read_text()
    assert "entry.py" in text
    world.hook_file.write_text(text.replace("entry.py", "gone.py"))


def _home_cannot_be_written(world: ChatWorld) -> None:
    text = world.hook_file.read_text()
    world.hook_file.write_text(text.replace(str(world.data), "/dev/null/none"))


def _python_gone(world: ChatWorld) -> None:
    _python(world, "true")
    (world.home / "python").unlink()


def _manifest_damaged(world: ChatWorld) -> None:
    (world.data / "lesson-manifest.json").write_text("{")


def _python(world: ChatWorld, body: str) -> None:
    """In the place of the interpreter stands a program that does this."""
    program = world.home / "python"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    text = world.hook_file.read_text()
    path = text.partition("python='")[2].partition("'")[0]
    assert path
    world.hook_file.write_text(text.replace(f"python='{path}'", f"python='{program}'"))


def _instead(body: str) -> Callable[[ChatWorld], None]:
    return lambda world: _python(world, body)


BREAKS: dict[str, Callable[[ChatWorld], None]] = {
    "interpreter missing": _python_gone,
    "script missing": _entry_gone,
    "exit 1": _instead("exit 1"),
    "exit 2": _instead("echo why >&2; exit 2"),
    "killed": _instead("kill -9 $$"),
    "garbage": _instead("head -c 3000 /dev/urandom"),
    "half an answer": _instead("printf '{\"permissionDecision\":'"),
    "hangs": _instead("exec sleep 60"),
    "data home cannot be written": _home_cannot_be_written,
    "manifest damaged": _manifest_damaged,
}
