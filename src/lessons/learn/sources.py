"""Chooses what is asked about: failed calls that no lesson answers, corrections, and rules that no shape can check."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal

import msgspec

from lessons.candidate import StoredCandidate, Wording
from lessons.errors import NotFound
from lessons.match.rule import Rule, in_project
from lessons.mistakes.corrections import grouped_corrections
from lessons.mistakes.group import fingerprint, key_of, mistakes_of
from lessons.model import Lesson, Scope, Triggers
from lessons.promote.backtest import own_rule
from lessons.promote.candidate import expected_saving
from lessons.promote.matching import failed_hits
from lessons.rules.files import found_files
from lessons.rules.forms import is_command
from lessons.rules.sentences import written_rules
from lessons.rules.shapes import checked
from lessons.store import decisions, lesson_file
from lessons.store.history.candidates import StoredAnswer
from lessons.store.history.episodes import CorrectionRow, EpisodeRow
from lessons.store.history.history import History
from lessons.store.state_paths import root_of

Kind = Literal["failure", "correction", "rule"]
MOST_ROUNDS = 2
_RULE = "rule-"
_MOST_CALLS, _CALLS_OF_A_RULE = 500, 10
# A failure below this weight is plainly normal work: a test that fails, a search that finds nothing.
LEAST_WEIGHT = 0.05


class Source(msgspec.Struct, frozen=True, dict=True):
    """One mistake to ask about: failed calls with the calls that worked instead, or what a person said about calls."""

    id: str
    kind: Kind
    failures: Sequence[EpisodeRow] = ()
    corrections: Sequence[CorrectionRow] = ()
    names: frozenset[str] = frozenset()  # that it had or could have with other first occurrences
    round: int = 1  # the number of the next answer
    is_tag: bool = False  # the answer is there already: a tag, which is a candidate of its own

    @cached_property
    def calls(self) -> list[str]:
        """The calls that it is about, oldest first."""
        return [row.tool_use_id for row in self.failures or self.corrections]

    @cached_property
    def fixes(self) -> list[str]:
        return [row.fix_tool_use_id for row in self.failures if row.fix_tool_use_id]

    @property
    def sessions(self) -> dict[str, str]:
        """Returns the session of each call."""
        return {row.tool_use_id: row.session_id for row in self.failures or self.corrections}

    @property
    def saving(self) -> float:
        """What a lesson would save, by which they are ranked: the most repeated and most costly first."""
        rows = self.failures
        if not rows:
            return max(row.sureness for row in self.corrections) * len(self.sessions)
        return expected_saving(
            confidence=max(row.weight for row in rows),
            occurrences=len(rows),
            sessions=len({row.session_id for row in rows}),
            projects=len({row.project for row in rows}),
            calls_lost=sum(row.calls_lost for row in rows),
            minutes_lost=sum(row.seconds_lost for row in rows) / 60,
        )


def waiting(history: History) -> list[Source]:
    """Returns everything to ask about, the most repeated and most costly first."""
    answers, decided = history.answers.all(), decisions.statuses(history.home)
    caught = _caught(history)
    found = [each for each in _sources(history) if not _is_done(each, answers, decided)]
    found = [each for each in found if not caught.issuperset(each.calls)]
    found = [_with_round(each, answers) for each in found]
    return sorted(found, key=lambda each: (-each.saving, each.id))


def named(history: History, ids: Collection[str]) -> dict[str, Source]:
    """Returns those with these ids, whether they wait or not."""
    answers = history.answers.all()
    rules = _of_rules(history) if any(name.startswith(_RULE) for name in ids) else ()
    return {
        name: _with_round(each, answers)
        for each in (*_sources(history, plain=True), *rules)
        for name in {each.id, *each.names}.intersection(ids)
    }


def of_tags(history: History) -> dict[str, tuple[StoredCandidate, Source]]:
    """Returns the tags that answer a question about a recovery and were not tested yet, by fingerprint."""
    found: dict[str, tuple[StoredCandidate, Source]] = {}
    for each in history.candidates.untested_tags():
        rows = history.episodes.of_calls(one.tool_use_id for one in each.evidence if one.tool_use_id)
        if rows:
            failures = sorted(rows.values(), key=lambda row: row.tool_use_id)
            found[each.fingerprint] = each, Source(each.fingerprint, "failure", failures, is_tag=True)
    return found


def chosen(history: History, names: Sequence[str]) -> list[Source]:
    """Returns those of the waiting that are named by the beginning of their id; all without names."""
    answers, decided = history.answers.all(), decisions.statuses(history.home)
    rules = [_with_round(each, answers) for each in _of_rules(history) if not _is_done(each, answers, decided)]
    everyone = [*waiting(history), *rules]
    found = [_one(everyone, name) for name in names] if names else everyone
    return list({each.id: each for each in found}.values())


def _one(everyone: Sequence[Source], name: str) -> Source:
    found = [each for each in everyone if each.id.startswith(name)]
    if len(found) != 1:
        if found:
            raise NotFound(f"{len(found)} failures have an id that begins with {name}: write more of it.")
        raise NotFound(
            f"No failure with the id {name} waits for an answer. `lessons learn --export FILE` lists the ids."
        )
    return found[0]


def _sources(history: History, plain: bool = False) -> Iterable[Source]:
    """Yields all mistakes with some weight; `plain`: also those without."""
    for name, rows in mistakes_of(history.episodes.all()):
        if plain or max(row.weight for row in rows) >= LEAST_WEIGHT:
            names = frozenset(fingerprint("fix-", *key_of(row)) for row in rows)
            yield Source(name, "failure", failures=rows, names=names)
    for name, said in grouped_corrections(history):
        yield Source(name, "correction", corrections=said)


def _of_rules(history: History) -> Iterator[Source]:
    """Yields the rules of this project that no shape can check, with calls of the programs that they name."""
    root = root_of(os.getcwd())
    for rule in written_rules(found_files(root, os.path.expanduser("~")).files):
        codes = [code for code in re.findall("`([^`]+)`", rule.text) if is_command(code, runs=True)]
        if not codes or checked(rule.text, rule.section).certainty != "none":
            continue
        programs = dict.fromkeys(code.split()[0].rpartition("/")[2] for code in codes)
        named = [row for each in programs for row in history.calls.successes_with_any_subcommand(each, _MOST_CALLS)]
        calls = history.calls.past(row.tool_use_id for row in named)
        here = [past for past in calls if in_project((rule.file.project,) if rule.file.project else (), past.cwd)]
        said = f"{rule.text} ({rule.section})" if rule.section else rule.text
        rows = [CorrectionRow(0, past.session_id, said, 0.5, past.tool_use_id) for past in here[:_CALLS_OF_A_RULE]]
        if rows:
            yield Source(f"{_RULE}{rule.id}", "rule", corrections=rows)


def _is_done(source: Source, answers: dict[str, StoredAnswer], decided: Collection[str]) -> bool:
    """Whether it is answered, or a person has decided about it."""
    names = {source.id, *source.names}
    if not names.isdisjoint(decided):
        return True
    found = [answers[name] for name in names if name in answers]
    return any(each.status != "refused" or each.round >= MOST_ROUNDS for each in found)


def _with_round(source: Source, answers: dict[str, StoredAnswer]) -> Source:
    before = max((answers[name].round for name in {source.id, *source.names} if name in answers), default=0)
    return msgspec.structs.replace(source, round=before + 1)


def _caught(history: History) -> set[str]:
    """Returns the failed calls on which a lesson fires, before the call or at its error."""
    lessons, rules = answering(history)
    return {hit.past.tool_use_id for hit in failed_hits(history, lessons, rules)} if lessons else set()


def answering(history: History, but: Collection[str] = ()) -> tuple[list[Lesson], dict[str, Rule]]:
    """Returns the lessons that act, are watched or wait in review, and their rules by slug.

    `but` are dossiers that are answered anew: what waits from an earlier answer does not count.
    """
    found = [each for each in lesson_file.read(history.home).lessons() if each.stage != "retired"]
    decided = decisions.statuses(history.home)
    for answer in history.answers.all().values():
        if answer.status == "pending" and answer.id not in decided and answer.id not in but:
            found += [_pending(each) for each in answer.lessons if each.summary]
    rules: dict[str, Rule] = {}
    for each in found:
        if rule := own_rule(each):
            rules[each.slug] = rule
    return [each for each in found if each.slug in rules], rules


def _pending(wording: Wording) -> Lesson:
    triggers, scope = msgspec.convert(wording.triggers, Triggers), wording.scope or Scope(type="global")
    texts = (wording.summary, wording.problem, wording.solution)
    return Lesson(
        id=wording.slug,
        slug=wording.slug,
        summary=texts[0],
        problem=texts[1],
        solution=texts[2],
        triggers=triggers,
        scope=scope,
    )
