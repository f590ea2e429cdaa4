"""Wrappers that are taken off with their options, and commands inside arguments: first what must stay as it is."""

from lessons.shell.split import invocations
from tests.tables import table


@table(
    "command",
    [
        "timeout 60",
        "timeout -k pytest 60",
        "sudo -u pytest",
        "env -u pytest",
        "nice -n pytest",
        "command -v pytest",
        "command -V pytest",
        "uv tool install pytest",
        "uv add pytest",
        "uv run --with pytest",
        "uv sync --group pytest",
        "poetry add pytest",
        "poetry run",
        "npm install pytest",
        "npm run pytest",
        "pnpm add pytest",
        "npx -p pytest",
        "conda run -n pytest",
        "conda install pytest",
        "mise exec pytest",
        "mise use pytest -- x",
        "direnv exec pytest",
        "pipx install pytest",
        "python pytest",
        "python -m",
        "python -W pytest -X pytest",
        "python --version pytest",
        "python -c pytest -m pytest",
        "xargs -n 1",
        "ssh -p 22 pytest",
        "bash -l pytest",
        "su pytest",
        "find . -exec",
    ],
)
def test_nothing_is_taken_off(command: str) -> None:
    assert invocations(command) == [[command]]


@table("command", ["env > pytest", "env 2>&1", "env >pytest 2> pytest"])
def test_the_target_of_a_redirection_is_no_command(command: str) -> None:
    assert invocations(command) == [["env"]]


@table(
    "wrapper",
    [
        "sudo",
        "sudo -E -u bob --",
        "sudo -Eu bob -g staff",
        "sudo --user bob --preserve-env=PATH",
        "sudo FOO=1",
        "doas -u bob",
        "env",
        "env -i A=1 B=2",
        "env -u NAME --chdir /x -",
        "timeout 60",
        "timeout -k 5 -s KILL 60s",
        "timeout --signal=KILL --preserve-status 1m",
        "gtimeout 5",
        "nice",
        "nice -n 10",
        "nice -10",
        "ionice -c 3 -n7",
        "nohup",
        "time -p",
        "time -f %e -o out",
        "command -p",
        "builtin",
        "exec -a name",
        "stdbuf -oL -e 0",
        "setsid -w",
        "caffeinate -i -t 60",
        "chronic",
        "xvfb-run -a -s screen",
        "watch -n 2 -d",
        "strace -f -o out -e trace=file",
        "uv run",
        "uv run --with x --python 3.12 -q --",
        "uv run -m",
        "uv --directory x run --group=dev",
        "uv tool run --from x",
        "uvx",
        "uvx --from x -p 3.12",
        "poetry run",
        "poetry -C dir run",
        "pipenv run",
        "pdm run -p dir",
        "hatch -e test run",
        "rye run",
        "pixi run -e test",
        "conda run -n env --no-capture-output",
        "mamba run --name env",
        "micromamba run -p /x",
        "npx",
        "npx --yes -p x",
        "pnpx",
        "bunx --bun",
        "bun x",
        "npm exec",
        "npm exec --package=x --",
        "npm --prefix dir exec -w web --",
        "pnpm exec",
        "pnpm --filter web exec",
        "pnpm dlx --package x",
        "yarn exec",
        "yarn dlx -p x",
        "bundle exec",
        "mise exec --",
        "mise x node@20 python@3 --",
        "direnv exec .",
        "rtk",
        "rtk proxy",
        "dotenv -f .env run --",
        "pipx run --spec x",
        "python -m",
        "python3 -X dev -W ignore -u -m",
        "python3.12 -Im",
        "python -Xdev -m",
        "py -3.12 -m",
    ],
)
def test_a_wrapper_is_taken_off_with_its_options(wrapper: str) -> None:
    command = f"{wrapper} pytest -q -n 4"
    assert invocations(command) == [[command, "pytest -q -n 4"]]
    [texts] = invocations(f"FOO=1 {command}")
    assert texts == [f"FOO=1 {command}", command, "pytest -q -n 4"]


def test_wrappers_are_taken_off_one_by_one() -> None:
    assert invocations("sudo -u bob /usr/bin/timeout 5 uv run python -m pytest") == [
        [
            "sudo -u bob /usr/bin/timeout 5 uv run python -m pytest",
            "/usr/bin/timeout 5 uv run python -m pytest",
            "timeout 5 uv run python -m pytest",
            "uv run python -m pytest",
            "python -m pytest",
            "pytest",
        ]
    ]


@table(
    ("command", "last"),
    [
        ("python -mpytest -q", "pytest -q"),
        ("python -umpytest", "pytest"),
        ("hatch run test:pytest -q", "pytest -q"),
        ("npx jest@29 a", "jest@29 a"),
        ("npx @scope/tool a", "tool a"),
    ],
)
def test_the_command_is_a_part_of_a_word(command: str, last: str) -> None:
    [texts] = invocations(command)
    assert texts[0] == command
    assert texts[-1] == last


@table(
    "command",
    [
        "bash -c 'pytest -q'",
        'bash -c "pytest -q"',
        "bash -lc 'cd x; pytest -q'",
        "sh -e -c 'pytest -q' name argument",
        "bash -euo pipefail -c 'pytest -q'",
        "bash --norc -o pipefail -ec 'pytest -q'",
        "/bin/zsh -c 'pytest -q'",
        "dash -c 'pytest -q' && ksh -c ls",
        "sudo -u bob bash -c 'pytest -q'",
        "bash -c 'bash -c \"pytest -q\"'",
        'bash -c "echo $(pytest -q)"',
        "eval pytest -q",
        "eval 'cd x && pytest -q'",
        'eval "$(ls);" "pytest -q"',
        "ssh host pytest -q",
        "ssh -i key -p 22 -o StrictHostKeyChecking=no bob@host 'cd x && pytest -q'",
        "ssh host -t -p 22 pytest -q",
        "ssh -tt host -- pytest -q",
        "ls | xargs pytest -q",
        "xargs -0 -n 1 -P4 -I{} pytest -q",
        "xargs -n1 timeout 5 pytest -q",
        "xargs -d '\\n' --max-args 1 pytest -q",
        "xargs sh -c 'pytest -q'",
        "find . -name '*.py' -exec pytest -q \\;",
        "find . -execdir pytest -q ';' -print",
        "find . -exec ls {} + -ok pytest -q \\;",
        "find . -exec sh -c 'pytest -q' \\;",
        "su -c 'pytest -q'",
        "su - bob -c 'pytest -q'",
        "watch -n 1 'pytest -q | tail'",
    ],
)
def test_the_command_inside_an_argument_is_an_invocation_of_its_own(command: str) -> None:
    found = invocations(command)
    assert len(found) > 1
    assert any(texts[-1] == "pytest -q" for texts in found)
