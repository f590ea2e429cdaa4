"""Groups failed calls by the mistake they are about, in a stable order; groups with enough weight are candidates.

Their texts are verbatim: the failed call with its error, the call that worked, what the agent wrote.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from math import ceil
from typing import NamedTuple, TypeVar

import msgspec

from lessons.candidate import FAILURE, CandidateDocument, Quote
from lessons.episode import Episode, Step
from lessons.failure.error_text import COLOUR, one_line, telling_line
from lessons.mistakes.episodes import is_named, jaccard
from lessons.mistakes.failed_call import ENOUGH
from lessons.mistakes.features import commands_of
from lessons.model import LONGEST_SUMMARY, SHORTEST_TEXT
from lessons.redact.values import without_secret_values
from lessons.store.history.candidates import CandidateRow
from lessons.store.history.episodes import EpisodeRow
from lessons.store.history.history import History
from lessons.store.logs import analysed

LONGEST_TRIGGER = 80
LONGEST_QUOTE = 200
_CALL = 160
_SHORT_CALL = 60
_ERROR = 150
_QUOTES = 3
_ELLIPSIS = "…"
_LONGEST_TEXT = 16_384  # the rest is never shown
_HOME = re.compile(r"(?<![\w:])/(?:Users|home)/[^/\s]+(?=/)")
_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1[^\n]*\n(?:.*?\n)?[ \t]*\2(?=\n|$)", re.DOTALL)
_PLACEHOLDER = re.compile(r"[<{\[][^<>{}\[\]\n]{1,60}[>}\]]")


class Texts(msgspec.Struct, frozen=True):
    """All texts about a candidate for people; each is one line."""

    problem: str
    solution: str
    summary: str
    trigger: str
    error: str
    quotes: list[Quote]


def describe(episodes: Sequence[Episode], wrote: Mapping[str, str]) -> Texts:
    """Does not depend on the order of the episodes; `wrote` has what the agent wrote after some of the failed calls.

    Shows a call that worked and never failed, if there is one.
    """
    failed = {call_of(each.failure) for each in episodes}
    ordered = sorted(episodes, key=lambda each: (each.fix is None or call_of(each.fix) in failed, *_most_telling(each)))
    shown = ordered[0]
    step, error = shown.failure, _plain(telling_line(shown.failure.error))
    said = _code(error, _ERROR) if _PLACEHOLDER.search(error) else cut(error, _ERROR)
    ended = f"exit code {step.exit_code}" if step.exit_code else "an error"
    agent = next((text for each in ordered if (text := _sentence(wrote.get(each.failure.tool_use_id, "")))), "")
    call = _code(call_of(step), _CALL)
    problem = f"{call} fails: {said}" if said else f"{call} ends with {ended} and prints nothing"
    advice = replacement(shown)
    if shown.fix:
        solution = f"{f'{advice} ' if advice else ''}This worked: {_code(call_of(shown.fix), _CALL)}."
        solution += f" The agent wrote: “{agent}”" if agent else ""
    elif agent:
        solution = f"The agent wrote after the error: “{agent}”"
    else:
        problem = f"{call} fails with {ended}"
        solution = f"The error said: {said or ended}"
    return Texts(
        problem=_full(problem),
        solution=_full(solution),
        summary=_summary(step, said or ended, advice),
        trigger=cut(call_of(step), LONGEST_TRIGGER),
        error=cut(error, LONGEST_QUOTE),
        quotes=_quotes(ordered),
    )


def replacement(episode: Episode) -> str:
    """Returns `Use X instead of Y.` where the error names Y and the call that worked has X at the same place."""
    failure, fix = episode.failure, episode.fix
    if fix is None or not failure.command or not fix.command:
        return ""
    before, after = _flat(failure.command), _flat(fix.command)
    differ = [number for number, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]]
    if len(before) != len(after) or len(differ) != 1:
        return ""
    old, new = before[differ[0]], after[differ[0]]
    if not is_named(old, telling_line(failure.error)) or len(old) + len(new) > _CALL:
        return ""
    return f"Use {_code(new, _CALL)} instead of {_code(old, _CALL)}."


def call_of(step: Step) -> str:
    """Returns the call as it was made, in one line; a heredoc without its text."""
    if not step.command:
        return _plain(f"{step.tool} {step.arguments}" if step.arguments not in ("", "{}") else step.tool)
    return _plain(_HEREDOC.sub(rf"<<\2 {_ELLIPSIS}", step.command[:_LONGEST_TEXT]))


def cut(text: str, limit: int) -> str:
    """Returns at most `limit` characters, cut after a whole word; keeps backticks in pairs."""
    if len(text) <= limit:
        return text
    room = limit - 3  # a blank, the ellipsis and a backtick
    end = text.rfind(" ", 0, room + 1)
    shown = f"{text[: end if end >= limit // 3 else room].rstrip(' ,;:')} {_ELLIPSIS}"
    return shown + "`" if shown.count("`") % 2 else shown


def _most_telling(episode: Episode) -> tuple[bool, bool, int, str, str]:
    """Sorts those with a fix and an error first, then short calls."""
    step = episode.failure
    text = step.command or step.arguments
    return episode.fix is None, not telling_line(step.error), len(text), text, step.tool_use_id


def _summary(step: Step, said: str, advice: str) -> str:
    """Returns one line that is never cut off in the middle of a sentence: shorter parts instead."""
    call = _code(call_of(step), _SHORT_CALL)
    choices = [f"{call} fails: {said}", f"{call} fails"]
    if advice:
        choices.insert(0, advice)
    fitting = (text for text in choices if SHORTEST_TEXT <= len(text) <= LONGEST_SUMMARY and not text.endswith("…"))
    return _safe(next(fitting, f"A call like {call} fails here"))


def _sentence(text: str) -> str:
    return cut(_plain(text).replace("“", '"').replace("”", '"'), LONGEST_QUOTE)


def _quotes(ordered: Sequence[Episode]) -> list[Quote]:
    found: dict[tuple[str, str], Quote] = {}
    for episode in ordered:
        step = episode.failure
        if (key := (step.command or step.arguments, step.error[:LONGEST_QUOTE])) not in found:
            worked = cut(call_of(episode.fix), LONGEST_QUOTE) if episode.fix else ""
            error = cut(telling_line(step.error), LONGEST_QUOTE)
            found[key] = Quote(cut(call_of(step), LONGEST_QUOTE), error, worked)
        if len(found) == _QUOTES:
            break
    return list(found.values())


def _full(text: str) -> str:
    text = _safe(text if text.endswith((".", "!", "?", "”", _ELLIPSIS, f"{_ELLIPSIS}`")) else text + ".")
    return text if len(text) >= SHORTEST_TEXT else f"{text} It says no more than that."


def _safe(text: str) -> str:
    return without_secret_values(_HOME.sub("~", text))


def _code(text: str, limit: int) -> str:
    """Puts the text in backticks; its own backticks become quotes."""
    return f"`{cut(text.replace('`', chr(39)), limit - 2)}`"


def _plain(text: str) -> str:
    """Returns one line without colours and control characters."""
    text = text[:_LONGEST_TEXT]
    return one_line(COLOUR.sub(" ", text) if "\x1b" in text else text)


def _flat(line: str) -> list[str]:
    return [_plain(word) for command in commands_of(line) for word, _ in command.words]


_Item = TypeVar("_Item")
_Text = TypeVar("_Text", bound=str)
_WORD = re.compile(r"(?<![<\w])[^\W\d_]{2,}(?![>\w])")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
ALIKE = 0.6
_FEW_WORDS = 3
_LOWEST, _HIGHEST = 0.4, 0.6  # confidence
# The keys for a mistake; the other keys of a document are for other tiers.
_KEYS = (
    *("tool", "family", "problem", "solution", "summary", "trigger", "error", "quotes", "tags"),
    *("callsLost", "minutesLost", "fixed", "hang", "userCorrection", "aliases"),
)

Key = tuple[str, str]  # a program, and what was said


class Made(NamedTuple):
    """The candidates to rewrite, and the earlier evidence of those that were checked."""

    written: list[CandidateRow]
    standing: set[str]  # the names of all that have evidence
    known: dict[str, set[str]]


class Touched:
    """The failed calls about which something changed, and the programs they are or were blamed on."""

    def __init__(self) -> None:
        self.calls: set[str] = set()
        self.programs: set[str] = set()

    def add(self, programs: Mapping[str, str]) -> None:
        """Adds failed calls with the program each is blamed on."""
        self.calls.update(programs)
        self.programs.update(programs.values())


def candidates(history: History, touched: Touched) -> Made:
    """Rebuilds candidates with an occurrence among the calls, or with other occurrences than stored.

    Mistakes of different programs are different: no other program needs checking.
    """
    if not touched.calls:
        return Made([], set(), {})
    episodes = history.episodes.all(touched.programs)
    known = history.candidates.evidence(FAILURE, touched.calls | {row.tool_use_id for row in episodes})
    made = Made([], set(), known)
    corrected = history.episodes.corrected_calls()
    answered = history.answers.with_lessons()
    for name, rows in mistakes_of(episodes):
        if name not in answered and not is_lesson(rows):
            continue
        made.standing.add(name)
        calls = {row.tool_use_id for row in rows}
        if calls & touched.calls or calls != known.get(name):
            made.written.append(candidate_row(history, name, rows, corrected))
    return made


def mistakes_of(rows: Iterable[EpisodeRow]) -> list[tuple[str, list[EpisodeRow]]]:
    """Returns the episodes of each mistake with its fingerprint, in order of time.

    The mistake of an episode depends on its key, and on earlier keys with the same first part.
    """
    return [(fingerprint("fix-", *key), group) for key, group in grouped(rows, key_of)]


def key_of(row: EpisodeRow) -> Key:
    """Keeps different options apart, whatever the rest of the error says."""
    return " ".join([row.program, *sorted(set(_OPTION.findall(row.signature)))]), row.signature


def is_lesson(rows: Sequence[EpisodeRow]) -> bool:
    """Whether these episodes of one mistake have the weight of a candidate, and anything that could be told."""
    if not rows[0].signature and not any(row.fix_tool_use_id for row in rows):
        return False
    return _mean_weight(rows) >= ENOUGH


def candidate_row(history: History, name: str, rows: Sequence[EpisodeRow], corrected: set[str]) -> CandidateRow:
    """Returns the candidate of these episodes; one with `fault` set if they cannot be described."""
    written = partial(_candidate, name, rows, history, corrected)
    return analysed(history.home, name, written, partial(_faulty, name, rows))


def _candidate(name: str, rows: Sequence[EpisodeRow], history: History, corrected: set[str]) -> CandidateRow:
    group = history.episodes.with_calls(rows)
    wrote = {call: found.text for call, found in history.diagnoses.of(row.tool_use_id for row in rows).items()}
    text = describe(group, wrote)
    calls = [(row.tool_use_id, row.fix_tool_use_id) for row in rows]
    own = {fingerprint("fix-", *key_of(row)) for row in rows}
    document = CandidateDocument(
        tool=most_common([episode.failure.tool for episode in group]),
        family=rows[0].program,
        problem=text.problem,
        solution=text.solution,
        summary=text.summary,
        trigger=text.trigger,
        error=text.error,
        quotes=text.quotes,
        calls_lost=int(_once_for_each_fix(rows, lambda row: row.calls_lost)),
        minutes_lost=round(_once_for_each_fix(rows, lambda row: row.seconds_lost) / 60, 2),
        fixed=sum(bool(fix) for _, fix in calls),
        hang=any("timed out" in episode.failure.error for episode in group),
        user_correction=any(not corrected.isdisjoint(pair) for pair in calls),
        aliases=sorted((own | history.episodes.earlier_names(call for call, _ in calls)) - {name}),
    )
    kind = most_common([row.kind for row in rows if row.fix_tool_use_id] or [rows[0].kind])
    return CandidateRow(name, FAILURE, kind, document.text(*_KEYS), _confidence(rows), calls)


def _faulty(name: str, rows: Sequence[EpisodeRow], fault: str) -> CandidateRow:
    """Returns a placeholder for a mistake that cannot be described, so that it is listed and not lost."""
    document = CandidateDocument(family=rows[0].program, fault=fault)
    calls = [(row.tool_use_id, row.fix_tool_use_id) for row in rows]
    return CandidateRow(name, FAILURE, rows[0].kind, document.text("family", "fault"), _LOWEST, calls)


def _once_for_each_fix(rows: Sequence[EpisodeRow], lost: Callable[[EpisodeRow], float]) -> float:
    """Several failures before one fix count their cost once."""
    most: dict[str, float] = {}
    for row in rows:
        name = row.fix_tool_use_id or row.tool_use_id
        most[name] = max(most.get(name, 0.0), lost(row))
    return sum(most.values())


def _mean_weight(rows: Sequence[EpisodeRow]) -> float:
    return sum(row.weight for row in rows) / len(rows)


def _confidence(rows: Sequence[EpisodeRow]) -> float:
    """Increases with evidence: the weight, a call that worked, other sessions."""
    value = _LOWEST + 0.1 * _mean_weight(rows)
    value += 0.05 if any(row.fix_tool_use_id for row in rows) else 0.0
    value += 0.02 if len(rows) > 1 else 0.0
    value += 0.03 if len({row.session_id for row in rows}) > 1 else 0.0
    return round(min(value, _HIGHEST), 2)


def words_of(signature: str) -> frozenset[str]:
    """Returns the words of a text without placeholders, numbers and signs."""
    return frozenset(word.lower() for word in _WORD.findall(signature))


def fingerprint(prefix: str, *texts: str) -> str:
    return prefix + blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def grouped(
    items: Iterable[_Item],
    key: Callable[[_Item], Key],
    words: Callable[[str], frozenset[str]] = words_of,
    alike: float = ALIKE,
) -> list[tuple[Key, list[_Item]]]:
    """Adds each item to the group of its program with the same or most similar text, or starts a new group.

    The first item of a group names it; the first is the same whatever was read first.
    """
    groups: dict[Key, list[_Item]] = {}
    leaders: dict[str, _Leaders] = {}
    known: dict[Key, Key] = {}
    for item in items:
        own = key(item)
        if own not in known:
            known[own] = leaders.setdefault(own[0], _Leaders(alike)).of(own, words(own[1]))
        groups.setdefault(known[own], []).append(item)
    return list(groups.items())


class _Leaders:
    """The groups of one program, indexed by words of which two similar texts must share one."""

    def __init__(self, alike: float) -> None:
        self.alike = alike
        self.groups: list[tuple[frozenset[str], Key]] = []
        self.by_word: dict[str, list[int]] = {}

    def of(self, own: Key, said: frozenset[str]) -> Key:
        least = 1.0 if len(said) < _FEW_WORDS else self.alike
        telling = self._telling(said)
        places = sorted({place for word in telling for place in self.by_word.get(word, ())})
        best = max(places, key=lambda place: jaccard(self.groups[place][0], said), default=None)
        if best is not None and said and jaccard(self.groups[best][0], said) >= least:
            return self.groups[best][1]
        for word in telling:
            self.by_word.setdefault(word, []).append(len(self.groups))
        self.groups.append((said, own))
        return own

    def _telling(self, said: frozenset[str]) -> list[str]:
        """Returns words in a fixed order, of which two similar texts share one; long words first, because they are
        rare.
        """
        ordered = sorted(said, key=lambda word: (-len(word), word))
        return ordered[: len(said) - ceil(self.alike * len(said)) + 1]


def most_common(values: Sequence[_Text]) -> _Text:
    """Returns the most frequent value; the first in the alphabet if several are."""
    return min(Counter(values).items(), key=lambda item: (-item[1], item[0]))[0]
