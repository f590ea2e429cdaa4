"""Code that a shell reads: first what no shell reads, then what one does."""

from lessons.shell.split import invocations
from tests.tables import table


def runs(command: str) -> bool:
    return any("pytest -q" in texts for texts in invocations(command))


@table(
    "command",
    [
        "cat <<EOF\n\\$(pytest -q)\nEOF",
        "cat <<EOF\n\\`pytest -q\\`\nEOF",
        "cat <<'EOF'\n$(pytest -q)\nEOF",
        "cat <<EOF > run.sh\npytest -q\nEOF",
        "bash run.sh <<EOF\npytest -q\nEOF",
        "bash 3<<EOF\npytest -q\nEOF",
        "bash <<EOF <<END\npytest -q\nEOF\nls\nEND",
        "bash <<EOF < file\npytest -q\nEOF",
        "bash -c ls <<EOF\npytest -q\nEOF",
        "cat <<EOF | python\npytest -q\nEOF",
        "cat file <<EOF | bash\npytest -q\nEOF",
        "ssh host ls <<EOF\npytest -q\nEOF",
        "ssh host python - <<EOF\npytest -q\nEOF",
        "xargs bash <<EOF\npytest -q\nEOF",
        "echo pytest -q",
        "echo pytest -q | cat",
        "echo pytest -q | bash -c cat",
        "echo pytest -q | bash run.sh",
        "echo pytest -q; bash",
        "echo pytest -q && bash",
        "echo pytest -q || bash",
        "echo pytest -q & bash",
        "echo pytest -q\nbash",
        "echo pytest -q | tee log; bash",
        "echo pytest -q | grep -v pytest | bash",
        "{ echo pytest -q; } > run.sh; bash",
        "(echo pytest -q | cat); bash",
        "printf '%d' 'pytest -q' | bash",
        "printf '%% pytest -q' | bash",
        "diff <(echo pytest -q) <(ls)",
        "cat <(echo pytest -q)",
        'bash <<< "$(echo pytest -q)x"',
        "x='pytest -q' ls",
        "x='pytest -q'; echo $x",
        "for x in 'pytest -q'; do echo $x; done",
        "echo ${x:-pytest -q}",
        "sh -c 'echo \"$@\"' _ pytest -q",
    ],
)
def test_it_is_a_text_only(command: str) -> None:
    assert not runs(command)


@table(
    "command",
    [
        "cat <<EOF\n$(pytest -q)\nEOF",
        "cat <<EOF\n`pytest -q`\nEOF",
        "cat <<EOF\n${x:-$(pytest -q)} and $((1 + $(ls)))\nEOF",
        "cat <<EOF | python\nprint($(pytest -q))\nEOF",
        "bash <<EOF\npytest -q\nEOF",
        "bash <<EOF\n\\$(pytest -q)\nEOF",
        "bash <<'EOF'\ncd x && pytest -q\nEOF",
        "bash <<-EOF\n\tpytest -q\n\tEOF",
        "bash -s <<EOF\npytest -q\nEOF",
        "bash -s one two <<EOF\npytest -q\nEOF",
        "sudo -u bob /bin/sh -e <<EOF\npytest -q\nEOF",
        "bash /dev/stdin <<EOF\npytest -q\nEOF",
        "source /dev/stdin <<EOF\npytest -q\nEOF",
        "bash <<EOF && ls\npytest -q\nEOF",
        "bash <<< 'pytest -q'",
        "bash <<<pytest\\ -q",
        "bash 0<<< 'pytest -q'",
        "cat <<EOF | bash\npytest -q\nEOF",
        "cat <<EOF | sudo tee log | bash -x\npytest -q\nEOF",
        "cat - <<EOF | sh\npytest -q\nEOF",
        "echo pytest -q | bash",
        "echo 'pytest -q' | sudo bash",
        "echo -e 'ls\\npytest -q' | sh",
        "echo -n pytest -q |& sh",
        "printf 'ls\\npytest -q\\n' | sh",
        "printf '%s\\n' ls 'pytest -q' | sh",
        "echo pytest -q |\n  bash",
        "echo pytest -q | { cd x; bash; }",
        "echo pytest -q | (cd x; bash)",
        "{ echo ls; echo pytest -q; } | bash",
        "(echo ls; echo pytest -q) | bash",
        "if ls; then echo pytest -q; fi | bash",
        "{ bash; } <<EOF\npytest -q\nEOF",
        "(cd x; bash | cat) <<EOF\npytest -q\nEOF",
        "while true; do bash; done <<< 'pytest -q'",
        "bash < <(echo pytest -q)",
        "bash <(echo pytest -q)",
        "source <(echo pytest -q)",
        ". <(cat <<EOF\npytest -q\nEOF\n)",
        'bash -c "$(echo pytest -q)"',
        'bash -c "`echo pytest -q`"',
        "eval \"$(cat <<'EOF'\ncd x && pytest -q\nEOF\n)\"",
        "eval -- pytest -q",
        "$(echo pytest -q)",
        "ssh host <<EOF\npytest -q\nEOF",
        "ssh -p 22 host bash -s <<EOF\npytest -q\nEOF",
        "ssh host 'cd x && bash' <<EOF\npytest -q\nEOF",
        "echo pytest -q | ssh host",
        "docker exec -i web sh <<EOF\npytest -q\nEOF",
        "kubectl exec -i web -- bash <<EOF\npytest -q\nEOF",
        "bash <<EOF\nbash <<END\npytest -q\nEND\nEOF",
    ],
)
def test_a_shell_runs_it(command: str) -> None:
    assert runs(command)


@table(
    "command",
    [
        "run=pytest; $run -q",
        "run='pytest -q'; $run",
        "run='pytest -q'\ntimeout 5 ${run}",
        'export run=pytest; "$run" -q',
        "run='ls; pytest -q'; eval \"$run\"",
        "run='cd x && pytest -q'; bash -c \"$run\"",
        "run='cd x && pytest -q'; ssh host \"$run\"",
        'run=(pytest -q); "${run[@]}"',
        "for run in ls 'pytest -q'; do $run; done",
        "${PYTHON:-python3} -m pytest -q",
        '"${RUN:-pytest}" -q',
        "sh -c '\"$@\"' _ pytest -q",
        "sh -c 'exec $1 -q' _ pytest",
    ],
)
def test_a_variable_names_the_program(command: str) -> None:
    assert runs(command)
