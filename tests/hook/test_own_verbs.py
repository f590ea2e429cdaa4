"""An agent's call that weakens a lesson or activates text is refused; other calls that mention `lessons` run."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.cli.main import SPELLINGS, VERBS
from lessons.hook import own_verbs
from lessons.inject.decide import is_own_denial
from lessons.match.call import ToolCall
from tests.hook.installed import Machine, lesson
from tests.hook.paths_to_the_model import ROOT
from tests.tables import table

# Command lines with `¦` between them, and newlines written as in Python. First those that only mention `lessons`, then
# what an agent may run.
QUIET = r"""
grep lessons allow ¦ echo "lessons allow" ¦ echo lessons allow ¦ git commit -m "lessons archive"
git commit -m 'Let lessons edit --stage active' ¦ git log --grep 'lessons edit' ¦ cd lessons && make
cd lessons; vim edit.py ¦ rg "lessons mute" docs ¦ cat lessons/edit.py ¦ ls lessons archive
mkdir -p lessons/archive && mv a lessons/archive ¦ make lessons archive ¦ npm run lessons -- archive
tmux attach -t lessons ¦ pytest tests/lessons -k "mute or edit" ¦ man lessons; which lessons; lessons --version
# lessons allow x
cat > README.md <<'EOF'\nrun lessons allow x\nEOF ¦ gh pr create --body "$(printf 'lessons archive x')"
claude -p "run lessons mute x" ¦ python -c "print('lessons allow')"
python -c "import json; json.load(open('lessons.json'))['archive']"
lessons list ¦ lessons try 'lessons mute x' ¦ lessons try lessons mute x ¦ lessons search lessons edit
lessons show edit ¦ lessons help mute ¦ lessons edit --help ¦ lessons mute --list ¦ lessons mute x --off
lessons undo --list || true ¦ lessons trust --list ¦ lessons config ¦ lessons config get memory
lessons config memory --json ¦ lessons scan && lessons candidates --all ¦ lessons candidates --reject 1
lessons feedback x bad ¦ lessons learn --export - --limit 10
lessons learn --answers - --json --by opus <<'EOF'\n{"id": "lessons mute x --yes"}\nEOF
lessons promote 1 --shadow --yes ¦ lessons install --agent codex
lessons doctor; lessons stats; lessons log --last 10 ¦ env -u CLAUDECODE lessons list
"${CLAUDE_PLUGIN_ROOT}/bin/lessons" add --summary 'x y' --problem "lessons edit"
"""
# What is refused, however it is written; at last what may run, but not without the mark of the agent.
REFUSED = r"""
lessons allow no-force-push ¦ lessons mute x ¦ lessons mute x --for 2h ¦ lessons mute --memory x
cd /tmp && lessons archive x --reason y ¦ lessons retire x ¦ lessons remove x ¦ lessons unarchive x
lessons edit x --stage active ¦ lessons edit x --from change.json ¦ lessons promote 1 --yes
lessons scan promote 1 --yes ¦ lessons undo ¦ lessons undo 3 ¦ lessons uninstall ¦ lessons install --remove
lessons config set memory false ¦ lessons config memory false ¦ lessons config unset memory ¦ lessons learn --yes
lessons learn --answers a.jsonl --yes --json ¦ lessons refine --yes ¦ lessons trust . --yes ¦ lessons team trust
lessons team import x.json --yes ¦ lessons add --starter --yes ¦ lessons review --yes ¦ lessons tend --yes
lessons history forget --project . --yes
lessons al'l'ow x ¦ lessons "und"o ¦ lessons a\llow x ¦ les""sons mute x ¦ bash -c 'lessons al"l"ow x'
v=un; lessons ${v}do ¦ x=al; y=low; lessons $x$y z
script -qc "lessons allow x" /dev/null ¦ script -q /dev/null lessons allow x ¦ unbuffer lessons allow x
tmux new -d "lessons allow x" ¦ socat exec:"lessons allow x",pty - ¦ osascript -e 'do shell script "lessons mute x"'
expect -c 'spawn lessons allow x; interact' ¦ bash -c 'lessons mute x' ¦ bash -lc "true; lessons mute x"
env -u CLAUDECODE lessons mute x ¦ LESSONS_HOME=/x lessons mute x ¦ /home/u/.local/bin/lessons mute x
~/.local/bin/lessons mute x ¦ "/home/my name/bin/lessons" mute x
"${CLAUDE_PLUGIN_ROOT}/bin/lessons" mute SLUG --for 2h ¦ lessons.exe mute x ¦ python -m lessons mute x
.venv/bin/python3.12 -I -m lessons mute x ¦ uvx lessons mute x ¦ pipx run lessons mute x ¦ uv run lessons mute x
timeout 5 nohup lessons mute x & ¦ sudo -u me lessons mute x ¦ ssh localhost lessons mute x ¦ eval "lessons mute x"
sh <<'EOF'\nlessons mute x\nEOF ¦ echo 'lessons mute x' | sh ¦ yes | lessons review --yes
echo x | xargs lessons mute ¦ echo mute x | xargs lessons ¦ L=lessons; $L mute x ¦ V=mute; lessons $V x
lessons 'mute' x ¦ (lessons mute x) ¦ x=$(lessons mute x) ¦ if true; then lessons mute x; fi
cat > x.sh <<'EOF'\nlessons allow x\nEOF\nbash x.sh ¦ python3 -c "import pty; pty.spawn(['lessons','allow','x'])"
python3 -c "import os; os.system('lessons mute x')"
python - <<'EOF'\nimport subprocess\nsubprocess.run(['lessons', 'promote', '1', '--yes'])\nEOF
python3 -c "from lessons.cli.main import run; run(['mute', 'x'])"
node -e "require('child_process').execSync('lessons mute x')" ¦ perl -e 'system("lessons mute x")'
env -u CLAUDECODE lessons add --summary x ¦ env -i PATH=$PATH lessons add --summary x
unset CLAUDECODE; lessons add --from - ¦ CLAUDECODE= lessons add --from x.json
"""
# Verbs that change no lesson that acts, or that ask the user.
HARMLESS = {
    "cost",
    "rules",
    *("alerts", "backtest", "backup", "build", "candidates", "check", "code-review", "commits", "completion", "demo"),
    *("dev", "doctor", "export", "feedback", "handoff", "history", "hook", "init", "list", "log", "mcp", "reject"),
    *("replay", "report", "scan", "search", "session", "show", "stats", "subagents", "team", "try", "unmute", "verify"),
    "watch",
}
# As the clients send them: captured, with invented values.
SHELL = "run_shell_command"
PAYLOADS: dict[str, tuple[str, dict[str, object]]] = {
    "codex": (
        "PreToolUse",
        {"session_id": "s", "turn_id": "t", "transcript_path": "/h/.codex/sessions/r.jsonl", "cwd": "/shop",
         "hook_event_name": "PreToolUse", "model": "gpt-5.5", "permission_mode": "bypassPermissions",
         "tool_name": "Bash", "tool_input": {"command": "?"}, "tool_use_id": "call_1_0"},
    ),
    "copilot-cli": (
        "PreToolUse",
        {"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/shop",
         "tool_name": "Bash", "tool_input": {"command": "?", "description": "run"}},
    ),
    "gemini-cli": (
        "BeforeTool",
        {"session_id": "s", "transcript_path": "/h/.gemini/tmp/ws/chats/s.jsonl", "cwd": "/shop",
         "hook_event_name": "BeforeTool", "timestamp": "2026-01-01T00:00:00.000Z", "tool_name": SHELL,
         "tool_input": {"command": "?", "description": "run"}},
    ),
    "qwen-code": (
        "PreToolUse",
        {"session_id": "s", "transcript_path": "/h/.qwen/projects/ws/chats/s.jsonl", "cwd": "/shop",
         "hook_event_name": "PreToolUse", "permission_mode": "yolo", "tool_name": SHELL,
         "tool_input": {"command": "?", "is_background": False}, "tool_call_id": "call_1_0"},
    ),
    "opencode": (
        "BeforeTool",
        {"session": "ses_1", "directory": "/shop", "tool": "bash", "call": "call_2_0", "args": {"command": "?"}},
    ),
    "cursor": (
        "PreToolUse",
        {"conversation_id": "c", "hook_event_name": "preToolUse", "tool_name": "Shell",
         "tool_input": {"command": "?"}, "workspace_roots": ["/shop"]},
    ),
}  # fmt: skip


def lines_in(text: str) -> list[str]:
    lines = text.strip("\n").replace("\n", " ¦ ").split(" ¦ ")
    return [line.replace("\\n", "\n") for line in lines]


@table("command", lines_in(QUIET))
def test_is_not_refused(command: str) -> None:
    assert own_verbs.refusal(ToolCall("Bash", {"command": command})) is None


@table("command", lines_in(REFUSED))
def test_is_refused(command: str) -> None:
    answer = own_verbs.refusal(ToolCall("Bash", {"command": command}))
    assert answer and answer.deny and ("only the user may run it" in answer.deny or "hides which agent" in answer.deny)
    assert is_own_denial(answer.deny), "no failure to learn from"
    assert "You can run it in a terminal of your own." in answer.message


def test_every_verb_is_judged() -> None:
    """A new verb is refused to agents, or is listed here as one that they may run."""
    judged = {*own_verbs._VERBS} - {*own_verbs._RECORDED} | {"add", "learn", "promote", "refine"}
    assert judged - {"restore"} == {*VERBS, *SPELLINGS} - HARMLESS


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_installed_hook_refuses_without_any_lesson(machine: Machine) -> None:
    answer = machine.run("PreToolUse", machine.bash("script -qc 'lessons allow no-force-push' /dev/null"))
    assert answer.decision == "deny" and "only the user may run it" in answer.words
    message = str(answer.document["systemMessage"])
    assert message.startswith("lessons: refused `lessons allow no-force-push`, which the agent tried to run.")
    assert machine.run("PreToolUse", machine.bash("cd lessons && make archive")).out == b""
    assert machine.faults() == ""


def test_lessons_act_on_other_calls_of_the_command_line(machine: Machine) -> None:
    machine.publish(lesson("scans", "lessons scan"))
    assert machine.run("PreToolUse", machine.bash("lessons scan --full")).decision == "hint"
    assert machine.run("PreToolUse", machine.bash("lessons mute scans")).decision == "deny"


@pytest.mark.parametrize("agent", PAYLOADS)
def test_every_agent_is_refused(agent: str, machine: Machine) -> None:
    event, payload = PAYLOADS[agent]
    entry = str(ROOT / "hook" / "entry.py")
    outputs = []
    for command in ("lessons list", "bash -c 'lessons mute no-force-push'"):
        data = json.dumps(payload).replace('"?"', json.dumps(command)).encode()
        done = subprocess.run(
            [sys.executable, "-I", "-S", entry, event, "--agent", agent],
            input=data,
            capture_output=True,
            env=machine.environment(LESSONS_HOME=str(machine.home)),
        )
        assert (done.returncode, done.stderr) == (0, b"")
        outputs.append(done.stdout.decode())
    assert outputs[0] == ""
    assert '"deny"' in outputs[1] and "only the user may run it" in outputs[1]
