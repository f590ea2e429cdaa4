"""Wrappers removed with their options, and commands inside arguments: first what must stay unchanged."""

from lessons.shell.split import invocations, scripts_in
from tests.shell.argument_cases import CODE, CODE_BY_HAND
from tests.shell.row_text import rows
from tests.shell.wrapper_cases import NONE, WRAPPERS, WRAPPERS_BY_HAND
from tests.tables import table


@table("command", rows(NONE))
def test_nothing_is_taken_off(command: str) -> None:
    assert invocations(command) == [[command]]


@table("command", ["env > pytest", "env 2>&1", "env >pytest 2> pytest"])
def test_the_target_of_a_redirection_is_no_command(command: str) -> None:
    assert invocations(command) == [["env"]]


@table("wrapper", rows(WRAPPERS) + rows(WRAPPERS_BY_HAND))
def test_a_wrapper_is_taken_off_with_its_options(wrapper: str) -> None:
    command = f"{wrapper} pytest -q -n 4"
    [texts] = invocations(command)
    assert (texts[0], texts[-1]) == (command, "pytest -q -n 4")
    assert invocations(f"FOO=1 {command}") == [[f"FOO=1 {command}", *texts]]


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


@table("command", rows(CODE) + rows(CODE_BY_HAND))
def test_the_command_inside_an_argument_is_an_invocation_of_its_own(command: str) -> None:
    found = invocations(command)
    assert len(found) > 1
    assert any(texts[-1] == "pytest -q" for texts in found)


def scripts(command: str) -> list[str]:
    return scripts_in(command)


@table(
    "command",
    [
        "",
        "python run.py",
        "python run.py -c 'import os'",
        "python -m json.tool <<EOF\nimport os\nEOF",
        "python -Im http.server <<EOF\nimport os\nEOF",
        "python run.py <<EOF\nimport os\nEOF",
        "cat <<EOF | python run.py\nimport os\nEOF",
        "python < run.py",
        "python",
        "python --version",
        "echo 'import os' | cat",
        "echo python -c 'import os'",
        "grep -e 'import os' x",
        "sed -e 's/a/b/' x",
        "bash -c 'import os'",
        "bash <<EOF\nimport os\nEOF",
        "node app.js -e 'import os'",
        "node --test <<< ''",
        "perl run.pl -e 'import os'",
        "ruby run.rb <<EOF\nimport os\nEOF",
        "php artisan tinker",
        "python manage.py migrate -c 'import os'",
        "deno run 'import os'",
        "uv run run.py <<EOF\nimport os\nEOF",
        "cat <<EOF > run.py\nimport os\nEOF",
    ],
)
def test_hands_no_code_on(command: str) -> None:
    assert scripts(command) == []


@table(
    "command",
    [
        "python -c 'import os; a b'",
        "python3.12 -I -W ignore -c 'import os; a b' one two",
        "python -uc 'import os; a b'",
        "FOO=1 timeout 5 /usr/bin/python3 -c 'import os; a b'",
        "uv run python -c 'import os; a b'",
        "py -3.12 -c 'import os; a b'",
        'cd x && python -c "import os; a b" | head',
        "python -c $'import os; a b'",
        "python -c import\\ os;\\ a\\ b || python -c 'import os; a b'",
        "python <<EOF\nimport os; a b\nEOF",
        "python - <<'EOF'\nimport os; a b\nEOF",
        "python - one two <<'EOF'\nimport os; a b\nEOF",
        "python3 <<< 'import os; a b'",
        "cat <<EOF | python3 -\nimport os; a b\nEOF",
        "echo 'import os; a b' | python",
        "uv run - <<EOF\nimport os; a b\nEOF",
        "uv run --with x python - <<EOF\nimport os; a b\nEOF",
        "ipython -c 'import os; a b'",
        "python manage.py shell -c 'import os; a b'",
        "./manage.py shell; python ./manage.py shell <<EOF\nimport os; a b\nEOF",
        "node -e 'import os; a b'",
        "node -p 'import os; a b'",
        "node -pe 'import os; a b'",
        "node --input-type=module --eval='import os; a b'",
        "node -r x -e 'import os; a b'",
        "node <<EOF\nimport os; a b\nEOF",
        "node --input-type=module - <<EOF\nimport os; a b\nEOF",
        "npx tsx -e 'import os; a b'",
        "bun -e 'import os; a b'",
        "deno eval 'import os; a b'",
        "deno eval --ext=ts 'import os; a b'",
        "ruby -rjson -e 'import os; a b'",
        "ruby -e'import os; a b'",
        "perl -ne 'import os; a b' x",
        "perl -i.bak -pe 'import os; a b' x",
        "php -r 'import os; a b'",
        "php artisan tinker --execute='import os; a b'",
        "bundle exec rails runner 'import os; a b'",
        "Rscript -e 'import os; a b'",
        "lua5.4 -e 'import os; a b'",
        "julia -E 'import os; a b'",
        "osascript -e 'import os; a b'",
        "bash -c \"python -c 'import os; a b'\"",
        "ssh host python3 - <<EOF\nimport os; a b\nEOF",
        "docker exec -i web python - <<EOF\nimport os; a b\nEOF",
        "docker compose exec web python -c 'import os; a b'",
        "kubectl exec web -- python -c 'import os; a b'",
        "code='import os; a b'; python -c \"$code\"",
        "python -c \"$(cat <<'EOF'\nimport os; a b\nEOF\n)\"",
        "powershell -c \"python -c 'import os; a b'\"",
    ],
)
def test_hands_code_on(command: str) -> None:
    assert "import os; a b" in scripts(command)


def test_each_piece_of_code_is_one_text() -> None:
    assert scripts("ruby -e 'a b' -e 'c d'; python -c '1'") == ["a b", "c d", "1"]
