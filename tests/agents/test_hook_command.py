"""The sh line is really run: whatever happens to Python, the client sees exit code 0."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.agents.hook_command import Places, home_of, is_ours, parse_command, places_in, script_text
from lessons.agents.hook_lines import REPORTING_EVENT, hook_script_file, in_posix_shell, line_of
from lessons.agents.table import AGENTS
from lessons.errors import Refused
from tests.builders.home import written_line
from tests.sizes import size
from tests.tables import table

EVERY_SHELL = bool(size("EVERY_SHELL", 0))
# Events that start work in the background, and the one whose output goes to a model.
WORKING_EVENTS, SILENT_EVENT = ("SessionStart", "PreCompact", "Stop", "SessionEnd", "PostToolUse"), "PreCompact"
# One event for each kind of line, or all.
EVENTS = [*AGENTS["claude-code"].events] if EVERY_SHELL else ["PreToolUse", "SessionStart", "PreCompact", "Stop"]
# Each as the words that start it.
SHELLS = [
    shell
    for shell in (("sh", "dash", "bash", "busybox sh", "zsh", "yash", "ksh", "mksh") if EVERY_SHELL else ("dash",))
    if shutil.which(shell.split()[0])
] or ["sh"]
PAYLOAD = '{"hook_event_name": "PreToolUse", "tool_name": "Bash"}'
HARD_NAMES = [
    "plain",
    "with space",
    "it's",
    "''",
    'say "hi"',
    "$HOME and ${PATH} and $(exit 2)",
    "`exit 2`",
    "back\\slash\\",
    "new\nline",
    "semi;colon & | > < * ? [a] ~ # !x {b} %s \\n",
    "ünïcødé 日本 🎓",
    "-n",
    "<home><event>",
]
# One name with everything that is hard about the others.
HOSTILE_NAME = (
    '-n it\'s "hi" $HOME $(exit 2) `exit 2` back\\\\slash\\\\ new\nline ;&|><*?[a]~#!{b}%s ü日本🎓 <home><event>'
)
NAMES = HARD_NAMES if EVERY_SHELL else [HOSTILE_NAME]
# Hooks that one client runs at the same time.
AT_ONCE = 20 if EVERY_SHELL else 8
ECHO = """import os, sys
print(os.environ["LESSONS_HOME"], *sys.argv[1:], sys.stdin.read(), sep="|", end="")
"""


def run(
    shell: str, command: str, environment: dict[str, str] | None = None, options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    base = {name: value for name, value in os.environ.items() if not name.startswith("LESSONS_")}
    return subprocess.run(
        [*shell.split(), *options, "-c", command],
        input=PAYLOAD,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        env={**base, **(environment or {})},
    )


def program(path: Path, body: str, interpreter: str = "/bin/sh") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!{interpreter}\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def entry(folder: Path, body: str = ECHO) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "entry.py"
    file.write_text(body, encoding="utf-8")
    return str(file)


@table("shell", SHELLS)
def test_a_payload_that_nobody_reads_is_no_error(shell: str, tmp_path: Path) -> None:
    command = written_line("PreToolUse", str(tmp_path / "gone"), "/gone.py", str(tmp_path), "")
    done = subprocess.run([*shell.split(), "-c", command], input=b"x" * 5_000_000, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"")


@table("shell", SHELLS)
@table("event", EVENTS)
@table("name", NAMES)
def test_every_path_arrives_as_it_is(shell: str, event: str, name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    entry_path = entry(folder)
    python = folder / "python"
    python.symlink_to(os.path.realpath(sys.executable))
    home, environment_python = str(folder / "home"), str(folder / "bin" / "python")
    command = written_line(event, str(python), entry_path, home, environment_python)
    done = run(shell, command)
    extra = f"--python|{environment_python}|" if event in WORKING_EVENTS else ""
    extra += f"--client|{os.getpid()}|" if event == REPORTING_EVENT else ""
    assert done.returncode == 0
    assert done.stdout.rstrip("\n") == f"{home}|{event}|{extra}{PAYLOAD}", done.stderr


@table("shell", SHELLS)
@table("set_to", ["/elsewhere", "", "/a b"])
def test_no_variable_of_a_project_wins_over_the_home_in_the_line(shell: str, set_to: str, tmp_path: Path) -> None:
    home = str(tmp_path / "it's \\home")
    command = written_line("PreToolUse", sys.executable, entry(tmp_path), home)
    assert run(shell, command, {"LESSONS_HOME": set_to}).stdout.startswith(f"{home}|")


@table("shell", SHELLS)
def test_session_start_keeps_an_answer_whatever_the_exit_status(shell: str, tmp_path: Path) -> None:
    answer = '{"a": "\\\\n %s $HOME ` \\u00fc ü"}'
    for status in (0, 1, 2):
        body = f"import sys; sys.stdout.buffer.write({answer.encode()!r}); sys.exit({status})"
        command = written_line(REPORTING_EVENT, sys.executable, entry(tmp_path, body), str(tmp_path), "/p")
        done = run(shell, command)
        assert (done.returncode, done.stdout) == (0, answer)


@table("event", EVENTS)
def test_no_program_but_python_is_started(event: str, tmp_path: Path) -> None:
    """With an empty search path every command of the line has to be part of the shell."""
    command = written_line(event, sys.executable, entry(tmp_path), str(tmp_path), "/p")
    for shell in SHELLS:
        name, *more = shell.split()
        done = run(" ".join((shutil.which(name) or name, *more)), command, {"PATH": "/nowhere"})
        assert done.stderr == ""
        assert done.stdout.startswith(f"{tmp_path}|{event}|")
    assert "\n" not in command


@table("shell", SHELLS)
def test_no_printf_of_the_project_is_run(shell: str, tmp_path: Path) -> None:
    """Some shells have none of their own, and the PATH of a session may lead into the project."""
    program(tmp_path / "bin" / "printf", "echo of the project")
    gone = written_line(REPORTING_EVENT, "/gone", "/gone.py", str(tmp_path / "gone"), "/p")
    for command in (gone, written_line("PreToolUse", sys.executable, entry(tmp_path), str(tmp_path))):
        done = run(shell, command, {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"})
        assert done.stdout.startswith(('{"systemMessage"', f"{tmp_path}|PreToolUse|")), done


@table("path", ["nul\0byte", "not-utf-8-\udcff"])
def test_a_path_that_no_settings_file_can_hold_is_refused(path: str) -> None:
    with pytest.raises(Refused, match="UTF-8"):
        script_text(Places("/usr/bin/python3", "/entry.py", path, "/p"))


def test_a_changed_line_is_not_parsed() -> None:
    for event in EVENTS:
        command = line_of(event, "/h")
        changed = [
            "",
            "exit 0",
            command + " ",
            command + "; rm -rf /",
            "rm -rf /; " + command,
            command.replace(event, event + " --more"),
            command.replace("'/h/", "'/h'$(touch x)'"),
            command.replace("'/h/", "'/h''/i'"),
            command.replace("'/h/lessons-hook'", '"/h/lessons-hook"'),
            command.replace("exit 0", "exit 2"),
        ]
        assert [text for text in changed if parse_command(text) is not None] == []
    assert parse_command(line_of("Stop", "/h").replace("Stop", REPORTING_EVENT)) is None


def test_a_line_names_no_variable_that_a_project_could_set() -> None:
    """Gemini CLI replaces variables in its settings, and loads the `.env` of a project."""
    for event in EVENTS:
        assert re.findall(r"\$[^ ]*", line_of(event, "/h").replace("${ZSH_VERSION-}", "")) == []


def test_a_shell_without_a_locale_can_read_the_script() -> None:
    """yash refuses what is no text in its locale, which clients may not pass on."""
    assert script_text(Places("/p", "/e", "/h", "/w")).isascii() and line_of("SessionStart", "/h").isascii()


paths = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
_BEFORE = "trap 'exit 0' EXIT; trap '' PIPE; trap : INT; LESSONS_HOME='/the home'; export LESSONS_HOME; ..."


@settings(deadline=None)
@given(st.sampled_from(EVENTS), paths, paths, paths, paths)
def test_parsing_gives_back_what_was_built(event: str, python: str, entry_path: str, home: str, worker: str) -> None:
    command = line_of(event, home)
    assert parse_command(command) == (event, "", home) and is_ours(command)
    assert parse_command(line_of(event, home, is_beside=True)) == (event, "", home)
    assert home_of(command) == home and home_of(_BEFORE) == "/the home"
    places = Places(python, entry_path, home, worker)
    assert places_in(script_text(places)) == places
    assert places_in(script_text(places) + "\n") is None


@table("shell", SHELLS)
@table("event", EVENTS)
def test_a_script_that_is_gone_or_empty_is_no_error(shell: str, event: str, tmp_path: Path) -> None:
    command = written_line(event, sys.executable, entry(tmp_path), str(tmp_path))
    script = Path(hook_script_file(str(tmp_path)))
    for content in ("", "if then", None):
        script.unlink() if content is None else script.write_text(content)
        done = run(shell, command)
        is_told = event == REPORTING_EVENT and content != "if then"
        assert (done.returncode, "`lessons install` again" in done.stdout) == (0, is_told), done
        assert is_told or not done.stdout


NOT_OURS = [
    "",
    "echo lessons hook",
    "echo 'the lessons hook is fine'",
    "my-lessons hook PreToolUse",
    "lessons list",
    "lessons hooks PreToolUse",
    "python3 /home/me/my-lessons/hook/entry.py PreToolUse",
    "python3 /home/me/course/lessons/hook/entry.py check",
    "python3 /home/me/course/lessons/hook/entry.py Stopwatch",
    "python3 /home/me/lessons/hook/entry.pyx PreToolUse",
    "cat lessons.json",
    "lessons-hook PreToolUse",
]
OURS = [
    "lessons hook PreToolUse",
    "/home/me/.local/bin/lessons hook PreToolUse",
    "'/home/my dir/bin/lessons' hook PreToolUse",
    '"/home/my dir/bin/lessons" hook PreToolUse',
    "LESSONS_HOME=/h lessons hook SessionStart",
    "exec lessons hook SessionStart",
    "cd /x && lessons hook Stop || true",
    "python3 -m lessons hook PreToolUse",
    "/usr/bin/python3 -I -S /x/site-packages/lessons/hook/entry.py PreToolUse",
    "lessons/hook/entry.py SessionStart",
    *(f"/usr/bin/python3 /x/lessons/hook/entry.py {event} --python /v" for event in EVENTS),
    r"C:\Python\lessons\hook\entry.py PreToolUse",
    line_of("PreToolUse", "/it's here"),
    in_posix_shell(line_of("PreToolUse", "/it's here", "codex")),
    in_posix_shell(line_of("SessionStart", "/h", "codex")).replace("trap '' PIPE; ", ""),
]


@table("command", NOT_OURS)
def test_a_command_of_someone_else_is_not_ours(command: str) -> None:
    assert not is_ours(command)


@table("command", OURS)
def test_a_command_of_any_version_is_ours(command: str) -> None:
    assert is_ours(command)


def told(shell: str, command: str) -> int:
    """How many of the hooks that one client runs at the same time tell the person."""
    client = f'i=0; while [ $i -lt {AT_ONCE} ]; do i=$((i+1)); {shell} -c "$COMMAND" & done; wait'
    done = run("sh", client, {"COMMAND": command})
    assert done.returncode == 0
    return done.stdout.count("systemMessage")


@table("shell", SHELLS)
@table("event", [event for event in EVENTS if event not in (REPORTING_EVENT, SILENT_EVENT)])
def test_in_the_middle_of_a_session_the_person_is_told_once(shell: str, event: str, tmp_path: Path) -> None:
    command = written_line(event, str(tmp_path / "gone"), "/gone.py", str(tmp_path / "home"), "")
    assert told(shell, command) == 0, "before the first hook ever ran there is no session to speak of"
    (tmp_path / "home" / "fired").mkdir(parents=True)
    assert told(shell, command) == 1
    assert told(shell, command) == 1, "another client"


def fallback(folder: Path) -> str:
    return written_line("PreToolUse", os.path.realpath(sys.executable), entry(folder), str(folder), is_beside=True)


def behind(shell: str, folder: Path, server: str | None) -> str:
    """What the fallback prints for a client (the `sh` in between) whose server's file holds this text."""
    write = "" if server is None else f'mkdir -p "$HOME_OF_IT/warm"; printf %s "{server}" > "$HOME_OF_IT/warm/$$"; '
    environment = {"COMMAND": fallback(folder), "HOME_OF_IT": str(folder), "PAYLOAD": PAYLOAD}
    done = run("sh", f'{write}printf %s "$PAYLOAD" | {shell} -c "$COMMAND"; echo "|$?"', environment)
    assert done.returncode == 0
    return done.stdout.rstrip("\n")


def beside(shell: str, folder: Path, server: int) -> str:
    """The same for a server of this process, which is the client."""
    (folder / "warm").mkdir()
    (folder / "warm" / str(os.getpid())).write_text(f"{server}\n")
    done = run(shell, fallback(folder))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@table("shell", SHELLS)
def test_the_fallback_is_silent_while_the_server_lives(shell: str, tmp_path: Path) -> None:
    server = subprocess.Popen(["sleep", "60"])
    try:
        assert beside(shell, tmp_path, server.pid) == ""
    finally:
        server.kill()
        server.wait()


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="this system does not tell")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_process_that_is_not_of_the_client_is_no_server(shell: str, tmp_path: Path) -> None:
    assert PAYLOAD in beside(shell, tmp_path, os.getppid())


@table("shell", SHELLS)
@table("server", [None, "", "2147483646", "not a number", "\\\\", "-", "$(exit 2)"])
def test_the_fallback_answers_where_no_server_lives(shell: str, server: str | None, tmp_path: Path) -> None:
    assert behind(shell, tmp_path, server) == f"{tmp_path}|PreToolUse|{PAYLOAD}|0"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="this system does not tell")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_killed_server_counts_as_gone_before_its_parent_has_looked(shell: str, tmp_path: Path) -> None:
    server = subprocess.Popen(["sleep", "60"])
    server.kill()
    os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)
    try:
        assert PAYLOAD in beside(shell, tmp_path, server.pid)
    finally:
        server.wait()


@table("shell", SHELLS)
def test_a_fallback_that_cannot_start_tells_once(shell: str, tmp_path: Path) -> None:
    (tmp_path / "fired").mkdir()
    assert told(shell, written_line("PreToolUse", "/gone", "/gone.py", str(tmp_path), is_beside=True)) == 1
