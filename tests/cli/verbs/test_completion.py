"""`lessons completion`: a script that a real shell can source, and what it completes then."""

import json
import os

import pytest

from lessons.cli.main import VERBS
from lessons.cli.verbs.completion import SHELLS
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.promotable import write_mistakes
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects

IN_BASH = """
source <(lessons completion bash)
complete -p lessons
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_lessons_completion lessons
printf '%s\\n' "${COMPREPLY[@]}"
"""


def in_bash(lessons: CommandLine, *words: str) -> list[str]:
    ended = lessons.run(["bash", "--norc", "-c", IN_BASH, "bash", *words])
    assert (ended.code, ended.error) == (0, "")
    registered, *found = ended.out.split("\n")
    assert registered.endswith("-F _lessons_completion lessons")
    return sorted(filter(None, found))


def test_an_unknown_shell_is_usage(lessons: CommandLine) -> None:
    assert "'bash', 'zsh', 'fish'" in lessons.refused("completion", "tcsh", code=2)


@pytest.mark.parametrize("shell", SHELLS)
def test_there_is_a_script_for_each_shell(shell: str, lessons: CommandLine) -> None:
    script = lessons.ok("completion", shell)
    assert f"_LESSONS_COMPLETE={shell}_complete" in script


def test_bash_completes_verbs_flags_and_slugs(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson("stash-a"), lesson("stash-b"), lesson("other"))
    assert in_bash(lessons, "lessons", "") == sorted(VERBS.keys() - {"hook"})
    assert in_bash(lessons, "lessons", "un") == ["unarchive", "undo", "uninstall", "unmute"]
    assert in_bash(lessons, "lessons", "show", "st") == ["stash-a", "stash-b"]
    assert in_bash(lessons, "lessons", "config", "get", "minP") == ["minPriority"]
    assert in_bash(lessons, "lessons", "list", "--st") == ["--status"]
    assert in_bash(lessons, "lessons", "scan", "ca") == ["candidates"]
    assert in_bash(lessons, "lessons", "scan", "--fu") == ["--full"]
    assert in_bash(lessons, "lessons", "scan", "candidates", "--a") == ["--all"]
    assert in_bash(lessons, "lessons", "list", "--status", "sh") == ["shadow"]


def test_bash_completes_candidates_projects_and_decisions(lessons: CommandLine) -> None:
    write_mistakes(projects(lessons))
    assert in_bash(lessons, "lessons", "promote", "") == in_bash(lessons, "lessons", "undo", "") == []
    lessons.ok("scan")
    listed = json.loads(lessons.ok("candidates", "--all", "--json"))["candidates"]
    names = sorted(each["fingerprint"] for each in listed)
    assert names
    assert in_bash(lessons, "lessons", "promote", "") == in_bash(lessons, "lessons", "candidates", "") == names
    assert in_bash(lessons, "lessons", "promote", names[0]) == [names[0]]
    folders = in_bash(lessons, "lessons", "forget", "--project", "")
    assert folders and in_bash(lessons, "lessons", "search", "--project", folders[0]) == [folders[0]]
    assert in_bash(lessons, "lessons", "replay", "--project", os.path.basename(folders[0])) == [folders[0]]
    assert in_bash(lessons, "lessons", "forget", "--project", "no-such") == []
    promoted = json.loads(lessons("promote", names[0], "--yes", "--json").out)["promoted"][0]
    assert in_bash(lessons, "lessons", "export", "") == [promoted["lesson"]["slug"]]
    (decision,) = in_bash(lessons, "lessons", "undo", "")
    lessons.ok("undo", decision)
    assert in_bash(lessons, "lessons", "undo", "") == []


def test_a_damaged_file_completes_nothing_and_says_nothing(home: DataHome, lessons: CommandLine) -> None:
    (home.folder / "lessons.json").write_text("{")
    assert in_bash(lessons, "lessons", "show", "") == []
