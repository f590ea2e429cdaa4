"""A lesson stays joined to its mistakes: new occurrences are counted, and say whether it still holds."""

import codecs
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from lessons import config
from lessons.hook.background import is_stale
from lessons.promote import decide
from lessons.promote.candidate import Candidate
from lessons.promote.draft import Choice
from lessons.promote.queue import put_triggers, whole
from lessons.promote.undo import undo_change
from lessons.prove import tend
from lessons.prove.next_step import Proposal
from lessons.prove.opportunities import lessons_of, sessions_learned_from
from lessons.prove.update import after_scan
from lessons.scan.run import Options, run
from lessons.store import decisions
from lessons.store.history.history import History
from tests.builders.days import GARDEN, SHOP, Did, on_day
from tests.tables import table

UNKNOWN = "Exit code 1\nunknown flag: --stat"
STAT, NAMES = Did("gh pr diff 7 --stat", UNKNOWN), Did("gh pr diff 7 --name-only")
VIEW, PLAIN = Did("gh pr view 3 --stat", UNKNOWN), Did("gh pr view 3")
OTHER = Did("lamp polish --lux", "Exit code 2\nlamp: no such room: attic")
CREATED = "2026-09-10T00:00:00Z"  # between what it was learned from and what came later


class Story:
    """Sessions that are read one after the other, and a person who decides."""

    def __init__(self, folder: Path) -> None:
        self.home = str(folder / "data")
        self.projects = folder / "projects"
        os.mkdir(self.home)
        self.file = folder / "data" / "lessons.json"

    def scan(self, *days: tuple[float, Sequence[Did]], cwd: str = SHOP) -> list[str]:
        problems: list[str] = []
        for day, calls in days:
            on_day(day, *calls, cwd=cwd).write(self.projects)
        options = Options([str(self.projects)], processes=1)
        run(self.home, options, then=lambda history: problems.extend(after_scan(history)))
        return problems

    def queue(self) -> list[Candidate]:
        with History.for_reading(self.home) as history:
            found = whole(history, config.load(self.home, {}))
            put_triggers(history, found)
        return found

    def promoted(self, *calls: Did, **changes: object) -> "Story":
        """A lesson from two sessions with these calls, some time ago; `changes` are of its record."""
        self.scan((1, calls), (2, calls))
        [candidate] = self.queue()
        decide.promote(self.home, candidate, Choice())
        self.write({**self.record, "createdAt": CREATED, **changes})
        return self

    @property
    def record(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.file.read_text(encoding="utf-8-sig"))["lessons"][0]
        return found

    def write(self, *records: dict[str, Any]) -> None:
        kept = [{key: value for key, value in each.items() if value is not None} for each in records]
        self.file.write_text(json.dumps({"lessons": kept}, indent=2), encoding="utf-8")

    def proposals(self) -> list[Proposal]:
        return tend.proposals(self.home, "2026-09-20T00:00:00Z")


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return Story(tmp_path)


# What must not happen.


def with_count(count: str) -> Callable[[str], str]:
    return lambda text: text.replace('"occurrenceCount": 2', f'"occurrenceCount": {count}')


@table(
    ("by_hand", "calls", "said"),
    [
        (str, (Did("ls"),), ""),
        (str, (OTHER, Did("lamp polish")), ""),  # another mistake
        (lambda text: text[:-3], (STAT, NAMES), "is not valid JSON"),
        (lambda text: '{"lessons": 7}', (STAT, NAMES), "not a list of records"),
        (lambda text: '{"lessons": []}', (STAT, NAMES), ""),
        (with_count("40"), (STAT, NAMES), ""),  # a person has seen it elsewhere too
        (with_count('"often"'), (STAT, NAMES), ""),
        (lambda text: text.replace("fix-", "nobody-"), (STAT, NAMES), ""),
        (lambda text: json.dumps({"lessons": 2 * json.loads(text)["lessons"]}), (STAT, NAMES), ""),
    ],
)
def test_a_scan_leaves_the_file_alone(
    tmp_path: Path, by_hand: Callable[[str], str], calls: Sequence[Did], said: str
) -> None:
    story = Story(tmp_path).promoted(STAT, NAMES)
    story.file.write_text(by_hand(story.file.read_text()))
    before = story.file.read_bytes(), os.stat(story.file).st_mtime_ns
    problems = story.scan((12, calls))
    assert [said in each for each in problems] == ([True] if said else [])
    assert (story.file.read_bytes(), os.stat(story.file).st_mtime_ns) == before
    assert not [name for name in os.listdir(story.home) if "damaged" in name]


def test_no_file_is_made_to_count_in(story: Story) -> None:
    os.unlink(story.promoted(STAT, NAMES).file)
    assert story.scan((12, [STAT, NAMES])) == []
    assert not story.file.exists()


def test_what_was_made_later_is_no_source_of_the_lesson(story: Story) -> None:
    story.promoted(STAT, NAMES).scan((12, [STAT, NAMES]))
    assert len(story.record["sourceSessionIds"]) == 3
    with History.for_reading(story.home) as history:
        [lesson] = lessons_of(story.home)
        assert len(sessions_learned_from(history, [lesson])[lesson.id]) == 2


# What happens.


@table("mark", [b"", codecs.BOM_UTF8])
@table("line_end", ["\n", "\r\n"])
@table(("indent", "colon"), [(3, '": '), (None, '": '), ("\t", '"  :  ')])
def test_only_the_count_and_the_sessions_change(
    tmp_path: Path, indent: int | str | None, colon: str, line_end: str, mark: bytes
) -> None:
    story = Story(tmp_path).promoted(STAT, NAMES)
    other = {"id": "other", "slug": "other", "summary": "s" * 20, "problem": "p" * 20, "solution": "q" * 20}
    lessons = [{**story.record, "mine": {"x": ["a", None]}}, other]
    text = json.dumps({"comment": "mine", "lessons": lessons}, indent=indent)
    text = text.replace('": ', colon).replace('"a",', '"a"   ,').replace("\n", line_end)
    story.file.write_bytes(mark + text.encode())
    *_, last = story.record["sourceSessionIds"]
    assert story.scan((12, [STAT, NAMES])) == []
    after = story.file.read_bytes()
    *_, new = story.record["sourceSessionIds"]
    assert (after.startswith(mark), new != last) == (True, True)
    place = after.decode("utf-8-sig")
    added = place[place.index(f'"{last}"') + len(last) + 2 : place.index(f'"{new}"')] + f'"{new}"'
    assert added.strip(" \t\r\n").startswith(",")
    assert place.replace(added, "").replace(f"occurrenceCount{colon}3", f"occurrenceCount{colon}2") == text


def test_five_sessions_and_every_occurrence(story: Story) -> None:
    story.promoted(STAT, NAMES)
    story.scan(*((12 + day, [STAT, NAMES, STAT, NAMES]) for day in range(6)))
    assert (story.record["occurrenceCount"], len(story.record["sourceSessionIds"])) == (14, 5)
    assert not is_stale(story.home)
    assert [each.stage for each in lessons_of(story.home)] == ["active"]


def test_a_lesson_that_names_a_candidate_has_promoted_it(story: Story) -> None:
    story.promoted(STAT, NAMES)
    os.unlink(Path(story.home, "decisions.jsonl"))
    story.scan((12, [STAT, NAMES]))
    assert story.queue() == []
    record = story.record
    story.write({**record, "fingerprints": []})
    story.scan((13, [STAT, NAMES]))
    assert [each.occurrence_count for each in story.queue()] == [4]
    story.file.write_text("{")
    story.scan((14, [STAT, NAMES]))
    assert len(story.queue()) == 1
    story.write(record)
    story.scan((15, [STAT, NAMES]))
    assert (story.queue(), story.record["occurrenceCount"]) == ([], 6)
    story.file.write_text("{")
    story.scan((16, [STAT, NAMES]))
    assert story.queue() == []


def test_a_lesson_of_an_earlier_version_is_found_by_the_decision(story: Story) -> None:
    story.promoted(STAT, NAMES, fingerprints=None)
    assert "fingerprints" not in story.record
    story.scan((12, [STAT, NAMES]))
    assert (story.queue(), story.record["occurrenceCount"]) == ([], 3)


def test_a_promotion_is_undone_however_often_it_was_seen_since(story: Story) -> None:
    story.scan((1, [STAT, NAMES]), (2, [STAT, NAMES]))
    decide.promote(story.home, story.queue()[0], Choice())
    story.scan((12, [STAT, NAMES]))
    assert story.record["occurrenceCount"] == 3
    undo_change(story.home)
    assert json.loads(story.file.read_text())["lessons"] == []
    assert len(story.queue()) == 1


def test_a_merged_candidate_counts_until_that_is_undone(story: Story) -> None:
    story.promoted(STAT, NAMES).scan((3, [OTHER, Did("lamp polish")]))
    [other] = story.queue()
    slug = story.record["slug"]
    decide.merge(story.home, other, slug)
    assert (story.record["occurrenceCount"], len(story.record["fingerprints"])) == (3, 2)
    story.scan((12, [OTHER, Did("lamp polish"), STAT, NAMES]))
    assert (story.queue(), story.record["occurrenceCount"]) == ([], 5)
    undo_change(story.home, decisions.read(story.home)[-1].id)
    assert [each.fingerprint for each in story.queue()] == [other.fingerprint]
    story.scan((13, [OTHER, Did("lamp polish"), STAT, NAMES]))
    assert (len(story.record["fingerprints"]), story.record["occurrenceCount"]) == (1, 4)


# What new occurrences say about a lesson.

NARROW = {"commandPatterns": ["^gh pr diff .*--stat"], "matchOn": "invocation"}
BROAD = {"commandPatterns": ["^gh pr diff"], "matchOn": "invocation"}


@table(
    ("changes", "days", "cwd"),
    [
        ({}, [(12, [STAT, NAMES])], SHOP),
        ({}, [(12, [VIEW, PLAIN])], SHOP),  # the trigger is about every `gh` with this option
        # What happened before the lesson, or elsewhere, says nothing about its trigger.
        ({"triggers": NARROW, "examples": None}, [(3, [VIEW, PLAIN])], SHOP),
        (
            {"triggers": NARROW, "examples": None, "scope": {"type": "project", "path": SHOP}},
            [(12, [VIEW, PLAIN])],
            GARDEN,
        ),
        # A person said that it must not fire there.
        ({"triggers": NARROW, "examples": {"quiet": ["gh pr view 3 --stat"]}}, [(12, [VIEW, PLAIN])], SHOP),
        ({"triggers": {"sessionStart": True}, "examples": None}, [(12, [VIEW, PLAIN])], SHOP),
        ({"triggers": NARROW, "examples": None, "stage": "retired"}, [(12, [VIEW, PLAIN])], SHOP),
    ],
)
def test_nothing_is_called_into_question(
    tmp_path: Path, changes: dict[str, object], days: list[tuple[float, list[Did]]], cwd: str
) -> None:
    story = Story(tmp_path)
    story.promoted(STAT, NAMES, **changes).scan(*days, cwd=cwd)
    assert story.proposals() == []


def test_a_trigger_that_misses_its_mistake(story: Story) -> None:
    story.promoted(STAT, NAMES, triggers=NARROW, examples=None).scan((12, [VIEW, PLAIN, STAT, NAMES]))
    [found] = story.proposals()
    assert (found.step, found.evidence["missed"], found.evidence["caught"]) == ("new-trigger", 1, 1)
    before = story.record
    made = tend.carry_out(story.home, found)
    assert story.record["triggers"]["commandPatterns"][0] == NARROW["commandPatterns"][0], "the person's own stays"
    assert len(story.record["triggers"]["commandPatterns"]) == 2
    assert story.proposals() == []
    undo_change(story.home, made.id)
    assert story.record["triggers"] == before["triggers"]
    assert story.proposals() == [], "nor is it proposed again for the same calls"


def test_a_trigger_that_fires_on_what_worked(story: Story) -> None:
    story.promoted(STAT, NAMES, triggers=BROAD, examples=None).scan((12, [STAT, NAMES]))
    [found] = story.proposals()
    assert (found.step, found.evidence["alarmed"], found.evidence["missed"]) == ("new-trigger", 1, 0)
    before = story.record
    made = tend.carry_out(story.home, found)
    assert story.record["triggers"]["commandPatterns"] == [r"^gh pr\b.*\s--stat(?![\w-])"]
    undo_change(story.home, made.id)
    assert story.record["triggers"] == before["triggers"]


def test_a_trigger_that_nothing_better_is_known_for(story: Story) -> None:
    """Twice in two sessions, and what would fire there contradicts an example: only the person can tell."""
    story.promoted(STAT, NAMES, triggers=NARROW, examples={"quiet": ["gh pr view 3 --stat"]})
    story.scan((12, [VIEW, PLAIN]), (13, [VIEW, PLAIN]))
    [found] = story.proposals()
    assert (found.step, found.changes) == ("new-trigger", None)
    assert "change its trigger with `lessons edit`" in found.reason


def test_a_text_without_a_call_that_worked(story: Story) -> None:
    story.promoted(STAT).scan((12, [STAT, NAMES]))
    assert "The error said" in story.record["solution"]
    [found] = story.proposals()
    assert found.step == "new-text"
    assert "no call that worked was known: take this text" in found.reason
    before = story.record
    made = tend.carry_out(story.home, found)
    assert "This worked: `gh pr diff 7 --name-only`" in story.record["solution"]
    undo_change(story.home, made.id)
    assert {key: story.record[key] for key in ("summary", "problem", "solution")} == {
        key: before[key] for key in ("summary", "problem", "solution")
    }


def test_a_text_whose_call_has_failed_since(story: Story) -> None:
    brief = Did("gh pr diff 7 --brief", "")
    story.promoted(STAT, brief).scan((12, [Did("gh pr diff 7 --brief", UNKNOWN), NAMES, STAT, NAMES]))
    assert "--brief" in story.record["solution"]
    found = [each for each in story.proposals() if each.changes]
    assert ["a call that worked has failed since" in each.reason for each in found] == [True]
    assert "--name-only" in str(found[0].changes and found[0].changes["solution"])


def test_a_text_that_a_person_wrote_stays(story: Story) -> None:
    own = "Ask somebody who knows what to do here."
    story.promoted(STAT, solution=own).scan((12, [STAT, NAMES]))
    assert story.proposals() == []
