"""What surrounds a command that is itself the same."""

from lessons.capture.signals.wrapper import change
from lessons.episode import Change
from tests.builders.steps import Case, failed, ran
from tests.tables import table


def exchanged(before: str, after: str) -> Change:
    return Change("wrong-command", before, after)


QUIET = [
    Case(failed("npm test"), ran("npm test")),  # the very same
    Case(failed("npm test"), ran("npm test 2>&1 | tail -5")),  # only shown otherwise
    Case(failed("sudo npm test"), ran("sudo npm ci")),  # other work
    Case(failed("sudo apt install jq"), ran("sudo apt install curl")),
    Case(failed("npx tsc --noEmit"), ran("tsc --build")),
    Case(failed("env"), ran("timeout 5 true")),
    Case(failed("make"), ran("cd build && make")),  # a folder is no wrapper
    Case(failed('git commit -m "sudo make"'), ran('git commit -m "make"')),
    Case(failed("echo hi"), ran("echo hi")),  # nothing that does any work
]
FIRES = [
    Case(failed("apt install jq"), ran("sudo apt install jq"), exchanged("", "sudo")),
    Case(failed("sudo npm ci"), ran("npm ci"), exchanged("sudo", "")),
    Case(failed("timeout 60 make check"), ran("make check"), exchanged("timeout 60", "")),
    Case(failed("timeout 60 make check"), ran("timeout 300 make check"), exchanged("timeout 60", "timeout 300")),
    Case(failed("pytest tests"), ran("uv run pytest tests"), exchanged("", "uv run")),
    Case(failed("pytest tests"), ran("python -m pytest tests"), exchanged("", "python -m")),
    Case(failed("tsc --noEmit"), ran("npx tsc --noEmit"), exchanged("", "npx")),
    Case(failed("npx tsc --noEmit"), ran("npx -p typescript tsc --noEmit"), exchanged("npx", "npx -p typescript")),
    Case(failed("rtk cargo build"), ran("cargo build 2>&1 | tail -20"), exchanged("rtk", "")),
    Case(failed("node build.js"), ran("mise exec -- node build.js"), exchanged("", "mise exec --")),
    Case(failed("python app.py"), ran("PYTHONPATH=src python app.py"), exchanged("", "PYTHONPATH=src")),
    Case(failed("env -i make"), ran("make"), exchanged("env -i", "")),
    Case(failed("systemctl status web"), ran("ssh ops@web systemctl status web"), exchanged("", "ssh ops@web")),
    Case(failed('ssh web "docker ps"'), ran('ssh web "sudo docker ps"'), exchanged("", "sudo")),
    Case(failed('ssh web "docker ps -a"'), ran('ssh ops@web "docker ps -a"'), exchanged("ssh web", "ssh ops@web")),
    Case(failed("bash -c 'make all'"), ran("make all"), exchanged("bash -c", "")),
    Case(failed("python app.py"), ran(".venv/bin/python app.py"), exchanged("python", ".venv/bin/python")),
    Case(failed("bundle exec rspec a.rb"), ran("bin/rspec a.rb"), exchanged("bundle exec rspec", "bin/rspec")),
    Case(failed("git add . && rtk make dist"), ran("git add . && make dist"), exchanged("rtk", "")),
]


@table("case", QUIET)
def test_stays_quiet(case: Case) -> None:
    assert change(case.pair()) is None


@table("case", FIRES)
def test_fires(case: Case) -> None:
    assert change(case.pair()) == case.expected
