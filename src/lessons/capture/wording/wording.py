"""Describes a mistake and its fix, from all its occurrences."""

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from lessons.candidate import Quote
from lessons.capture.wording.causes.cause import Cause
from lessons.capture.wording.causes.causes import cause_of
from lessons.capture.wording.command import essential, is_several, verbatim
from lessons.capture.wording.error import proposal, spoken
from lessons.capture.wording.refute import is_refuted
from lessons.capture.wording.second_part import second_part
from lessons.capture.wording.templates import CALL, TEMPLATES, UNKNOWN, case_of, differing
from lessons.capture.wording.text import capital, code, cut, is_one_off, sentence, unticked
from lessons.episode import Change, Episode, Step
from lessons.failure.layers import innermost
from lessons.failure.telling_line import lines_of, telling_line
from lessons.redact.variables import without_secret_values
from lessons.shell.bypass import forces, may_bypass_check
from lessons.shell.missing import missing_program

SHORTEST_TEXT = 20
LONGEST_TEXT = 400
LONGEST_SUMMARY = 120
LONGEST_TRIGGER = 80
LONGEST_QUOTE = 200
_QUOTES = 3
_SAYS_NOTHING = 16  # an error as short as this is only an exit code
_QUOTED_ERROR = 150  # characters of the error inside a sentence


Worked = Callable[[Step], Sequence[str]]


class Later(msgspec.Struct, frozen=True):
    """The later calls that used the fix, and those that worked."""

    worked: int
    tried: int


class Words(msgspec.Struct, frozen=True):
    """All texts about a candidate for people; each is one line."""

    problem: str
    solution: str
    summary: str
    trigger: str
    error: str
    quotes: list[Quote]


def words(episodes: Sequence[Episode], later: Later | None, worked: Worked = lambda step: ()) -> Words:
    """Does not depend on the order of the episodes; `worked` returns successful lines similar to a step."""
    group = _most_frequent(episodes)
    shown = group[0] if len(group) > 1 else _without_forced_fix(group[0])
    step = shown.failure
    changed = differing(shown.change)[0]
    said = lines_of(step.error)
    error = cut(innermost(telling_line(step.error), _QUOTED_ERROR), LONGEST_QUOTE)
    call = essential(step, changed, CALL)
    told = spoken(error.removeprefix(f"{call.split(' ')[0]}: "), _QUOTED_ERROR)
    told = told or (f"exit code {step.exit_code}" if step.exit_code else "")
    if cause := cause_of(shown):
        cause = cause._replace(remedy=_with_second_part(cause.remedy, shown)) if cause.is_proven else cause
        problem, remedy = cause.problem, cause.remedy
        solution = f"{remedy}; {_proof(len(group), len(episodes), later)}" if cause.is_proven else remedy
    elif shown.fix is None:
        problem, solution, remedy = _unfixed(call, said, told, unticked(missing_program(error)))
    else:
        problem, remedy = TEMPLATES[shown.change.kind](case_of(shown, shown.fix, call, told))
        remedy = _with_second_part(remedy, shown)
        solution = f"{remedy}; {_proof(len(group), len(episodes), later)}"
        if remedy == UNKNOWN or _is_doubtful(shown) or is_refuted(shown, worked(step)):
            problem, solution, remedy = _other_program(shown, problem) or _unfixed(call, said, told, "")
    return Words(
        problem=_bounded(without_secret_values(problem)),
        solution=_bounded(without_secret_values(sentence(solution))),
        summary=without_secret_values(_of_cause(cause) if cause else _summary(problem, remedy, call)),
        trigger=essential(step, changed, LONGEST_TRIGGER),
        error=error,
        quotes=_quotes(episodes, group),
    )


def _with_second_part(remedy: str, episode: Episode) -> str:
    """Returns the remedy with what else helped."""
    other = "" if remedy == UNKNOWN else second_part(episode)
    return f"{remedy}, and {other}" if other else remedy


def _without_forced_fix(episode: Episode) -> Episode:
    """Drops a fix that forces, if it was seen once: it may have destroyed what the error was about."""
    if not forces(episode.change.after):
        return episode
    return msgspec.structs.replace(episode, fix=None, change=Change("telling-error"))


def _is_doubtful(episode: Episode) -> bool:
    """Whether the call that worked has an option that may only skip a check."""
    before = set(episode.change.before.split())
    added = [word for word in episode.change.after.split() if word not in before]
    return any(may_bypass_check(added, word) for word in added)


def _other_program(episode: Episode, problem: str) -> tuple[str, str, str] | None:
    """Returns the program that replaced this one, if this one works for other calls."""
    change = episode.change
    if change.kind != "wrong-command" or change.before != episode.failure.program or not change.after:
        return None
    if is_one_off(change.after) or is_several(change.after):
        return None
    old, new = code(change.before, CALL), code(change.after, CALL)
    return problem, f"{old} works for other calls; for this one {new} worked", f"{new} worked"


def _most_frequent(episodes: Sequence[Episode]) -> list[Episode]:
    """Returns the episodes of the most frequent fix of the most frequent kind, shortest call first."""
    fixed = [episode for episode in episodes if episode.fix is not None] or list(episodes)
    kinds = Counter(episode.change.kind for episode in fixed)
    kind = min(kinds, key=lambda name: (-kinds[name], name))
    changes = Counter((one.change.before, one.change.after) for one in fixed if one.change.kind == kind)
    change = min(changes, key=lambda pair: (-changes[pair], len(pair[0]) + len(pair[1]), pair))
    group = [one for one in fixed if one.change.kind == kind and (one.change.before, one.change.after) == change]
    return sorted(group, key=_shortest)


def _shortest(episode: Episode) -> tuple[bool, int, str, str]:
    """Sorts informative errors first."""
    step = episode.failure
    return len(step.error) < _SAYS_NOTHING, len(step.command or step.arguments), step.command, step.tool_use_id


def _proof(fixed: int, occurrences: int, later: Later | None) -> str:
    if later is not None and later.tried > 0 and later.worked > 0:
        return f"it worked in {later.worked} of {later.tried} later calls"
    if later is not None and later.tried > 0:
        return f"that worked, but none of {later.tried} later calls with it did"
    if fixed > 1:
        return f"that fixed {fixed} of {occurrences} such failures"
    return "that worked"


def _unfixed(call: str, said: list[str], told: str, missing: str) -> tuple[str, str, str]:
    """Returns problem, solution and its short form, if no call shows a solution."""
    if missing:
        name = code(missing, CALL)
        return f"{name} is missing (command not found)", f"No later call shows a replacement for {name}", ""
    problem = f"{code(call, CALL)} fails: {told}" if told else f"{code(call, CALL)} fails and does not say why"
    kind, text = proposal(said, _QUOTED_ERROR)
    if kind == "meant":
        return problem, f"The error proposes {code(text, CALL)} instead", f"the error proposes {code(text, CALL)}"
    if kind == "choices":
        return problem, f"Use one of those that the error lists: {text}", f"use one of: {text}"
    if kind == "advice":
        return problem, f"The error itself proposes: {capital(text)}", f"the error says: {capital(text)}"
    if kind == "usage":
        return problem, f"The remedy is not known; its usage is {code(text, _QUOTED_ERROR)}", ""
    if told:
        return problem, f"The remedy is not known; the error says: {told}", ""
    return problem, "The remedy is not known, and the error says nothing", ""


def _of_cause(cause: Cause) -> str:
    """Returns the cause, with the remedy or its first half if both fit."""
    choices = [f"{cause.problem}. {capital(text)}" for text in (cause.remedy, cause.remedy.split(" instead of `")[0])]
    fitting = (text for text in choices if len(text) <= LONGEST_SUMMARY)
    return next(fitting, _bounded(cause.problem, LONGEST_SUMMARY))


def _summary(problem: str, remedy: str, call: str) -> str:
    """Returns problem and remedy if both fit, else the call and the remedy."""
    if not remedy:
        return _bounded(problem, LONGEST_SUMMARY)
    short = remedy[:1].lower() + remedy[1:]
    choices = [f"{problem}. {capital(remedy)}"]
    for text in (short, short.split(" instead of `")[0]):
        name = code(call, max(24, LONGEST_SUMMARY - len(text) - len(" fails: ")))
        choices.append(f"{name} fails: {text}")
    return _bounded(next((text for text in choices if len(text) <= LONGEST_SUMMARY), choices[-1]), LONGEST_SUMMARY)


def _bounded(text: str, limit: int = LONGEST_TEXT) -> str:
    text = cut(text, limit)
    return text if len(text) >= SHORTEST_TEXT else f"{text} (no more is known)"


def _quotes(episodes: Sequence[Episode], group: list[Episode]) -> list[Quote]:
    found: dict[tuple[str, str], Quote] = {}
    for episode in (*group, *sorted(episodes, key=_shortest)):
        step = episode.failure
        if (key := (step.command or step.arguments, step.error[:LONGEST_QUOTE])) in found:
            continue
        before, after = differing(episode.change)
        error = cut(telling_line(step.error), LONGEST_QUOTE)
        worked = verbatim(episode.fix, after, LONGEST_QUOTE) if episode.fix else ""
        found[key] = Quote(verbatim(step, before, LONGEST_QUOTE), error, worked)
        if len(found) == _QUOTES:
            break
    return list(found.values())
