"""The plugin's own files and a Python in, a virtual environment in the plugin's data folder that the hook uses out.

Run in the background. What is half done is never used: only the file `installation`, written last, leads to it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SECONDS_OF_A_STEP = 900
AGAIN = "The next session tries again."
NO_INDEX = "Make sure that pip can reach its package index (`pip download click` shows it)."
NO_VENV = "Install what `python3 -m venv` needs (on Debian and Ubuntu: apt install python3-venv)."
NO_ROOM = "Make room on the disk and allow writing to the folder."
REPORT = "Please report it."
# These would put the package elsewhere than into the environment made for it.
ELSEWHERE = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PIP_PYTHON")
DATA_HOME = "from lessons import paths; print(paths.data_home())"
WRITE_BUNDLE = "from lessons.hook import bundle; bundle.refresh()"


class Failed(Exception):
    """Why it is not installed, and what to do about it, in sentences for a person."""


@dataclass(frozen=True)
class Installation:
    """The lines of the file that hook.sh and bin/lessons read."""

    version: str
    python: str
    entry: str
    own_python: str
    home: str

    def lines(self) -> str:
        return "".join(f"{line}\n" for line in (self.version, self.python, self.entry, self.own_python, self.home))


def main(python: str, environment: Mapping[str, str]) -> int:
    root, data = Path(environment["CLAUDE_PLUGIN_ROOT"]), Path(environment["CLAUDE_PLUGIN_DATA"])
    _belong_to_nobody()
    try:
        data.mkdir(parents=True, exist_ok=True)
        with _alone(data / "setup.lock") as alone:
            return _set_up(root, data, python, environment) if alone else 0
    except OSError as error:
        _note_failure(data, f"{error.strerror or error} ({error.filename}). {NO_ROOM}")
    except Exception as error:  # nobody sees what is printed here
        _note_failure(data, f"{type(error).__name__}: {error}. {REPORT}")
    return 1


def _set_up(root: Path, data: Path, python: str, environment: Mapping[str, str]) -> int:
    version = plugin_version(root)
    present = read_installation(data)
    if present and present.version == version and answers(present):
        return 0  # another session was quicker
    _remove_others(data, present)
    folder = data / "versions" / f"{version}-{time.time_ns():x}"
    try:
        with open(data / "setup.log", "w", encoding="utf-8") as log:
            steps = _Steps(log.name, _environment(environment))
            installation = _install(steps, package_source(root, data), folder, python, version)
        _replace(data / "installation", installation.lines())
        for name in ("failed", "told"):
            (data / name).unlink(missing_ok=True)
    except Failed as failed:
        shutil.rmtree(folder, ignore_errors=True)
        _note_failure(data, str(failed))
        return 1
    return 0


def _install(steps: "_Steps", source: Path, folder: Path, python: str, version: str) -> Installation:
    steps.run([python, "-I", "-m", "venv", str(folder)], NO_VENV)
    own = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [str(own), "-I", "-m", "pip", "install", "--no-input", "--no-user", "--disable-pip-version-check"]
    steps.run([*pip, str(source)], NO_INDEX)
    steps.run([str(own), "-I", "-c", WRITE_BUNDLE], "")
    entry = steps.run([str(own), "-I", "-c", "import lessons.hook as hook; print(hook.__path__[0])"], "")
    home = steps.run([str(own), "-I", "-c", DATA_HOME], "", LESSONS_HOME="")
    installation = Installation(version, python, f"{entry}/entry.py", str(own), home)
    if installation.lines().count("\n") != 5:
        raise Failed("A path has a line break in it, which the hook cannot read. Choose another folder.")
    if not answers(installation):
        raise Failed("What was installed does not answer. Please report it with the log.")
    steps.run([str(own), "-I", "-m", "lessons", "build", "--quiet"], None)
    return installation


class _Steps:
    """Runs one program after the other, and keeps what they say."""

    def __init__(self, log: str, environment: dict[str, str]) -> None:
        self.log, self.environment = log, environment

    def run(self, command: list[str], remedy: str | None, **variables: str) -> str:
        """What the program printed; where it fails, its last words and the remedy are raised (None: never mind)."""
        environment = {**self.environment, **variables}
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
                timeout=SECONDS_OF_A_STEP,
            )
            said, code = done.stdout.decode("utf-8", "replace").strip(), done.returncode
        except subprocess.TimeoutExpired:
            said, code = f"{command[0]} took more than {SECONDS_OF_A_STEP} seconds", 1
        with open(self.log, "a", encoding="utf-8", errors="replace") as log:
            log.write(f"$ {' '.join(command)}\n{said}\n")
        if code and remedy is not None:
            reason = telling_line(said) or f"exit code {code}"
            raise Failed(f"{reason.rstrip('.')}. {remedy}")
        return said


def telling_line(said: str) -> str:
    """The last line that speaks of an error, else the last one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if "ERROR: " in line or "Error: " in line]
    return [*lines[-1:], *errors][-1] if lines else ""


def plugin_version(root: Path) -> str:
    """As start.sh reads it."""
    for line in (root / ".claude-plugin" / "plugin.json").read_text("utf-8").splitlines():
        if '"version": "' in line:
            return line.split('"version": "')[1].split('"')[0]
    raise OSError(0, "There is no version", "plugin.json")


def package_source(root: Path, data: Path) -> Path:
    """The plugin's own folder; where its links were checked out as plain files, the repository that they led to."""
    marketplace = data.parents[1] / "marketplaces" / "lessons"
    for folder in (root, root.parent, marketplace):
        if (folder / "src" / "lessons" / "__init__.py").is_file() and (folder / "pyproject.toml").is_file():
            return folder
    raise Failed("The plugin's folder is not whole. Install the plugin again.")


def read_installation(data: Path) -> Installation | None:
    try:
        lines = (data / "installation").read_text("utf-8", "surrogateescape").split("\n")
        return Installation(*lines[:5]) if len(lines) == 6 else None
    except OSError:
        return None


def answers(installation: Installation) -> bool:
    """Whether its hook greets a session, and its command line starts."""
    with tempfile.TemporaryDirectory(prefix="lessons-setup-") as folder:
        asked = {"LESSONS_LESSON_PROTOCOL": "always"}  # otherwise the start of a session without lessons is silent
        environment = {**os.environ, "LESSONS_HOME": folder, "LESSONS_DISABLE": "", "TMPDIR": folder, **asked}
        hook = [installation.python, "-I", "-S", installation.entry, "SessionStart"]
        version = [installation.own_python, "-I", "-m", "lessons", "--version"]
        try:
            for command in (hook, version):
                done = subprocess.run(
                    command, input=b'{"source":"startup"}', capture_output=True, env=environment, timeout=60
                )
                if done.returncode or not done.stdout:
                    return False
        except (OSError, subprocess.SubprocessError):
            return False
    return True


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in given.items() if name not in ELSEWHERE}


def _remove_others(data: Path, present: Installation | None) -> None:
    """What an earlier attempt or an older version left; the one in use stays until the next time."""
    used = Path(present.own_python).parent.parent if present else None
    for folder in (data / "versions").glob("*"):
        if folder != used:
            shutil.rmtree(folder, ignore_errors=True)


def _note_failure(data: Path, why: str) -> None:
    """One line, in which no character needs an escape in JSON."""
    plain = " ".join(why.replace('"', "'").replace("\\", "/").split())[:600]
    text = "".join(character for character in plain if character.isprintable())
    try:
        _replace(data / "failed", f"lessons could not be set up: {text} {AGAIN}\n")
    except OSError:
        pass  # nobody can be told there; start.sh tells that the folder cannot be written


def _replace(file: Path, text: str) -> None:
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.write_bytes(text.encode("utf-8", "surrogateescape"))
    os.replace(new, file)


def _belong_to_nobody() -> None:
    """So that neither the end of the session nor that of its terminal ends this."""
    try:
        os.setsid()
    except (AttributeError, OSError):
        pass


@contextmanager
def _alone(file: Path) -> Iterator[bool]:
    """The system gives the lock back by itself when its holder is killed."""
    with open(file, "ab") as held:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = True
        except OSError:
            alone = False
        yield alone


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.environ))
