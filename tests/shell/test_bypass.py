"""Options, assignments and settings that skip a check, certainly or sometimes."""

from lessons.shell.bypass import (
    bypasses_check,
    disables_check,
    forces,
    is_unsafe_line,
    may_bypass_check,
    may_disable_check,
    names_unsafe,
)
from tests.tables import table


@table(
    "command",
    [
        "git commit --no-verify",
        "git commit -anm x",
        "git -C web push -f",
        "docker compose down -v",
        "npm install -f",
        "mvn package -DskipTests",
    ],
)
def test_unsafe_options(command: str) -> None:
    words = command.split()
    assert bypasses_check(words)
    assert not bypasses_check(words, words)
    assert any(may_bypass_check(words, word) for word in words)


@table("command", ["git commit -am x", "tail -f a.log", "docker compose -f a.yml up", "git log -n 5"])
def test_other_options(command: str) -> None:
    words = command.split()
    assert not bypasses_check(words)
    assert not any(may_bypass_check(words, word) for word in words)


@table("option", ["--force-recreate", "--skip-download", "--legacy-peer-deps", "--no-deps"])
def test_doubtful_options(option: str) -> None:
    assert may_bypass_check(["lamp", option], option)
    assert not bypasses_check(["lamp", option])


def test_assignments_and_settings() -> None:
    assert disables_check("HUSKY=0 git commit", "git commit")
    assert disables_check("git -c core.hooksPath=/dev/null commit", "git commit")
    assert not disables_check("HUSKY=0 git commit", "HUSKY=0 git comit")
    assert not disables_check("SKIP_DOWNLOAD=1 npm ci", "npm ci")
    assert all(map(may_disable_check, ("HUSKY=0", "SKIP=lint", "GIT_SSL_NO_VERIFY=1", "SKIP_DOWNLOAD=1")))
    assert not may_disable_check("PYTHONPATH=src")


@table("command", ["git rm a", "npm run rm", "lamp kill", "cd rm", "LUX=1 lamp on", "perform", "docker rm -f a"])
def test_what_does_not_force(command: str) -> None:
    assert not forces(command)


@table("command", ["sudo lamp on", "rm a.lock", "cd a && rm -rf b", "LUX=1 sudo lamp", "kill 7", "sudo"])
def test_what_forces(command: str) -> None:
    assert forces(command)


@table(
    "line",
    [
        "git status",
        "git checkout main",
        "git restore --staged a.py",
        "git reset HEAD~1",
        'git commit -m "Explain --force and rm -rf"',
        'grep -rn "sudo rm -rf" src',
        "rg delete src",
        "grep --ignore-case x a",
        "npm publish --access public",
        "docker compose down",
        "make build --prune=false",
        "chmod 755 a",
        "cat > a.txt <<E\nx\nE",
        "> /dev/null make",
        "make > a.log 2>&1",
        "git checkout --track origin/a",
        "bin/rails db:migrate",
    ],
)
def test_safe_line(line: str) -> None:
    assert not is_unsafe_line(line)


@table(
    "line",
    [
        # skips a check
        "gh pr merge 7 --admin",
        "git push --no-verify",
        "SKIP=lint git commit -m x",
        "npm ci --legacy-peer-deps",
        "make test || true",
        # forces
        "git push --force-with-lease",
        "git push origin +main",
        "pip install --force-reinstall x",
        "sudo make install",
        # deletes
        "rm -rf x",
        "/bin/rm x",
        "timeout 5 rm x",
        "for f in a b; do rm $f; done",
        "ls | xargs rm",
        "bash -c 'rm -rf x'",
        "ssh host 'cd a && rm -rf x'",
        "find . -name x -delete",
        "kubectl delete pod x",
        "gh repo delete x --yes",
        "curl -X DELETE https://a.test/x",
        "python -c 'import shutil; shutil.rmtree(1)'",
        "rsync -a --delete a b",
        "Remove-Item -Recurse x",
        'psql -c "DELETE FROM users"',
        # discards
        "git reset --hard",
        "git checkout .",
        "git checkout HEAD -- a.py",
        "git stash drop",
        "git rebase --skip",
        "git gc --prune=now",
        "git push --mirror",
        "git checkout --theirs a.py",
        "git reset --keep HEAD~1",
        "git reflog expire --expire=now --all",
        "git filter-repo --invert-paths",
        "bin/rails db:drop",
        "mongosh --eval 'db.dropDatabase()'",
        "chmod -R 777 .",
        "dd if=a of=/dev/sda",
        "mkfs.ext4 /dev/sda",
        "cat /dev/null > data.db",
        "make && > data.db",
    ],
)
def test_unsafe_line(line: str) -> None:
    assert is_unsafe_line(line)


@table(
    "sentence", ["The option is gone since version 2.", "I check the test and its rules.", "Use `git push -u` instead."]
)
def test_safe_sentence(sentence: str) -> None:
    assert not names_unsafe(sentence)


@table(
    "sentence",
    ["Let me force-push.", "I skip the pre-commit hook.", "Use `bash -c 'rm -rf x'`.", "With --no-verify it works."],
)
def test_unsafe_sentence(sentence: str) -> None:
    assert names_unsafe(sentence)
