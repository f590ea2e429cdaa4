"""A line that the index takes as it is must hold all the text that its invocations have."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from lessons.shell.global_options import GLOBAL_OPTIONS, forms
from lessons.shell.split import invocations
from lessons.store.hook_index import is_plain
from tests.sizes import examples
from tests.tables import table

NOT_PLAIN = (
    "git  push", "pytest>out", "git commit -m 'x y'", 'py"test"', "py\\test", "echo $(pytest)", "(pytest)",
    "git\tpush", "cd x\npytest", "cat <<EOF", "FOO=1 2>&1 pytest", "git -C x push", "cd x;git --no-pager log",
    "docker compose -f x up", "cargo +nightly test", "docker run --entrypoint git img push", "git.exe push",
    "GIT.EXE push", "pwsh -c Start-Process git -Args push",
)  # fmt: skip
PLAIN = (
    "ls -la",
    "cd /a && npm run build 2>&1 | tail -20 && git status --short",
    "FOO=1 timeout 60 python -m pytest -q",
)

WORDS = st.sampled_from(
    (
        "pytest git push -q --force sudo env FOO=1 A=b timeout 60 nohup npx uv run python -m bash -c ssh host xargs "
        "-n1 eval find . -exec + ; && || | & ! time if then fi for x in do done while case esac # #x a#b 2>&1 ./run "
        "/usr/bin/env [ ] [[ ]] * ? ~ = a=b - -- .. % ^ @ : , 日本 é -C -c --no-pager +nightly "
        "docker compose cargo make exec --entrypoint img echo -e cat tee kubectl wsl adb shell -s X= source "
        "tmux send-keys Enter new -d parallel ::: flock taskset yarn su screen trap EXIT runuser -u script hyperfine "
        "git.exe gradlew.bat cmd /c pwsh Start-Process -Args return iex"
    ).split()
)


@table("line", NOT_PLAIN)
def test_lines_that_must_be_taken_apart(line: str) -> None:
    assert not is_plain(line)


@table("line", PLAIN)
def test_lines_that_need_not(line: str) -> None:
    assert is_plain(line)


@settings(max_examples=examples(1500), deadline=None)
@given(st.one_of(st.lists(WORDS, max_size=12).map(" ".join), st.text("ab;&|#! =-/.2>1*[]~", max_size=24)))
@example("a;b&&c")
@example("2>&1 a 2>&1;b")
def test_every_text_of_an_invocation_stands_in_a_plain_line(line: str) -> None:
    if is_plain(line):
        assert all(form in line for texts in invocations(line) for text in texts for form in forms(text))


@table("program", GLOBAL_OPTIONS)
def test_a_line_with_options_before_the_sub_command_is_not_plain(program: str) -> None:
    assert is_plain(f"cd x && {program} run")
    assert not is_plain(f"cd x && /usr/bin/{program} -x run")
