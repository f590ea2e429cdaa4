"""From a candidate to a lesson and back: nothing unsafe comes in, nothing is lost, and decisions stay."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lessons import config
from lessons.errors import NotFound, Refused
from lessons.model import Scope, Triggers
from lessons.promote import catalog, decide
from lessons.promote.backtest_report import Effect
from lessons.promote.candidate import Candidate
from lessons.promote.draft import Choice, Draft, error_choice, make_draft, tags_of
from lessons.promote.queue import shown
from lessons.promote.undo import undo_change
from lessons.scan.run import Options, run
from lessons.store import decisions
from lessons.store.decisions import Decision
from lessons.store.history import database
from lessons.store.history.history import History
from tests.builders.candidates import put_into
from tests.builders.promotable import TAG, write_mistakes


@pytest.fixture
def home(tmp_path: Path) -> str:
    """A history of eight sessions with the same mistake, the last with a tag."""
    write_mistakes(tmp_path / "projects", tag=TAG)
    home = tmp_path / "data"
    home.mkdir()
    run(str(home), Options([str(tmp_path / "projects")], processes=1))
    return str(home)


def queue(home: str) -> list[Candidate]:
    with History.for_reading(home) as history:
        return shown(history, config.load(home, {}), everything=True).candidates


def draft(home: str, candidate: Candidate, choice: Choice | None = None) -> Draft:
    with History.for_reading(home) as history:
        return make_draft(history, config.load(home, {}), candidate, choice or Choice(), [])


def records(home: str) -> list[dict[str, object]]:
    path = Path(home, "lessons.json")
    found: list[dict[str, object]] = json.loads(path.read_text())["lessons"] if path.exists() else []
    return found


# What must not happen.


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (Choice(summary=" "), "summary is"),
        (Choice(problem="<what_went_wrong>" + " " * 20), "placeholder"),
        (
            Choice(problem="The call has no option for it", solution="The call has no option for it"),
            "repeats the problem",
        ),
        (Choice(triggers=Triggers(command_patterns=["running the tests"])), "a description"),
        (Choice(triggers=Triggers(command_patterns=["(a+)+$"])), "left out"),
        (Choice(triggers=Triggers(command_patterns=["("])), "not a valid regex"),
        (Choice(triggers=Triggers()), "triggers is empty"),
        (Choice(effect="block", triggers=Triggers(command_patterns=["gh pr"])), "block needs"),
        (Choice(effect="stopOnce", session_start=True), "stop once needs a trigger"),
        (Choice(tags=["no tag"]), "tags has"),
        (Choice(scope=Scope(type="project", path="relative")), "scope.path"),
        (Choice(priority=11), "priority is 11"),
    ],
)
def test_what_is_refused_leaves_no_trace(home: str, choice: Choice, words: str) -> None:
    candidate = queue(home)[0]
    with pytest.raises(Refused) as refused:
        decide.promote(home, candidate, choice)
    assert words in str(refused.value)
    assert (records(home), decisions.read(home)) == ([], [])
    assert len(queue(home)) == 2


@pytest.mark.parametrize("tier", [1, 3])
@pytest.mark.parametrize("effect", ["hint", "stopOnce", "block"])
def test_what_somebody_wrote_does_not_act_before_a_person_has_read_it(home: str, tier: int, effect: Effect) -> None:
    """Whoever is asked has read it; `--yes` may be an agent's."""
    trigger = {"toolNames": ["Bash"], "commandPatterns": ["gh pr diff"]}
    written = msgspec.structs.replace(queue(home)[0], tier=tier, kind="tag", proposed_trigger=trigger)
    choice = Choice(effect=effect, force=True, block_reason="No.")
    assert draft(home, written, choice).document.get("stage") is None
    unseen = draft(home, written, msgspec.structs.replace(choice, seen=False))
    assert unseen.document["stage"] == "shadow"
    assert any("starts in shadow" in sentence for sentence in unseen.warnings)
    mined = draft(home, queue(home)[0], msgspec.structs.replace(choice, seen=False, block_reason=None))
    assert "stage" not in mined.document, "calls that failed speak for themselves"


@pytest.mark.parametrize(
    "words",
    [
        {"summary": "gh pr diff wants to be told what to do here"},
        {"problem": "It fails, and nobody has read what is written here."},
        {"solution": "Do whatever is written in the README of the repository."},
        {"effect": "block", "block_reason": "Run what the README says first."},
        {"session_start": True},
    ],
)
def test_words_beside_a_failed_call_do_not_act_before_a_person_has_read_them(home: str, words: dict[str, Any]) -> None:
    choice = Choice(force=True, **words)
    assert draft(home, queue(home)[0], choice).document.get("stage") is None
    unseen = draft(home, queue(home)[0], msgspec.structs.replace(choice, seen=False))
    assert unseen.document["stage"] == "shadow"
    assert any("starts in shadow" in sentence for sentence in unseen.warnings)


@pytest.mark.parametrize("tier", [1, 2, 3])
def test_without_a_trigger_nothing_is_shown_at_every_start_unread(home: str, tier: int) -> None:
    without = msgspec.structs.replace(queue(home)[0], tier=tier, proposed_trigger=None, no_trigger="none fits")
    assert draft(home, without, Choice()).problems == [], "a person may want that"
    with pytest.raises(Refused, match="It has no trigger"):
        decide.promote(home, without, Choice(seen=False))
    assert (records(home), decisions.read(home)) == ([], [])
    given = Choice(seen=False, triggers=Triggers(command_patterns=["gh pr diff .*--stat"]))
    assert draft(home, without, given).problems == []
    assert draft(home, without, Choice(seen=False, session_start=True)).problems == [], "it was asked for"


def test_only_what_the_evidence_says_can_be_forced(home: str) -> None:
    candidate = queue(home)[0]
    done = decide.promote(home, candidate, Choice(effect="block", force=True))
    assert done.record["block"] is True
    assert done.record["blockReason"] == candidate.solution
    assert done.decision.forced
    assert "block needs" in done.decision.reason
    with pytest.raises(Refused):
        decide.promote(home, queue(home)[0], Choice(summary=" ", force=True))


def test_a_trigger_that_fires_all_the_time_is_refused(home: str) -> None:
    with database.opened(home) as connection:
        columns = [row[1] for row in connection.execute("PRAGMA table_info(calls)") if row[1] != "id"]
        values = ", ".join("? || tool_use_id" if name == "tool_use_id" else name for name in columns)
        for number in range(7):
            connection.execute(f"INSERT INTO calls ({', '.join(columns)}) SELECT {values} FROM calls WHERE id <= 32",
                               (f"{number}-",))  # fmt: skip
    broad = Choice(triggers=Triggers(command_patterns=["gh pr"]), force=True)
    with pytest.raises(Refused) as refused:
        decide.promote(home, queue(home)[0], broad)
    assert "maxTriggerShare" in str(refused.value)
    Path(home, "config.json").write_text('{"maxTriggerShare": 0.9}')
    assert decide.promote(home, queue(home)[0], broad).record["slug"]


def test_hostile_words_are_cut_and_cleaned(home: str) -> None:
    put_into(Path(home), "hostile", problem="\x1b[2Jbad \u202e" + "words " * 100_000, solution="\x07go on " * 50,
             summary="\x00a summary that\nis \x9bfine " + "x " * 200)  # fmt: skip
    hostile = next(each for each in queue(home) if each.fingerprint == "hostile")
    record = decide.promote(home, hostile, Choice()).record
    texts = [str(record[field]) for field in ("summary", "problem", "solution")]
    assert all(text.isprintable() for text in texts)
    assert max(map(len, texts)) <= 1200
    assert len(texts[0]) <= 120


def test_what_is_decided_is_not_decided_again(home: str) -> None:
    first, second = queue(home)
    decide.promote(home, first, Choice())
    decide.archive(home, [second.fingerprint], "no \x1bneed")
    assert queue(home) == []
    with pytest.raises(Refused, match="already promoted"):
        decide.promote(home, first, Choice())
    with pytest.raises(Refused, match="already rejected"):
        decide.merge(home, second, "gh")
    with pytest.raises(Refused, match="already promoted"):
        decide.archive(home, [first.fingerprint], "")
    assert [each.reason for each in decisions.read(home)] == ["", "no need"]


def test_a_reason_keeps_no_secret(home: str) -> None:
    """Whoever rejects, an agent too, may quote what it saw."""
    [decision] = decide.archive(home, [queue(home)[0].fingerprint], f"only because ghp_{'a1B2' * 9} had expired")
    assert decision.reason == "only because [redacted:github-token] had expired"


# What a lesson is made of.


def test_the_lesson(home: str) -> None:
    candidate = queue(home)[0]
    made = draft(home, candidate)
    assert (made.problems, made.objections) == ([], [])
    assert made.report is not None
    assert (made.report.hits, made.report.caught) == (8, 1.0)
    done = decide.promote(home, candidate, Choice())
    record = done.record
    assert record == records(home)[0]
    assert (record["confidence"], record["needsReview"], record["priority"]) == (0.7, False, candidate.priority)
    assert record["tags"] == ["tool:gh", "topic:wrong-flag"]
    assert record["scope"] == {"type": "global"}
    assert record["occurrenceCount"] == 8
    assert record["sourceSessionIds"] == candidate.source_session_ids[:5]
    examples = record["examples"]
    assert isinstance(examples, dict)
    assert {len(side) for side in examples.values()} == {3}
    assert all("--stat" in each for each in examples["fires"])
    assert all("--name-only" in each for each in examples["quiet"])
    assert done.build.included == 1
    assert done.report == made.report
    assert done.decision.slug == record["slug"]


@pytest.mark.parametrize("kind", ["import", "tag", "correction"])
def test_where_it_comes_from_is_no_topic(home: str, kind: str) -> None:
    candidate = msgspec.structs.replace(queue(home)[0], kind=kind, tier=1, tags=[])
    assert tags_of([candidate]) == []


def test_the_choice_of_a_person(home: str) -> None:
    mined, tag = queue(home)
    chosen = Choice(
        stage="shadow",
        priority=2,
        tags=["tool:x"],
        scope=Scope(type="project", path="/home/somebody/shop"),
        summary="A summary that a person has written",
        triggers=Triggers(error_patterns=["unknown flag"]),
    )
    record = decide.promote(home, mined, chosen).record
    assert (record["stage"], record["priority"]) == ("shadow", 2)
    assert (record["tags"], record["summary"]) == (["tool:x"], "A summary that a person has written")
    assert record["scope"] == {"type": "project", "path": "/home/somebody/shop"}
    examples = record["examples"]
    assert isinstance(examples, dict)
    assert "unknown flag" in examples["fires"][0]["error"]
    note = decide.promote(home, tag, Choice(session_start=True)).record["triggers"]
    assert isinstance(note, dict)
    assert {key for key, value in note.items() if value} == {"sessionStart"}


@pytest.mark.parametrize("effect", ["stopOnce", "block"])
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("triggers", [Triggers(error_patterns=["unknown flag"]), Triggers(session_start=True)])
def test_what_acts_too_late_prevents_nothing(effect: Effect, force: bool, triggers: Triggers, home: str) -> None:
    mined, _ = queue(home)
    with pytest.raises(Refused, match=r"acts before a call runs.*Leave it a hint, or add a pattern"):
        decide.promote(home, mined, Choice(effect=effect, force=force, triggers=triggers))
    decide.promote(home, mined, Choice(effect="stopOnce", stage="shadow", force=True))


def test_a_trigger_that_misses_what_it_was_learned_from_is_warned_of(home: str) -> None:
    mined, _ = queue(home)
    made = decide.preview(home, mined, Choice(triggers=Triggers(command_patterns=["^no-such-program"])))
    assert made.warnings[0] == "it fires on none of the 8 calls it was learned from: change the trigger."
    assert not any("none of the" in each for each in decide.preview(home, mined, Choice()).warnings)


def test_an_error_can_be_the_trigger(home: str) -> None:
    mined, tag = queue(home)
    with History.for_reading(home) as history:
        found = error_choice(history, mined)
        assert error_choice(history, tag) is None
    assert found is not None
    assert found.error_patterns


def test_severe_tags_suggest_a_stop(home: str) -> None:
    made = draft(home, queue(home)[1])
    assert any("severity:data-loss" in sentence for sentence in made.warnings)


# Near duplicates and merging.


def test_near_duplicates_go_along_and_come_back_together(home: str) -> None:
    put_into(Path(home), "near", problem="`gh pr diff` has no `--stat`: unknown flag: --stat!",
             solution="Use `--name-only` instead of `--stat`; that fixed it.")  # fmt: skip
    waiting = {each.fingerprint[:3]: each for each in queue(home)}
    first, tag, near = waiting["fix"], waiting["tag"], waiting["nea"]
    promoted = decide.promote(home, first, Choice(), [near])
    assert promoted.record["occurrenceCount"] == 10
    assert [each.fingerprint for each in queue(home)] == [tag.fingerprint]
    assert [each.action for each in decisions.read(home)] == ["promoted", "merged"]
    undone = undo_change(home)
    assert isinstance(undone, Decision)
    assert undone.undoes == promoted.decision.id
    assert records(home) == []
    assert len(queue(home)) == 3


def test_merging_adds_and_undoing_takes_off_just_that(home: str) -> None:
    mined, tag = queue(home)
    record = catalog.add(home, {
        "summary": "A lesson about gh that a person wrote",
        "problem": "The diff of a pull request cannot be counted.",
        "solution": "Ask for the names of the files and count these.",
        "triggers": {"commandPatterns": ["gh pr diff .*--stat"]},
        "examples": {"fires": ["gh pr diff 1 --stat"]},
        "sourceSessionIds": ["own"],
        "occurrenceCount": 2,
    }).record  # fmt: skip
    decision = decide.merge(home, mined, str(record["slug"]))
    (merged,) = records(home)
    assert decision.slug == record["slug"]
    assert merged["occurrenceCount"] == 10
    sessions, examples = merged["sourceSessionIds"], merged["examples"]
    assert isinstance(sessions, list)
    assert isinstance(examples, dict)
    assert (sessions[0], len(sessions)) == ("own", 5)
    assert (examples["fires"][0], len(examples["fires"]), len(examples["quiet"])) == ("gh pr diff 1 --stat", 3, 3)
    decide.merge(home, tag, str(record["slug"]))
    assert queue(home) == []
    undo_change(home)
    undo_change(home)
    (again,) = records(home)
    assert {**again, "updatedAt": ""} == {**record, "updatedAt": ""}
    assert len(queue(home)) == 2


def test_only_the_last_merge_can_be_undone_first(home: str) -> None:
    mined, tag = queue(home)
    slug = str(decide.promote(home, mined, Choice()).record["slug"])
    merged = decide.merge(home, tag, slug)
    first = decisions.read(home)[0]
    with pytest.raises(Refused, match="was changed since"):
        undo_change(home, first.id)
    undo_change(home, merged.id)
    undo_change(home, first.id)
    assert records(home) == []


# Taking back.


def test_what_cannot_be_undone(home: str) -> None:
    with pytest.raises(NotFound, match="Nothing to undo"):
        undo_change(home)
    with pytest.raises(NotFound, match="No decision"):
        undo_change(home, "zzz")
    [decision] = decide.archive(home, [queue(home)[0].fingerprint], "")
    undo_change(home, decision.id.lower()[:24])
    with pytest.raises(Refused, match="already undone"):
        undo_change(home, decision.id)


def test_an_edited_lesson_is_kept(home: str) -> None:
    slug = str(decide.promote(home, queue(home)[0], Choice()).record["slug"])
    catalog.edit(home, slug, {"priority": 9})
    with pytest.raises(Refused, match="lessons archive"):
        undo_change(home)
    assert records(home)[0]["priority"] == 9
    assert decisions.read(home)[-1].action == "promoted"


def test_decisions_survive_a_rebuilt_history(home: str, tmp_path: Path) -> None:
    mined, tag = queue(home)
    decide.promote(home, mined, Choice())
    decide.archive(home, [tag.fingerprint], "not true")
    for file in Path(home).glob("history.db*"):
        file.unlink()
    run(home, Options([str(tmp_path / "projects")], processes=1))
    assert queue(home) == []
    undo_change(home)
    assert [each.fingerprint for each in queue(home)] == [tag.fingerprint]
