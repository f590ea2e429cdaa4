"""Proposes triggers that separate failing shell calls from those that worked, simplest first."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from lessons.failure.complaint import is_about_files, is_about_layout, is_about_project
from lessons.failure.telling_line import telling_line
from lessons.match.call import ToolCall
from lessons.model import Triggers
from lessons.promote.propose.added import added_by_fixes, commands_of, takes_file, takes_own_value
from lessons.promote.propose.api_path import api_paths
from lessons.promote.propose.arguments import arguments_in
from lessons.promote.propose.gap import gap_before
from lessons.promote.propose.heads import Head, begins, heads
from lessons.promote.propose.judge import Attempt, Case
from lessons.promote.propose.marks import Mark, named_marks, shared_lines, shared_marks
from lessons.promote.propose.named import Named, named_options, named_words
from lessons.promote.propose.tokens import quoted_tokens, telling_tokens
from lessons.promote.propose.usual_value import usual_values
from lessons.promote.propose.words import START, ending, head_pattern, is_named, is_plain, literal, option_of
from lessons.shell.global_options import GLOBAL_OPTIONS, forms
from lessons.shell.programs import RUN_SCRIPT

_MOST_TERMS = 6
_RUN_TARGETS = frozenset(("make", "just", "task", "rake"))
_MOST_TERMS_IN_PAIRS = 4


def shell_attempts(case: Case) -> Iterator[list[Attempt]]:
    """Yields lists of equally simple ones, in the order in which a person would prefer them."""
    found = heads(case)
    line = telling_line(case.errors[0])
    is_of_place = is_about_files(line) or is_about_layout(line)
    others = _words_of([*case.fixes, *case.sample])
    yield from _named(found, case, others)
    if not is_about_files(line):  # the same command works where the file is
        yield [_own_head(head, case, others) for head in found if head.tells and not head.is_bare]
    terms = {head.words: _terms(head, case) for head in found}
    yield [_of_terms(head, (term,), case, others) for head in found for term in terms[head.words]]
    yield [
        _of_terms(head, pair, case, others)
        for head in found
        for pair in combinations(terms[head.words][:_MOST_TERMS_IN_PAIRS], 2)
    ]
    yield [
        attempt._replace(is_local=is_of_place or takes_file(word, head, case) or takes_own_value(word, head, case))
        for head in found
        if not head.is_bare
        for word in added_by_fixes(head, case)
        for attempt in _unless(head.words, word, others, is_about_layout(line))
    ]
    yield [_bare(head.words, others, _is_of_project(case)) for head in found if _is_wrapped_in_fixes(head, case)]
    yield [_shape(head.words, mark, others) for head in found for mark in shared_marks(case)]
    yield [_argument(head.words, *argument, others) for head in found for argument in arguments_in(head.tails, case)]
    tokens = telling_tokens(case)
    yield [_local_token(_token(head.words, token, others), token, case) for head in found for token in tokens]


def _named(found: list[Head], case: Case, others: set[str]) -> Iterator[list[Attempt]]:
    """Yields what the errors complain about: an option, a word, a name in a text, a sign, a path of an API."""
    yield _of_names(found, case, named_options, others)
    yield [
        _named_head(head, case, others)
        for head in found
        if head.tells and len(head.words) > 1 and is_named(head.words[-1], case.errors)
    ]
    yield [_line(*line) for line in shared_lines(case)]
    yield [_shape(head.words, mark, others, is_named=True) for head in found for mark in named_marks(case)]
    yield [_path(head.words[:1], *path) for head in found[:1] for path in api_paths(case)]
    yield [_value(head.words[:1], *value) for head in found[:1] for value in usual_values(case)]
    yield _of_names(found, case, named_words, others)
    yield [
        _local_token(_token(head.words, token, others, is_named=True), token, case)
        for head in found
        for token in quoted_tokens(case)
    ]


NamesIn = Callable[[Sequence[str], str], list[Named]]


def _of_names(found: list[Head], case: Case, names_in: NamesIn, others: set[str]) -> list[Attempt]:
    return [
        _named_attempt(head.words, named, others, gap_before(named, head.words, case.failures))
        for head in sorted(found, key=_preferred)
        for named in _shared_names(head, case, names_in)
        if named.word not in head.words
    ]


def _preferred(head: Head) -> tuple[bool, bool, bool]:
    """Prefers the sub-command that the failures share; another option beside the wrong one is a coincidence."""
    return head.is_wrapped, any(word.startswith("-") for word in head.words[1:]), head.is_bare


def _shared_names(head: Head, case: Case, names_in: NamesIn) -> list[Named]:
    """Returns what nearly all failures have, in the command that begins with this head."""
    counts: Counter[Named] = Counter()
    for call, error in zip(case.failures, case.errors, strict=True):
        for texts in call.invocations():
            tried = [form for text in reversed(texts) for form in forms(text)]
            words = next((words for text in tried if begins(words := text.split(" "), head.words)), None)
            if words:
                counts.update(names_in(words, error))
                break
    return [named for named, number in counts.items() if case.enough(number)][:_MOST_TERMS]


def _named_attempt(head: tuple[str, ...], named: Named, others: set[str], gap: str) -> Attempt:
    end = ending(named.word, others) if named.is_word else ""
    pattern = rf"^{head_pattern(head, others)}{gap}\s{named.pattern}{end}"
    option = named.word if named.word.startswith("-") and len(named.word) > 2 else ""
    attempt = _invocation(pattern, (*head, named.word))._replace(is_named=True, is_local=named.is_local, option=option)
    return attempt._replace(is_never_right=named.word.startswith("-"))


def _line(pattern: str, text: str, tool: str) -> Attempt:
    triggers = Triggers(tool_names=[tool] if tool else [], command_patterns=[pattern], match_on="command")
    return Attempt(triggers, (text,), is_named=True, is_of_any_command=not tool, is_never_right=True)


def _path(program: tuple[str, ...], pattern: str, text: str) -> Attempt:
    found = START + literal(program[0]) + r"\b[\s\S]*" + pattern
    triggers = Triggers(command_patterns=[found], match_on="command")
    return Attempt(triggers, (*program, text), is_named=True, is_never_right=True)


def _value(program: tuple[str, ...], pattern: str, name: str, usual: str) -> Attempt:
    found = START + literal(program[0]) + r"\b[\s\S]*" + pattern
    triggers = Triggers(command_patterns=[found], match_on="command")
    return Attempt(triggers, (*program, name), is_named=True, is_local=True)


def _words_of(calls: Iterable[ToolCall]) -> set[str]:
    return {word for call in calls for texts in call.invocations() for text in texts for word in text.split(" ")}


def _terms(head: Head, case: Case) -> list[str]:
    """Returns options and plain words that nearly all failures share, those that the errors name first.

    A single failure shares every word with itself: then a fix must lack the option, or the error must name the word.
    """
    counts: Counter[str] = Counter()
    for tail in head.tails:
        counts.update({term for word in tail if (term := _term(word))})
    shared = sorted(term for term, number in counts.items() if case.enough(number))
    named = [term for term in shared if is_named(term.removeprefix("="), case.errors)]
    if case.distinct > 1:
        usable = [term for term in shared if term[0] != "="]
    else:
        usable = [term for term in shared if term[0] == "-" and _is_all_that_changed(term, head, case)]
    return [*named, *(term for term in usable if term not in named)][:_MOST_TERMS]


def _is_all_that_changed(option: str, head: Head, case: Case) -> bool:
    """Whether the fix is the same command without the option and its value: otherwise the difference is incidental."""
    words = head.tails[0]
    place = next((place for place, word in enumerate(words) if option_of(word) == option), len(words))
    kept = {word for word in (*words[:place], *words[place + 2 :]) if not any(sign in word for sign in "<>&")}
    fixed = [set(words) for fix in case.fixes for words in commands_of(fix) if begins(words, head.words)]
    return any(kept <= words for words in fixed)


def _term(word: str) -> str:
    """Returns `--depth` for `--depth=1`, `=true` for `draft=true`, a plain word as is; else empty."""
    if option := option_of(word):
        return option
    name, equals, value = word.rpartition("=")
    return f"={value}" if equals and name and is_plain(value) else word if is_plain(word) else ""


def _attempt(head: tuple[str, ...], terms: tuple[str, ...], others: set[str]) -> Attempt:
    pieces = [rf".*\s{_term_pattern(term)}{ending(term, others)}" for term in terms]
    return _invocation("^" + head_pattern(head, others) + "".join(pieces), (*head, *terms))


def _of_terms(head: Head, terms: tuple[str, ...], case: Case, others: set[str]) -> Attempt:
    line = telling_line(case.errors[0])
    is_local = any(term[0] != "-" and is_about_project(term.removeprefix("="), line) for term in terms)
    return _attempt(head.words, terms, others)._replace(is_local=is_local or _has_own_word(head, case))


def _head_alone(head: Head, others: set[str]) -> Attempt:
    """A script belongs to its project; program and sub-command are the same everywhere."""
    is_script = head.words[0] in _RUN_TARGETS or (len(head.words) > 2 and head.words[1] in RUN_SCRIPT)
    return _attempt(head.words, (), others)._replace(is_head_alone=not is_script, is_local=is_script)


def _named_head(head: Head, case: Case, others: set[str]) -> Attempt:
    """`git push upstream` is wrong where no such remote exists; `git pusch` is wrong everywhere."""
    attempt = _head_alone(head, others)._replace(is_named=True, is_never_right=True)
    is_local = attempt.is_local or is_about_project(head.words[-1], case.errors[0])
    return attempt._replace(is_local=True, is_head_alone=False) if is_local else attempt


def _own_head(head: Head, case: Case, others: set[str]) -> Attempt:
    """A third word that the fix replaces may belong to the project, if the error is about a thing of a project."""
    attempt = _head_alone(head, others)
    return attempt._replace(is_local=True, is_head_alone=False) if _has_own_word(head, case) else attempt


def _has_own_word(head: Head, case: Case) -> bool:
    if len(head.words) < 3 or not is_about_project("", telling_line(case.errors[0])):
        return False
    return not any(begins(words, head.words) for fix in case.fixes for words in commands_of(fix))


def _term_pattern(term: str) -> str:
    return r"\S+" + literal(term) if term[0] == "=" else literal(term)


def _invocation(pattern: str, literals: Iterable[str], *unless: str) -> Attempt:
    triggers = Triggers(command_patterns=[pattern], unless=list(unless), match_on="invocation")
    return Attempt(triggers, tuple(text for text in literals if text))


def _unless(head: tuple[str, ...], word: str, others: set[str], is_of_layout: bool) -> list[Attempt]:
    """Options before the sub-command may select another part of the project, where the option is not missing."""
    pattern, has_it = "^" + head_pattern(head, others), rf"\s{literal(word)}{ending(word, others)}"
    anywhere = _invocation(pattern, head, has_it)
    if head[0] not in GLOBAL_OPTIONS:
        return [anywhere]
    here = _invocation(pattern, head, has_it, rf"^{literal(head[0])} -")
    return [here] if is_of_layout else [anywhere, here]


def _bare(head: tuple[str, ...], others: set[str], is_local: bool) -> Attempt:
    """Matches the command with nothing before it, no wrapper and no assignment."""
    triggers = Triggers(command_patterns=[START + head_pattern(head, others)], match_on="command")
    return Attempt(triggers, tuple(word for word in head if word), is_local=is_local)


def _is_of_project(case: Case) -> bool:
    """Whether a fix runs a program by its path in the project, such as `.venv/bin/python`."""
    return any("/" in texts[0].partition(" ")[0].lstrip("/~") for fix in case.fixes for texts in fix.invocations())


def _shape(head: tuple[str, ...], mark: Mark, others: set[str], is_named: bool = False) -> Attempt:
    triggers = Triggers(command_patterns=[START + head_pattern(head, others) + mark.pattern], match_on="command")
    return Attempt(triggers, (*(word for word in head if word), mark.sign), is_named)


def _is_wrapped_in_fixes(head: Head, case: Case) -> bool:
    """Whether the fixes run the same command, but with a wrapper."""
    return any(
        len(texts) > 1 and begins(texts[-1].split(" "), head.words) for fix in case.fixes for texts in fix.invocations()
    )


def _argument(head: tuple[str, ...], pattern: str, text: str, others: set[str]) -> Attempt:
    return _invocation(rf"^{head_pattern(head, others)}.*\s{pattern}", (*head, text))._replace(is_local=True)


def _token(head: tuple[str, ...], token: str, others: set[str], is_named: bool = False) -> Attempt:
    pattern = START + head_pattern(head, others) + r"[\s\S]*\b" + literal(token) + r"\b"
    triggers = Triggers(command_patterns=[pattern], match_on="command")
    return Attempt(triggers, (*(word for word in head if word), token), is_named)


def _local_token(attempt: Attempt, token: str, case: Case) -> Attempt:
    return attempt._replace(is_local=is_about_project(token, case.errors[0]))
