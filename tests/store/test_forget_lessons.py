"""Lessons keep their words and what a person wrote; examples and sessions of what is forgotten go, in copies too."""

import json
import os
from pathlib import Path

import pytest

from lessons.errors import DamagedFile
from lessons.store import decisions as all_decisions
from lessons.store import forget, forget_lessons
from lessons.store.decisions import Decision
from lessons.store.forget_scope import ForgetScope, Traces
from lessons.store.history.forget import Gone, QuotedTexts
from tests.builders.lessons import lesson
from tests.tables import table

SESSION, OTHER = "session-gone", "session-left"
FIRES = ["stir saffron", {"tool": "Edit", "path": "/shop/saffron.py"}, {"tool": "mcp__x", "error": "saffron is hot\nx"}]


def traces(**told: object) -> Traces:
    given = {"sessions": {SESSION}, "touched": {SESSION}, "quoted": {"stir saffron"}, "candidates": {"fix-1"}, **told}
    return Traces(ForgetScope(folders=("/shop",)), Gone(**given))  # type: ignore[arg-type]


def stored(home: Path, *records: dict[str, object], name: str = "lessons.json") -> Path:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"lessons": list(records)}), encoding="utf-8")
    return path


def left(path: Path) -> dict[str, object]:
    [record] = json.loads(path.read_text())["lessons"]
    assert isinstance(record, dict)
    return record


# What must stay.


@table(
    ("record", "told"),
    [
        (lesson(examples={"fires": ["stir saffron"]}), {}),  # a person wrote it, whoever may call the same
        (lesson(examples={"fires": ["stir saffron"]}, sourceSessionIds=[OTHER]), {}),
        (lesson(examples={"fires": ["stir thyme"]}, sourceSessionIds=[OTHER, 7]), {}),
        (lesson(examples="broken", sourceSessionIds="broken"), {}),
        (lesson(examples={"fires": "stir saffron", "quiet": [7, None]}), {}),
    ],
)
def test_what_stays_as_it_is(record: dict[str, object], told: dict[str, object], tmp_path: Path) -> None:
    path = stored(tmp_path, record)
    before = path.read_bytes()
    assert forget_lessons.clean_lessons(str(tmp_path), traces(**told), [], act=True).examples == 0
    assert path.read_bytes() == before


def test_a_damaged_file_is_told_before_anything_is_forgotten(tmp_path: Path) -> None:
    (tmp_path / "lessons.json").write_text("{")
    with pytest.raises(DamagedFile):
        forget_lessons.quoted_in(str(tmp_path), [])


# What goes.


def test_examples_and_sessions_go_and_the_words_stay(tmp_path: Path) -> None:
    record = lesson(examples={"fires": [*FIRES, "stir thyme"], "quiet": []}, sourceSessionIds=[SESSION, OTHER])
    path = stored(tmp_path, record)
    quoted = forget_lessons.quoted_in(str(tmp_path), [])
    assert quoted == QuotedTexts(
        frozenset({"stir saffron", "stir thyme"}), frozenset({"/shop/saffron.py", "saffron is hot"})
    )
    said = traces(quoted={"stir saffron", "/shop/saffron.py", "saffron is hot"})
    cleaned = forget_lessons.clean_lessons(str(tmp_path), said, [], act=False)
    assert (cleaned.examples, cleaned.slugs) == (3, ["stash-leaves-files"])
    assert "saffron" in path.read_text()
    assert forget_lessons.clean_lessons(str(tmp_path), said, [], act=True) == cleaned
    assert left(path) == {**record, "examples": {"fires": ["stir thyme"], "quiet": []}, "sourceSessionIds": [OTHER]}


def test_a_lesson_known_by_its_candidate_alone(tmp_path: Path) -> None:
    """A lesson names five sessions at most, and evidence that came later none at all."""
    path = stored(tmp_path, lesson(examples={"fires": ["stir saffron"]}))
    decided = [Decision(time="2026", id="x", action="merged", fingerprint="fix-1", lesson="id-stash-leaves-files")]
    forget_lessons.clean_lessons(str(tmp_path), traces(), decided, act=True)
    assert "examples" not in left(path)


def test_copies_too_and_a_damaged_one_is_told(tmp_path: Path) -> None:
    record = lesson(examples={"fires": ["stir saffron"]}, sourceSessionIds=[SESSION])
    copies = [
        stored(tmp_path, record, name=f"backups/{name}") for name in ("lessons-2026-01-01.json", "b/lessons.json")
    ]
    damaged = tmp_path / "backups" / "lessons-2026-01-02.json"
    damaged.write_text('{"stir saffron')
    cleaned = forget_lessons.clean_lessons(str(tmp_path), traces(), [], act=True)
    assert cleaned.unreadable == [str(damaged)]
    assert [left(path).get("examples") for path in copies] == [None, None]


def line(**fields: object) -> str:
    return json.dumps(
        {"time": "2026-01-01T00:00:00Z", "id": "1", "decision": "archived", "fingerprint": "fix-1", **fields}
    )


@table(
    ("text", "after"),
    [
        ('{"time":"1","decision":"muted","slug":"saffron-x"}', '{"time":"1","decision":"muted","slug":"saffron-x"}'),
        ('{"time":"1","decision":"forgotten","project":"abc"}', '{"time":"1","decision":"forgotten","project":"abc"}'),
        (line(fingerprint="fix-2", reason="saffron"), line(fingerprint="fix-2", reason="saffron")),
        (line(reason="saffron"), line()),
        (line(before={"sourceSessionIds": [SESSION, OTHER]}), line(before={"sourceSessionIds": [OTHER]})),
        (line(digest="d", lesson="one"), line(lesson="one")),
        (line(digest="d", lesson="two"), line(digest="d", lesson="two")),
        ('{"time":"1","decision":"archi', ""),
        ('{"time":"1","decision":"archi' + line(reason="saffron"), line()),
    ],
)
def test_decisions_keep_what_was_decided(text: str, after: str, tmp_path: Path) -> None:
    for name in ("decisions.jsonl", "backups/b/decisions.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text + "\n")
    arguments = (str(tmp_path), traces(), {"one"})
    looked = forget_lessons.clean_decisions(*arguments, act=False)
    assert forget_lessons.clean_decisions(*arguments, act=True) == looked
    for name in ("decisions.jsonl", "backups/b/decisions.jsonl"):
        found = (tmp_path / name).read_text().strip()
        assert (json.loads(found) if found else "") == (json.loads(after) if after else "")


def test_the_slug_of_a_lesson_that_is_gone_goes_with_it(tmp_path: Path) -> None:
    """It is made of the words of the candidate; that of a lesson which is there stays."""
    lines = [line(decision="promoted", slug=slug) for slug in ("saffron-burns-a1b2", "kept-c3d4")]
    (tmp_path / "decisions.jsonl").write_text("\n".join([*lines, '{"time":"1","slug":"saffron-burns-a1b2"}', ""]))
    stored(tmp_path, lesson(slug="kept-c3d4"))
    forget_lessons.clean_decisions(str(tmp_path), traces(), set(), act=True)
    assert "saffron" not in (tmp_path / "decisions.jsonl").read_text()
    assert [each.slug for each in all_decisions.read(str(tmp_path))] == ["", "kept-c3d4"]


def test_left_overs_go_and_what_is_being_written_stays(tmp_path: Path) -> None:
    for name in (".lessons.json.abc.tmp", "projects/x/state/.handoff.json.abc.tmp", "backups/.unfinished-b/history.db"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("saffron")
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / ".config.json.abc.tmp").touch()
    forget.remove_leftovers(str(tmp_path))
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [".config.json.abc.tmp"]
