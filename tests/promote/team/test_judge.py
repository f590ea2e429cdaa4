"""What a person is shown of a project before they trust it: each file, and what keeps it out."""

import os
from pathlib import Path

from lessons.model import lesson_from_document
from lessons.promote.team import judge, trust
from lessons.store import settings
from tests.builders.lessons import Document
from tests.builders.shared import Project, hinting, shared
from tests.tables import table

BAD: dict[str, tuple[Document, str]] = {
    "slow": (shared(triggers={"commandPatterns": ["^(a+)+$"]}), "is left out"),
    "no-regex": (shared(triggers={"commandPatterns": ["("]}), "not a valid regex"),
    "no-trigger": (shared(triggers={}), "triggers is empty"),
    "bad-slug": (shared("../../x"), "slug is"),
    "template": (shared(problem="<what_went_wrong> and some more words"), "placeholder"),
    "short": (shared(summary="short"), "write at least 20"),
    "example": (shared(examples={"fires": ["git status"]}), "should fire and does not"),
    "review": (shared(needsReview=True), "needsReview is true"),
    "unsure": (shared(confidence=0.2), "needsReview is true"),
    "no-reason": (shared(blockReason=""), "blockReason"),
    "hidden": (shared(problem="A forced push replaces what others\u202e have pushed."), "problem has U+202E"),
    "tag characters": (shared(blockReason="The branch is shared.\U000e0041"), "blockReason has U+E0041"),
    "private": (shared(solution="Push with --force-with-lease \ue000 instead."), "solution has U+E000"),
    "in a pattern": (shared(triggers={"commandPatterns": ["git push .*--fo\u200brce"]}), "commandPatterns has U+200B"),
    "in an injection": (shared(injection="Mind\u2066 the branch."), "injection has U+2066"),
}


@table("name", BAD)
def test_what_breaks_a_rule_is_not_taken(name: str, tmp_path: Path) -> None:
    document, sentence = BAD[name]
    project = Project(tmp_path / "shop")
    project.write(document, "a.json")
    [found] = judge(project.path)
    assert any(sentence in problem for problem in found.problems), found.problems


def test_of_two_with_a_slug_the_second_is_not_taken(tmp_path: Path) -> None:
    project = Project(tmp_path / "shop", shared())
    project.write(hinting("no-force-push"), "z.json")
    first, second = judge(project.path)
    assert first.problems == []
    assert second.problems == ["slug is no-force-push, already used by no-force-push.json: rename one."]


def test_what_is_the_persons_own_is_not_taken(tmp_path: Path) -> None:
    project = Project(tmp_path / "shop", shared(), hinting())
    own = lesson_from_document({"id": "own", **hinting("mine")})
    block, hint = judge(project.path, [own], ["own", "mine", "no-force-push"])
    assert block.problems == ["slug is no-force-push, already used by one of your lessons: rename one."]
    assert "the same problem, solution and triggers as mine" in hint.problems[0]


def test_what_nearly_says_the_same_is_not_taken(tmp_path: Path) -> None:
    project = Project(tmp_path / "shop", hinting())
    own = lesson_from_document(
        {"id": "own", **hinting("mine", triggers={"commandPatterns": ["npm install", "npm ci"]})}
    )
    [found] = judge(project.path, [own])
    assert "the same as those of mine" in found.problems[0]


def test_whom_it_would_stop_all_day_is_told(tmp_path: Path) -> None:
    project = Project(tmp_path / "shop", shared(triggers={"toolNames": ["Bash"]}))
    [found] = judge(project.path)
    assert "stops any use of Bash" in found.warnings[0]


def test_what_was_shown_is_what_is_noted(tmp_path: Path) -> None:
    project = Project(tmp_path / "shop", shared(), hinting())
    (project.folder / "bad.json").write_text("{")
    os.symlink("/etc/hosts", project.folder / "link.json")
    judged = judge(project.path)
    project.write(shared(solution="Changed between the look and the answer of the person."))
    trust(str(tmp_path / "home"), project.path, judged, "now")
    known = settings.trusted_projects(str(tmp_path / "home"))[project.path]
    assert known.taken.keys() == {"no-force-push.json", "use-pnpm.json"}
    assert known.refused == {"bad.json": judged[0].file.digest, "link.json": ""}
    assert known.taken["no-force-push.json"] != judge(project.path)[2].file.digest
