"""One function per rule for answers; each says in one sentence what is wrong."""

import re
from collections.abc import Callable, Iterable, Iterator

from lessons.lesson_fields import FIRING, has_any
from lessons.match.dialect import to_python
from lessons.mistakes.error_trigger import LEAST_CAUGHT
from lessons.mistakes.trigger import MOST_HIT
from lessons.model import Lesson, Scope, Triggers, shown
from lessons.plain import without_marks
from lessons.promote.intake import intake
from lessons.promote.intake.foreign_text import hidden_problems
from lessons.promote.promotion.text import LONGEST_TEXT
from lessons.promote.refine.answer import MOST_CITED, Answer
from lessons.promote.refine.code_words import code_in, commands_in, is_in
from lessons.promote.refine.evidence import CaseFile, Trial
from lessons.promote.slow_regex.probe import find_danger
from lessons.redact.texts import redacted
from lessons.shell.bypass import bypasses_check, sets_check_off
from lessons.shell.program import program_of

_MOST_NAMED = 3
_MOST_PATTERNS = 10
_LONGEST_PATTERN = 500
_TEXTS = ("summary", "problem", "solution")

Problems = Iterator[str]


# Checks of the text.


def cites_known_calls(answer: Answer, case: CaseFile) -> Problems:
    """Checks that cited ids exist, and that some are failures of this candidate."""
    known = case.failures.keys() | case.fixes.keys() | {row.tool_use_id for row in case.successes}
    unknown = [name for name in answer.cited if name not in known]
    for name in unknown[:_MOST_NAMED]:
        yield f"citedToolUseIds has {shown(name)}, no call of this candidate's dossier: cite ids that are in it."
    if len(answer.cited) > MOST_CITED:
        yield f"citedToolUseIds has {len(answer.cited)} calls: cite at most {MOST_CITED}."
    if not unknown and not cited_failures(answer, case):
        yield "citedToolUseIds has no failed call of this candidate: cite the failures that the lesson is about."


def cited_failures(answer: Answer, case: CaseFile) -> list[str]:
    return [name for name in answer.cited if name in case.failures]


def splits_into_known_calls(answer: Answer, case: CaseFile) -> Problems:
    groups = answer.split_into or []
    if not groups:
        return
    members = [name for group in groups for name in group]
    if len(groups) < 2 or not all(groups):
        yield f"splitInto has {len(groups)} group(s): give two or more, none of them empty, or leave it out."
    elif len(set(members)) < len(members):
        yield "splitInto has a call in two groups: put each into one."
    elif unknown := [name for name in members if name not in case.failures]:
        yield f"splitInto has {shown(unknown[0])}, no failed call of this candidate: use ids of the dossier."
    elif not set(cited_failures(answer, case)) <= set(groups[0]):
        yield "splitInto must begin with the group that the lesson is about: cite failures of that group alone."


def merges_with_known_candidate(answer: Answer, case: CaseFile) -> Problems:
    if answer.merge_with and (answer.merge_with not in case.queue or answer.merge_with == answer.fingerprint):
        yield f"mergeWith is {shown(answer.merge_with)}, no other candidate: use a fingerprint of otherCandidates."


def names_known_project(answer: Answer, case: CaseFile) -> Problems:
    if answer.scope_in(case.projects) is None:
        path = shown(answer.scope.path) if answer.scope.path else "missing, and there are several"
        yield f"scope.path is {path}: name a project of the dossier, or another scope.type."


def says_it_within_rules(answer: Answer, case: CaseFile) -> Problems:
    """Applies the rules of every lesson: length, placeholders, repetition, and invisible characters."""
    lesson = Lesson(
        id="refined",
        slug="refined",
        summary=answer.summary,
        problem=answer.problem,
        solution=answer.solution,
        triggers=Triggers(tool_names=["Bash"]),
    )
    yield from intake.check(lesson).problems
    texts: dict[str, object] = {name: getattr(answer, name) for name in _TEXTS}
    yield from hidden_problems(texts)
    for name, text in texts.items():
        words = str(text)
        if len(words) > LONGEST_TEXT:
            yield f"{name} has {len(words)} characters: write at most {LONGEST_TEXT}."
        yield from foreign_words(name, words)


def foreign_words(name: str, text: str) -> Problems:
    """Finds what neither a lesson nor a reason may contain."""
    if without_marks(text) != text:
        yield f"{name} has a tag by which clients mark their own words: write it without."
    if redacted(text) != text:
        yield f"{name} has something that looks like a secret: leave it out."


def bypasses_no_check(answer: Answer, case: CaseFile) -> Problems:
    """Checks that the answer bypasses no check; what the failed calls had themselves is not advice."""
    before = " ".join(row.command for row in case.failures.values())
    words_before = before.split()
    for text in (answer.summary, answer.solution):
        for words in commands_in(text):
            line = " ".join(words)
            if bypasses_check(words, words_before) or sets_check_off(line, before):
                yield f"{shown(line)} leaves out a check or throws something away: say how to do it without."


# Checks of the trigger by itself.


def fires_at_a_call_or_error(answer: Answer, case: CaseFile) -> Problems:
    triggers = answer.triggers.triggers()
    if not has_any(triggers, FIRING):
        yield "triggers has no pattern: give one on the command, path, content or error."
    patterns = _regexes(triggers) + triggers.path_patterns
    if len(patterns) > _MOST_PATTERNS:
        yield f"triggers has {len(patterns)} patterns: give at most {_MOST_PATTERNS}."
    for pattern in patterns:
        if len(pattern) > _LONGEST_PATTERN:
            yield f"triggers has {shown(pattern)} of {len(pattern)} characters: write at most {_LONGEST_PATTERN}."
    if len(triggers.tool_names) > _MOST_PATTERNS:
        yield f"triggers has {len(triggers.tool_names)} tools: name at most {_MOST_PATTERNS}."
    if any(redacted(text) != text for text in (*patterns[:_MOST_PATTERNS], *triggers.tool_names[:_MOST_PATTERNS])):
        yield "triggers has something that looks like a secret: leave it out."
    yield from hidden_problems({"triggers": list(patterns)})
    lesson = Lesson(id="refined", slug="refined", summary="", problem="", solution="", triggers=triggers)
    yield from (sentence for sentence in intake.check(lesson).problems if sentence.startswith("triggers"))


def _regexes(triggers: Triggers) -> list[str]:
    return [
        *triggers.command_patterns,
        *triggers.content_patterns,
        *triggers.error_patterns,
        *triggers.unless,
    ]


def patterns_are_quick(answer: Answer, case: CaseFile) -> Problems:
    for pattern in _regexes(answer.triggers.triggers()):
        try:
            danger = find_danger(*to_python(pattern))
        except (ValueError, re.error, OverflowError, RecursionError):  # not a regex, which another check reports
            continue
        if danger:
            yield f"triggers has {shown(pattern)}, which can be very slow ({danger.rstrip('.')}): simplify it."


# Checks of what the trigger would have done in the history.


def catches_the_failures(answer: Answer, case: CaseFile, trial: Trial) -> Problems:
    cited = cited_failures(answer, case)
    caught = [name for name in cited if name in trial.caught]
    if len(caught) < LEAST_CAUGHT * len(cited):
        missed = next(name for name in cited if name not in trial.caught)
        sentence = (
            f"The trigger fires on {len(caught)} of {len(cited)} cited failures, and {LEAST_CAUGHT:.0%} are needed"
        )
        yield f"{sentence}: it misses {shown(case.failures[missed].command or missed)}."


def spares_the_fixes(answer: Answer, case: CaseFile, trial: Trial) -> Problems:
    for line in list(dict.fromkeys(trial.fixes))[:_MOST_NAMED]:
        yield f"The trigger fires on {shown(line)}, which worked instead: make it narrower."


def spares_the_successes(answer: Answer, case: CaseFile, trial: Trial) -> Problems:
    scope = answer.scope_in(case.projects) or Scope(type="global")
    good, hit = case.good_calls(scope), len(trial.successes)
    if hit > MOST_HIT * good:
        example = shown(trial.successes[0].command or trial.successes[0].arguments)
        sentence = f"The trigger fires on {hit} calls that worked ({good} of the same command did), such as {example}"
        yield f"{sentence}: at most {MOST_HIT:.0%} may be hit."


def spares_other_errors(answer: Answer, case: CaseFile, trial: Trial) -> Problems:
    """At an error it never disturbs a success, but it may match every error."""
    if answer.triggers.error_patterns and trial.others > max(len(trial.caught), 1):
        yield f"The trigger fires on {trial.others} errors of other mistakes: name what is special about this one."


def catches_one_left_out(answer: Answer, case: CaseFile, trial: Trial) -> Problems:
    """With several sessions: it must catch a failure of a session that was not cited."""
    group = set(answer.split_into[0]) if answer.split_into else case.failures.keys()
    cited = {case.sessions[name] for name in cited_failures(answer, case)}
    others = [name for name in case.sessions if name in group and case.sessions[name] not in cited]
    if len({case.sessions[name] for name in case.sessions if name in group}) < 2:
        return
    if not others:
        yield "citedToolUseIds has a call of every session: leave one out, so that the trigger can be tried on it."
    elif not any(name in trial.caught for name in others):
        # Does not say which call: a trigger made for it would prove nothing.
        yield "The trigger catches no failure of a session that was left out: make it wider."


OF_WORDS: tuple[Callable[[Answer, CaseFile], Problems], ...] = (
    cites_known_calls,
    splits_into_known_calls,
    merges_with_known_candidate,
    names_known_project,
    says_it_within_rules,
    bypasses_no_check,
)
OF_TRIGGER: tuple[Callable[[Answer, CaseFile], Problems], ...] = (fires_at_a_call_or_error, patterns_are_quick)
OF_TRIAL: tuple[Callable[[Answer, CaseFile, Trial], Problems], ...] = (
    catches_the_failures,
    spares_the_fixes,
    spares_the_successes,
    spares_other_errors,
    catches_one_left_out,
)


def unproven_code(answer: Answer, case: CaseFile, worked: Callable[[str], Iterable[str]]) -> list[str]:
    """Returns code of the solution that occurs neither in a call that worked nor in an error.

    `worked` returns successful lines of a program: the solution may use another program than the one that failed.
    """
    lines = [row.command or row.arguments for row in (*case.fixes.values(), *case.successes)]
    lines += [row.error for row in case.failures.values()]
    unknown = [code for code in code_in(answer.solution) if not is_in(code, lines)]
    return [code for code in unknown if not is_in(code, worked(program_of(code)[0]))]
