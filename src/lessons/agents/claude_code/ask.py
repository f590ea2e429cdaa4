"""Asks Claude Code one question: headless, without tools, hooks, servers and a transcript."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from lessons.errors import Refused
from lessons.plain import quoted

_PROGRAM = "claude"
_SETTINGS = json.dumps({"disableAllHooks": True})
# Set inside a session of the client: the question must run in its own session.
_OF_A_SESSION = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SSE_PORT")


def ask(prompt: str, schema: dict[str, object], seconds: float) -> str:
    program = shutil.which(_PROGRAM)
    if program is None:
        raise Refused("Claude Code is not installed: no `claude` on PATH. Use --export and --answers instead.")
    # An empty folder: no project instructions are read, and no files are accessible.
    with _ended_like_an_interrupt(), tempfile.TemporaryDirectory(prefix="lessons-refine-") as folder:
        return _answer(_run([program, *_arguments(schema)], prompt, folder, seconds))


def _arguments(schema: dict[str, object]) -> list[str]:
    return [
        "--print",
        *("--output-format", "json"),
        *("--json-schema", json.dumps(schema)),
        *("--tools", ""),
        "--strict-mcp-config",
        "--disable-slash-commands",
        "--no-session-persistence",
        *("--settings", _SETTINGS),
    ]


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in _OF_A_SESSION}
    return {**kept, "LESSONS_DISABLE": "1"}


@contextmanager
def _ended_like_an_interrupt() -> Iterator[None]:
    """Turns a kill, or a closed terminal, into an exception, so that nothing is left behind."""
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    usual = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in usual:
        signal.signal(number, _leave)
    try:
        yield
    finally:
        for number in usual:
            signal.signal(number, signal.SIG_DFL)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _run(command: list[str], prompt: str, folder: str, seconds: float) -> tuple[int, str, str]:
    """Runs the client; afterwards it and all its children are gone, whatever ended the wait."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=_environment(),
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        out, error = process.communicate(prompt, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Refused(
            f"Claude Code did not answer within {seconds:g} seconds: try again, or give more --seconds."
        ) from None
    finally:
        _end(process)
    return process.returncode, out, error


def _end(process: "subprocess.Popen[str]") -> None:
    if process.poll() is not None:
        return
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.communicate()


def _answer(done: tuple[int, str, str]) -> str:
    code, out, error = done
    try:
        document = json.loads(out)
    except (ValueError, RecursionError):
        words = (error.strip() or out).strip()
        reason = quoted(words) if words else f"exit code {code}"
        raise Refused(f"Claude Code gave no answer: {reason}.") from None
    result = document if isinstance(document, dict) else {}
    if result.get("is_error") or code:
        raise Refused(
            f"Claude Code gave no answer: {quoted(str(result.get('result') or error or f'exit code {code}'))}."
        )
    structured = result.get("structured_output")
    return json.dumps(structured) if structured is not None else str(result.get("result") or "")
