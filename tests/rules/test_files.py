"""Which files are read: hostile ones get one sentence, cycles end, links count once."""

import os
from pathlib import Path

import pytest

from lessons.errors import NotFound, Refused
from lessons.rules.files import LARGEST_FILE, MOST_FILES, found_files, named_files


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return tmp_path / "user"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


def write(path: Path, text: str = "- Never run `rm -rf`.\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def names(project: Path, user: Path) -> list[str]:
    found = found_files(str(project), str(user))
    assert found.skipped == []
    return [os.path.relpath(each.path, project.parent) for each in found.files]


def test_a_huge_file_is_skipped_with_a_sentence(project: Path, user: Path) -> None:
    with open(project / "CLAUDE.md", "wb") as file:
        file.truncate(50 * LARGEST_FILE)
    write(project / "AGENTS.md")
    found = found_files(str(project), str(user))
    assert [os.path.basename(each.path) for each in found.files] == ["AGENTS.md"]
    assert found.skipped == [f"{project}/CLAUDE.md was skipped: it is larger than 1 MB."]


def test_what_is_no_regular_text_is_skipped(project: Path, user: Path) -> None:
    os.mkfifo(project / "CLAUDE.md")
    (project / "GEMINI.md").mkdir()
    (project / "AGENTS.md").write_bytes(b"\xff\xfe\x00")
    os.symlink("/dev/zero", project / "QWEN.md")
    os.symlink(project / "nothing", project / ".cursorrules")
    found = found_files(str(project), str(user))
    assert found.files == []
    assert len(found.skipped) == 5 and all(each.count("was skipped:") == 1 for each in found.skipped)


def test_cycles_of_imports_end(project: Path, user: Path) -> None:
    write(project / "CLAUDE.md", "See @docs/a.md and @CLAUDE.md.\n")
    write(project / "docs/a.md", "@./b.md @../CLAUDE.md @missing.md @../../etc/passwd")
    write(project / "docs/b.md", "@a.md `@c.md`\n```\n@c.md\n```\nmail@c.md @~/c.md")
    write(project / "docs/c.md")
    assert names(project, user) == ["shop/CLAUDE.md", "shop/docs/a.md", "shop/docs/b.md"]


def test_imports_have_a_depth_and_a_number(project: Path, user: Path) -> None:
    write(project / "CLAUDE.md", "@n0.md")
    for number in range(20):
        write(project / f"n{number}.md", f"@n{number + 1}.md")
    assert len(names(project, user)) == 6
    write(project / "CLAUDE.md", " ".join(f"@m{number}.md" for number in range(300)))
    for number in range(300):
        write(project / f"m{number}.md")
    found = found_files(str(project), str(user))
    assert len(found.files) == MOST_FILES and len(found.skipped) == 1


def test_all_places_are_read_once(project: Path, user: Path) -> None:
    write(user / ".claude/CLAUDE.md", "@~/own.md")
    write(user / "own.md")
    write(user / ".codex/AGENTS.md")
    memory = str(project).replace("/", "-").replace("_", "-")
    write(user / f".claude/projects/{memory}/memory/MEMORY.md")
    write(project / "CLAUDE.md")
    os.symlink("CLAUDE.md", project / "AGENTS.md")
    for name in (".cursor/rules/a/style.mdc", ".github/copilot-instructions.md", "GEMINI.md", ".cursorrules"):
        write(project / name)
    write(project / "docs/other.md")
    found = found_files(str(project), str(user))
    own = [each for each in found.files if not each.project]
    assert [os.path.basename(each.path) for each in own] == ["CLAUDE.md", "own.md", "AGENTS.md"]
    assert {os.path.basename(each.path) for each in found.files if each.project == str(project)} == {
        "MEMORY.md", "CLAUDE.md", "style.mdc", "copilot-instructions.md", "GEMINI.md", ".cursorrules",
    }  # fmt: skip


def test_named_files(project: Path, user: Path) -> None:
    inside, outside = write(project / "docs/rules.md"), write(user.parent / "team/rules.md")
    found = named_files([str(inside), str(outside)], str(project), str(user)).files
    assert [each.project for each in found] == [str(project), str(outside.parent)]
    with pytest.raises(NotFound, match="No file"):
        named_files([str(project / "none.md")], str(project), str(user))
    (project / "bad.md").write_bytes(b"\xff\xfe")
    with pytest.raises(Refused, match="not UTF-8"):
        named_files([str(project / "bad.md")], str(project), str(user))
