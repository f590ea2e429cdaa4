"""What trusted projects bring into the build: only files that are as they were, for their project alone."""

import json
from pathlib import Path

import pytest

from lessons.errors import Refused
from lessons.promote.publish.build import publish
from lessons.promote.team import Team, acting, judge, lesson_of, trust, unchanged
from lessons.store import lesson_file, project_folder, settings
from lessons.store.project_folder import ProjectFile
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.shared import Project, hinting, shared
from tests.tables import table

NOW = "2026-01-01T00:00:00Z"


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "shop", shared(), hinting())


def trust_all(home: DataHome, project: Project) -> None:
    trust(home.path, project.path, judge(project.path), NOW)


def team_of(home: DataHome) -> Team:
    return acting(home.path, lesson_file.read(home.path))


def acting_slugs(home: DataHome) -> list[str]:
    return [each.lesson.slug for each in team_of(home).lessons]


def test_nothing_of_a_project_that_is_not_trusted(home: DataHome, project: Project) -> None:
    home.publish(lesson())
    assert acting_slugs(home) == []
    assert list(home.manifest()["lessons"]) == ["id-stash-leaves-files"]


def test_a_changed_a_new_and_a_lost_file_are_left_out_and_told(home: DataHome, project: Project) -> None:
    trust_all(home, project)
    project.write(shared(solution="Push it twice, that will surely help somebody."))
    project.write(hinting("brand-new"))
    (project.folder / "use-pnpm.json").unlink()
    home.publish(lesson())
    assert acting_slugs(home) == []
    again = f"`lessons trust {project.root}`"
    assert publish(home.path).warnings == [
        f"{project.folder}/brand-new.json was added since you trusted the project: run {again}.",
        f"{project.folder}/no-force-push.json was changed since you trusted it: run {again}.",
        f"{project.folder}/use-pnpm.json was removed since you trusted it: run {again}.",
    ]


def test_a_file_that_is_a_link_now_is_left_out(home: DataHome, project: Project) -> None:
    trust_all(home, project)
    file = project.folder / "use-pnpm.json"
    file.rename(project.root / "elsewhere.json")
    file.symlink_to(project.root / "elsewhere.json")
    assert acting_slugs(home) == ["no-force-push"]


def test_a_file_that_was_refused_never_acts(home: DataHome, project: Project) -> None:
    project.write(shared("slow", triggers={"commandPatterns": ["^(a+)+$"]}))
    trust_all(home, project)
    assert acting_slugs(home) == ["no-force-push", "use-pnpm"]
    assert team_of(home).messages == []


def test_a_project_that_is_gone_takes_its_lessons_along(home: DataHome, project: Project) -> None:
    trust_all(home, project)
    project.folder.rename(project.root / "lessons")
    [sentence] = team_of(home).messages
    assert f"run `lessons trust --remove {project.root}`" in sentence
    assert acting_slugs(home) == []


def test_hundreds_of_changes_are_a_few_sentences(home: DataHome, project: Project) -> None:
    trust_all(home, project)
    for number in range(100):
        project.write(shared(f"l{number}"))
    told = team_of(home).messages
    assert len(told) == 11
    assert told[-1] == f"{project.root} has 90 more such files: run `lessons trust {project.root}`."


def test_a_damaged_list_of_projects_trusts_none_and_builds_the_rest(home: DataHome, project: Project) -> None:
    trust_all(home, project)
    (home.folder / "trusted.json").write_text("{")
    report = home.publish(lesson())
    assert report.included == 1
    assert any("trusted.json" in sentence for sentence in report.warnings)


def test_the_persons_own_lesson_wins(home: DataHome, project: Project) -> None:
    trust_all(home, project)
    report = home.publish(lesson("use-pnpm"))
    assert acting_slugs(home) == ["no-force-push"]
    [left_out] = report.excluded
    assert left_out.slug == f"{project.folder}/use-pnpm.json"
    assert "you already have a lesson with this slug" in left_out.reason
    assert home.manifest()["lessons"]["id-use-pnpm"]["summary"] == lesson("use-pnpm")["summary"]


def test_no_id_of_a_file_takes_the_place_of_another_lesson(home: DataHome, project: Project) -> None:
    project.write(shared(id="id-stash-leaves-files", scope={"type": "global"}))
    trust_all(home, project)
    home.publish(lesson())
    lessons = home.manifest()["lessons"]
    assert len(lessons) == 3
    assert lessons["id-stash-leaves-files"]["slug"] == "stash-leaves-files"


def test_whatever_the_file_says_the_scope_is_the_project(home: DataHome, project: Project) -> None:
    project.write(shared(scope={"type": "project", "path": "/"}))
    trust_all(home, project)
    home.publish()
    assert {entry["projectPath"] for entry in home.manifest()["lessons"].values()} == {project.path}


def test_two_checkouts_of_one_repository_both_act(home: DataHome, project: Project, tmp_path: Path) -> None:
    other = Project(tmp_path / "garden", shared())
    trust_all(home, project)
    trust_all(home, other)
    home.publish(lesson())
    roots = {entry.get("projectPath") for entry in home.manifest()["lessons"].values()}
    assert roots == {None, project.path, other.path}


def test_without_lessons_of_ones_own(home: DataHome, project: Project) -> None:
    trust_all(home, project)
    home.publish()
    assert publish(home.path).included == 2
    settings.distrust(home.path, project.path)
    assert publish(home.path).included == 0
    assert home.manifest()["lessons"] == {}


def test_where_lessons_json_was_lost_the_projects_lessons_wait(home: DataHome, project: Project) -> None:
    trust_all(home, project)
    home.publish(lesson())
    (home.folder / "lessons.json").unlink()
    settings.distrust(home.path, project.path)
    assert publish(home.path).included == 1
    assert list(home.manifest()["lessons"]) == ["id-stash-leaves-files"]
    trust_all(home, project)
    assert any("waits until there is a lessons.json" in each for each in publish(home.path).warnings)


def test_a_changed_list_of_projects_makes_the_manifest_stale(home: DataHome, project: Project) -> None:
    from lessons.store import manifest

    home.publish(lesson())
    before = manifest.sources(home.path)
    trust_all(home, project)
    assert manifest.sources(home.path) != before


@table(
    ("content", "sentence"),
    [
        (b"\xff", "it is not UTF-8 text"),
        (b"{", "it is not valid JSON at line 1"),
        (b"[]", "it at line 1, column 1 is not an object"),
        (b'{"slug": "a", "slug": "b"}', "twice"),
        (b"[" * 30_000, "nested too deeply"),
        (b'{"triggers": 1}', "triggers is 1"),
        (b'{"priority": "high"}', "priority is"),
        (json.dumps(shared(triggers={"commandPatterns": ["a"] * 13})).encode(), "13 patterns: use at most 12"),
    ],
)
def test_what_is_no_lesson_is_one_sentence(content: bytes, sentence: str) -> None:
    with pytest.raises(Refused, match=r"^[^\n]*$") as refused:
        lesson_of(ProjectFile("a.json", "/shop/.lessons/a.json", "sha256:", content), "/shop")
    assert sentence in str(refused.value)


def test_a_lesson_without_a_slug_is_called_like_its_file() -> None:
    document = {key: value for key, value in shared().items() if key != "slug"}
    file = ProjectFile("my-rule.json", "", "sha256:", json.dumps(document).encode())
    assert lesson_of(file, "/shop").slug == "my-rule"


def test_private_fields_of_a_file_are_not_taken() -> None:
    document = shared(sourceSessionIds=["s1"], occurrenceCount=9, createdAt="2020-01-01T00:00:00Z")
    lesson = lesson_of(ProjectFile("a.json", "", "sha256:", json.dumps(document).encode()), "/shop")
    assert (lesson.source_session_ids, lesson.occurrence_count, lesson.created_at) == ([], 0, "")


def test_changes_of_a_trusted_project(home: DataHome, project: Project) -> None:
    trust_all(home, project)
    known = settings.trusted_projects(home.path)[project.path]
    assert unchanged(project.path, known)[1] == []
    assert known.taken.keys() == {file.name for file in project_folder.read(project.path)}
