"""What a CI job is told about shared lessons: one line for each problem, none for what is in order."""

from pathlib import Path

import pytest

from lessons.errors import NotFound
from lessons.promote.team import verify
from tests.builders.lessons import Document
from tests.builders.shared import Project, hinting, shared
from tests.tables import table


@table(
    ("document", "sentence"),
    [
        (shared(summary=3), "summary is 3: write a text in double quotes."),
        (shared(triggers={"commandPatterns": ["^(a+)+$"]}), "It takes more than 50 ms"),
        (shared(examples={"quiet": ["git push --force"]}), "should be left alone and fires"),
        (shared(summry="A slip of the pen in a key"), '"summry" is not a field of a lesson'),
        (shared(triggers={"commandPattern": ["x"], "toolNames": ["Bash"]}), '"triggers.commandPattern" is not a field'),
    ],
)
def test_what_is_wrong_is_one_line(document: Document, sentence: str, tmp_path: Path) -> None:
    project = Project(tmp_path / "shop", document)
    found = verify([project.path])
    assert any(sentence in each.sentence for each in found.problems), found.problems
    for each in found.problems:
        assert each.file == f"{project.folder}/no-force-push.json"
        assert len(each.sentence.splitlines()) == 1


def test_a_slug_that_is_there_twice(tmp_path: Path) -> None:
    project = Project(tmp_path / "shop", shared())
    project.write(hinting("no-force-push"), "other.json")
    [problem] = verify([project.path]).problems
    assert problem == (f"{project.folder}/other.json", problem.sentence)
    assert "already used by no-force-push.json" in problem.sentence


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    for place in ("nowhere", "."):
        with pytest.raises(NotFound):
            verify([str(tmp_path / place)])


def test_a_folder_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / ".lessons").write_text("")
    [problem] = verify([str(tmp_path)]).problems
    assert "is not a plain folder" in problem.sentence


def test_a_project_its_folder_and_its_files_come_out_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path / "shop", shared(), hinting())
    files = sorted(map(str, project.folder.iterdir()))
    assert verify([project.path]) == verify([str(project.folder)]) == verify(files) == (2, [])
    assert verify([*files, *files, project.path]) == (2, [])
    (project.folder / "use-pnpm.json").write_text("{")
    monkeypatch.chdir(project.root)
    assert verify(["."]).problems == verify([".lessons"]).problems == verify([".lessons/use-pnpm.json"]).problems
    assert verify(["."]).problems[0].file == ".lessons/use-pnpm.json"


def test_one_project_may_have_what_another_has(tmp_path: Path) -> None:
    one, other = Project(tmp_path / "shop", shared()), Project(tmp_path / "garden", shared())
    assert verify([one.path, other.path]) == (2, [])
