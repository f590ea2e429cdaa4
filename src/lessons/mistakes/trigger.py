"""Proposes the trigger of a mistake: the feature that separates its failed calls best from those that worked.

A feature becomes a pattern by the renderer of its family; the hook's own matcher decides what the pattern is worth. If
no feature separates, the trigger is on the line that the errors share.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

import msgspec

from lessons.failure.complaint import (
    complained_texts,
    complains_about,
    is_about_project,
    is_about_syntax,
    is_said_by_shell,
    missing_programs,
    wrong_options,
)
from lessons.failure.error_text import (
    COLOUR,
    LONGEST_ERROR,
    SHELL,
    clean,
    innermost,
    is_of_client,
    is_telling,
    one_line,
    telling_line,
)
from lessons.match.call import ToolCall
from lessons.match.rule import Rule, why_it_fires
from lessons.mistakes.features import family_of, features_of, names_in
from lessons.mistakes.good_calls import GoodCalls, before, text_of
from lessons.mistakes.patterns import (
    NAME_END,
    Pattern,
    head_of,
    literal,
    patterns_of,
    rule_of,
    scope_of,
    shell_pattern,
)
from lessons.model import Scope, Triggers, When
from lessons.shell.describe import carrier
from lessons.shell.global_options import forms

LEAST_CAUGHT = 0.9
_MOST_LINES = 40
_LONGEST_LINE = 300
_LONGEST_PATTERN = 120
_FEWEST_WORDS = 3
# Only introduces the line that names the cause.
_PREAMBLE = re.compile(
    r"(?:\w+: )?usage:|\S+ version [\d.]+\S* *(?:$|\(|Copyright)|\s*(?:at |File \"|\^|hint:)"
    r"|.{0,40}\bwarning\b|.*\bwill be ignored\b",
    re.IGNORECASE,
)
# Parts that may differ the next time: quoted texts, addresses, paths, ids and numbers.
_CHANGING = re.compile(
    r"(?P<quoted>(?<!\w)'[^'\n]{1,150}'(?!\w)|\"[^\"\n]{1,150}\"|`[^`\n]{1,150}`|‘[^’\n]{1,150}’|“[^”\n]{1,150}”)"
    r"|(?P<word>\S*(?:[/\\]\S|\d|\w\.\w|[{}<>*@=]|__|\S[\[?]\S)\S*)"
)
_OPTION = re.compile(r"--?[A-Za-z][A-Za-z-]*")
_ECHO = re.compile(r"( followed by:).*")  # the part of the command that a client repeats
_WORD = re.compile(r"(?<![\w\\])[A-Za-z][A-Za-z'-]+(?!\w)")
_OPEN = r"(?:\\S\+|\.\+)"
_SPEAKER = re.compile(r"^(?:\w[\w.-]{0,30}: )+")
_WORDS_OF_A_SENTENCE = 6
_OF_SHELL = re.compile(rf"^{SHELL}")
# What the system prints for every program: it says nothing about this mistake.
_GENERIC = re.compile(
    r"no such file or directory|permission denied|command not found|file not found|syntax error(?: at or)?(?: near)?"
    r"|(?:invalid|bad) request|(?:the term\s+)?is not recognized as (?:the name of a cmdlet|an internal).*"
    r"|internal server error|not found|syntaxerror: invalid syntax(?:\. perhaps you forgot a comma)?",
    re.I,
)


def error_trigger(
    errors: Sequence[str], others: Sequence[str] = (), is_to_blame: Callable[[str], bool] = lambda text: False
) -> Triggers | None:
    """Returns the plainest line that nearly all errors have, with its changing parts open; None if it says too little.

    `others` are errors of other mistakes: a line that is more common among these says too little as well. A quoted text
    that is to blame stays: with another text it would be another mistake.
    """
    counts: Counter[str] = Counter()
    lines: dict[str, str] = {}
    for error in errors:
        found = {pattern: line for line in _lines(error) if (pattern := _pattern(line, is_to_blame))}
        counts.update(found.keys())
        lines.update(found)
    shared = [pattern for pattern, number in counts.items() if number >= LEAST_CAUGHT * len(errors)]
    # Where no line is the same in all, one may still be a part of the others: `no such room`, `no such room (1)`.
    usable = list(filter(_says_enough, shared)) or list(filter(_says_enough, list(counts)[:_MOST_LINES]))
    main = [telling_line(error) for error in errors]
    says_most = {pattern: any(one_line(lines[pattern]) in line for line in main) for pattern in usable}
    usable = [pattern for pattern in usable if says_most[pattern] or is_telling(lines[pattern])]
    usable.sort(key=lambda pattern: not says_most[pattern])
    best = next((pattern for pattern in usable if _fires_on(pattern, errors, others)), "")
    return Triggers(error_patterns=[best]) if best else None


def _lines(error: str) -> list[str]:
    """Returns the lines of an error that could say what was wrong, and the pieces of coloured ones."""
    lines = [innermost(_ECHO.sub(r"\1", line.strip()), _LONGEST_PATTERN) for line in clean(error).split("\n")]
    lines = [_cut(line, _LONGEST_LINE) for line in lines]
    lines = [line for line in lines if line and not _PREAMBLE.match(line)][:_MOST_LINES]
    coloured = [line for line in error.split("\n") if "\x1b" in line][:_MOST_LINES]
    return lines + [piece[:_LONGEST_LINE].strip() for line in coloured for piece in _main_pieces(line)]


def _main_pieces(line: str) -> list[str]:
    """Returns the text between colours; not a small part of the line, which may only sum up."""
    pieces = [piece for piece in COLOUR.split(line) if piece.strip()]
    words = sum(len(piece.split()) for piece in pieces)
    return [piece for piece in pieces if 3 * len(piece.split()) >= 2 * words]


def _pattern(line: str, is_to_blame: Callable[[str], bool]) -> str:
    """Returns the line with its changing parts open; cut if it gets long."""
    bare = _OF_SHELL.sub("", line, count=1)  # one shell prints it with or without its name
    line = bare if not _GENERIC.search(bare) and _says_enough(bare) else line
    pieces: list[str] = []
    end = 0
    for found in _CHANGING.finditer(line):
        is_quoted = found.lastgroup == "quoted"
        if is_quoted and (_OPTION.fullmatch(found[0][1:-1]) or is_to_blame(found[0][1:-1])):
            continue
        pieces += [literal(line[end : found.start()]), ".+" if is_quoted else r"\S+"]
        end = found.end()
    text = "".join([*pieces, literal(line[end:])])
    text = re.sub(rf"{_OPEN}(?:[\s,:;]*{_OPEN})+", ".+", text)
    bare = _SPEAKER.sub("", text, count=1)  # the same sentence may come from another program or layer
    text = bare if len(_WORD.findall(bare)) >= _WORDS_OF_A_SENTENCE else text
    text = re.sub(rf"^{_OPEN}[\s:,;]*|[\s:,;]*{_OPEN}\W?$", "", text)
    return _cut(text, _LONGEST_PATTERN).rstrip("\\")


def _cut(text: str, longest: int) -> str:
    """Returns as many whole words from the start as fit."""
    return text if len(text) <= longest else text[:longest].rpartition(" ")[0]


def _says_enough(pattern: str) -> bool:
    """Whether enough of the program's own words are left; the name of a missing program is enough."""
    words = _WORD.findall(_GENERIC.sub(" ", pattern.replace(r"\S+", " ").replace(".+", " ")))
    return len(set(words)) >= (1 if "command not found" in pattern else _FEWEST_WORDS)


def _fires_on(pattern: str, errors: Sequence[str], others: Sequence[str]) -> bool:
    """Whether it really matches (the line may contain colour codes), and its own errors more than others."""
    try:
        compiled = re.compile(pattern)
    except re.error:
        return False
    if sum(compiled.search(error) is not None for error in errors) < LEAST_CAUGHT * len(errors):
        return False
    return sum(compiled.search(error) is not None for error in others) <= len(errors)


def not_found_trigger(name: str) -> Triggers:
    """Returns a trigger on the missing program in the words of any shell, or of what starts a container."""
    said = rf"not found: {literal(name)}(?![\w-])|(?<![\w-]){literal(name)}: (?:command )?not found"
    said += rf'|exec: "{literal(name)}": executable file not found'
    return Triggers(error_patterns=[rf"{said}|(?<![\w-]){literal(name)}['’] is not recognized as"])


MOST_HIT = 0.05  # of the good calls
EVERYWHERE, MACHINE = Scope(type="global"), Scope(type="machine")
# When a lesson acts: before the call runs, right after it failed, or at the start of a session.
Moment = Literal["call", "error", "start"]
IsHere = Callable[[str], bool]
OtherErrors = Callable[[Scope], Sequence[str]]

_NO_FAILURE = "There is no failing call to make a trigger from."
_MANY_TOOLS = "The failures are calls of several tools, and their errors have too little in common."
_NOTHING = "The same command sometimes works, and the error says too little for a trigger."
_MOST_FAILURES = 48  # that are compared, of a large group
_MOST_JUDGED = 80
_MOST_PATTERNS = 4
_FEWEST_OF_SUB_COMMAND = 3
_FREQUENT_FAILURES = 3
_BLAMED = re.compile(r"-{0,2}[A-Za-z][A-Za-z_:-]{1,40}|-[A-Za-z]")  # no path, number or id: they differ the next time
_PLAIN_WORD = re.compile(r"\w[\w-]+")


class Group(msgspec.Struct, frozen=True):
    """The calls of one mistake."""

    failures: Sequence[ToolCall]  # with the errors they ended in
    fixes: Sequence[ToolCall] = ()  # none that skips a check: such a call is one of the good ones
    good: GoodCalls = GoodCalls()  # other calls of the same programs or tool
    projects: Sequence[str] = ()  # of each failure
    is_fact: bool = False  # about a machine or a project: worth a line before anything is called

    @property
    def project(self) -> Scope | None:
        """The one project that all failures are of, if so."""
        known = set(self.projects)
        return Scope(type="project", path=known.pop()) if len(known) == 1 and "" not in known else None

    def is_to_blame(self, text: str) -> bool:
        """Whether every failing call has this word and the fixes did without it."""
        if not _BLAMED.fullmatch(text) or not all(_has(call, text) for call in self.failures):
            return False
        return not any(_has(fix, text) for fix in self.fixes)


def _has(call: ToolCall, word: str) -> bool:
    return re.search(rf"(?<![\w-])-{{0,2}}{re.escape(word)}(?![\w-])", text_of(call)) is not None


class Proposal(NamedTuple):
    """A trigger with where and when it acts; without one, why there is none."""

    triggers: Triggers | None
    reason: str = ""
    scope: Scope = EVERYWHERE
    acts_at: Moment | None = None


class _Found(NamedTuple):
    """A pattern that separates, and what it fires on."""

    pattern: Pattern
    caught: frozenset[int]
    hit: int
    is_named: bool  # the errors complain about its word
    scope: Scope
    is_of_sub_command: bool

    def rank(self) -> tuple[object, ...]:
        source = "".join(self.pattern.triggers.command_patterns)
        narrow = not self.is_of_sub_command
        return -len(self.caught), not self.is_named, self.hit, bool(self.scope.path), narrow, len(source), source


def propose(
    group: Group, other_errors: OtherErrors = lambda scope: (), is_here: IsHere = lambda program: False
) -> Proposal:
    """Returns the earliest moment that works; `other_errors` are those that the lesson would see besides its own."""
    if not group.failures:
        return Proposal(None, _NO_FAILURE)
    if missing := _missing_program(group, is_here):
        return missing
    judge = _Judge(group)
    errors = [call.error for call in group.failures if call.error]
    if found := judge.best():
        triggers, scope = found
        on_error = error_trigger(errors, other_errors(scope), group.is_to_blame) if errors else None
        if on_error and _is_clear(on_error, scope, group):
            triggers = msgspec.structs.replace(triggers, error_patterns=on_error.error_patterns)
        return Proposal(triggers, "", scope, "call")
    for scope in judge.scopes_of_error() if errors else ():
        on_error = error_trigger(errors, other_errors(scope), group.is_to_blame)
        if on_error and _is_clear(on_error, scope, group):
            return Proposal(on_error, "", scope, "error")
    reason = _NOTHING if judge.is_of_one_tool else _MANY_TOOLS
    if group.is_fact and group.project:
        return Proposal(Triggers(session_start=True), reason, group.project, "start")
    return Proposal(None, reason)


def _is_clear(on_error: Triggers, scope: Scope, group: Group) -> bool:
    """Whether an error of one project is clear everywhere: a whole sentence, or one with a word of the call."""
    if scope.path or not group.project or all(_is_of_surroundings(call.error or "") for call in group.failures):
        return True
    words = set(_PLAIN_WORD.findall(on_error.error_patterns[0]))
    called = [set(_PLAIN_WORD.findall(text_of(call))) for call in group.failures]
    return len(words) >= _WORDS_OF_A_SENTENCE or bool(words.intersection(*called))


def _is_of_surroundings(error: str) -> bool:
    """Whether the shell or the agent's client reports it, or a syntax is wrong: the same in every project."""
    line = telling_line(error)
    return is_said_by_shell(line) or is_about_syntax(line) or is_of_client(error)


class _Judge:
    """Tries the features of the failures one by one."""

    def __init__(self, group: Group) -> None:
        step = len(group.failures) // _MOST_FAILURES + 1
        failures = group.failures[::step]
        self._group = group
        self._errors = [(call.error or "")[:LONGEST_ERROR] for call in failures]
        self._calls = [before(call) for call in failures]
        self.is_of_one_tool = len({call.names[0] for call in failures}) == 1
        self._fixes = [before(call) for call in group.fixes]
        self._good = group.good
        self._quoted = [{name for text in complained_texts(each) for name in names_in(text)} for each in self._errors]
        self._owners: dict[str, list[int]] = {}
        for number, call in enumerate(self._calls):
            for feature in _features(call):
                self._owners.setdefault(feature, []).append(number)

    def best(self) -> tuple[Triggers, Scope] | None:
        if not self.is_of_one_tool:
            return None
        found = sorted(self._separating(), key=_Found.rank)
        if found and len(found[0].caught) >= LEAST_CAUGHT * len(self._calls):
            return found[0].pattern.triggers, found[0].scope
        return self._together([each for each in found if each.is_named])

    def scopes_of_error(self) -> list[Scope]:
        """Returns where an error trigger may act: what the error names may be wrong in every project."""
        own = self._group.project
        if own is None:
            return [EVERYWHERE]
        if all(map(_is_of_surroundings, self._errors)):
            return [EVERYWHERE, own]
        named = (
            pattern.word
            for feature, owners in self._owners.items()
            if len(owners) == len(self._calls) and scope_of(feature) == "global"
            for pattern in patterns_of(feature)
            if self._is_named(feature, pattern.word, owners)
        )
        is_wide = any(not self._is_of_project(word) for word in named)
        return [EVERYWHERE, own] if is_wide else [own]

    def _separating(self) -> Iterator[_Found]:
        """Yields what fires on the failures that have the feature, on no fix and on few good calls."""
        tried = 0
        for feature, owners in sorted(self._owners.items(), key=lambda item: (-len(item[1]), item[0])):
            is_shared = len(owners) >= LEAST_CAUGHT * len(self._calls)
            for pattern in patterns_of(feature):
                is_named = self._is_named(feature, pattern.word, owners)
                is_backed = is_shared and not pattern.needs_name and self._is_backed(feature, pattern, owners)
                if not is_named and not is_backed:
                    continue
                tried += 1
                if tried > _MOST_JUDGED:
                    return
                if found := self._found(feature, pattern, owners, is_named):
                    yield found

    def _is_named(self, feature: str, word: str, owners: Sequence[int]) -> bool:
        """Whether the errors of the calls that have it complain about it."""
        if not word:
            return False
        if family_of(feature) == "option":
            return all(word in wrong_options([word], self._errors[number]) for number in owners)
        if family_of(feature) == "name":
            return all(word in self._quoted[number] for number in owners)
        # A path above the one that an error names is not to blame.
        is_whole = re.compile(rf"(?<![\w/.-]){re.escape(word)}(?!/[\w.])").search
        errors = [self._errors[number] for number in owners]
        return all(complains_about(word, error) for error in errors) and all(map(is_whole, errors))

    def _is_backed(self, feature: str, pattern: Pattern, owners: Sequence[int]) -> bool:
        """Whether different failures speak for it and fixes did without it; of one failure only its options count."""
        if len({text_of(self._calls[number]) for number in owners}) == 1:
            return bool(pattern.head) and any(text_of(fix).startswith(pattern.head) for fix in self._fixes)
        return bool(self._fixes) or family_of(feature) in ("tool", "value-kind")

    def _is_of_project(self, word: str) -> bool:
        return all(is_about_project(word, error) for error in self._errors)

    def _found(self, feature: str, pattern: Pattern, owners: Sequence[int], is_named: bool) -> _Found | None:
        rule = rule_of(pattern.triggers)
        if any(why_it_fires(rule, fix) for fix in self._fixes):
            added = self._added(rule)
            if not added or pattern.triggers.match_on != "invocation":
                return None
            unless = [rf"\s{literal(added)}{NAME_END}"]
            pattern = pattern._replace(triggers=msgspec.structs.replace(pattern.triggers, unless=unless))
            rule = rule_of(pattern.triggers)
            if any(why_it_fires(rule, fix) for fix in self._fixes):
                return None
        caught = frozenset(number for number, call in enumerate(self._calls) if why_it_fires(rule, call))
        if len(caught.intersection(owners)) < LEAST_CAUGHT * len(owners):
            return None
        for scope in self._scopes(feature, pattern, is_named):
            good = self._good.inside(scope.path)
            hit = _hits(rule, pattern, good, min(int(MOST_HIT * len(good)), len(caught) // 2))
            if hit is not None:
                return _Found(pattern, caught, hit, is_named, scope, self._is_sub_command(pattern.head))
        return None

    def _added(self, rule: Rule) -> str:
        """Returns an option that every fix has on which the rule fires, and that no failure has."""
        fired = [_options(fix) for fix in self._fixes if why_it_fires(rule, fix)]
        found = set.intersection(*fired).difference(*map(_options, self._calls))
        return min(found, default="")

    def _is_sub_command(self, head: str) -> bool:
        """Whether the second word is no argument: several good calls begin with both."""
        if " " not in head:
            return False
        return len(list(islice(self._good.holding((f"{head} ",)), _FEWEST_OF_SUB_COMMAND))) == _FEWEST_OF_SUB_COMMAND

    def _scopes(self, feature: str, pattern: Pattern, is_named: bool) -> list[Scope]:
        """Returns where the feature's family acts, widest first."""
        own, kind = self._group.project, scope_of(feature)
        if kind == "machine":
            return [MACHINE]
        if own and (kind == "project" or (is_named and self._is_of_project(pattern.word))):
            return [own]
        # A program and its sub-command work the same in every project.
        return [EVERYWHERE, own] if own and family_of(feature) != "words" else [EVERYWHERE]

    def _together(self, found: list[_Found]) -> tuple[Triggers, Scope] | None:
        """Joins patterns for single failures whose errors name what is wrong with each, if they catch half of all."""
        chosen: list[_Found] = []
        caught: set[int] = set()
        for each in found:
            first = (chosen or [each])[0]
            alike = (each.pattern.triggers.match_on, each.scope) == (first.pattern.triggers.match_on, first.scope)
            if alike and each.caught - caught and len(chosen) < _MOST_PATTERNS:
                chosen.append(each)
                caught |= each.caught
        if 2 * len(caught) < len(self._calls) or not chosen:
            return None
        patterns = [source for each in chosen for source in each.pattern.triggers.command_patterns]
        return msgspec.structs.replace(chosen[0].pattern.triggers, command_patterns=patterns), chosen[0].scope


def _hits(rule: Rule, pattern: Pattern, good: GoodCalls, most: int) -> int | None:
    """Returns how many good calls it fires on; None if they are too many."""
    hit = 0
    rough = re.compile(pattern.rough) if pattern.rough else None
    for each in good.holding(pattern.literals):
        if rough is not None and not rough.search(each.text):
            continue
        hit += why_it_fires(rule, each.call()) is not None
        if hit > most:
            return None
    return hit


def _features(call: ToolCall) -> set[str]:
    """Returns the features of the line, and of its commands behind a wrapper."""
    found = features_of(call.names[0], call.arguments, (call.command or "") if call.is_shell else None, call.cwd)
    for texts in call.invocations() if call.is_shell else ():
        if len(texts) > 1:
            found |= features_of("", None, texts[-1], call.cwd)
        for form in forms(texts[-1])[1:]:
            found |= features_of("", None, form, call.cwd)
    return found


def _options(call: ToolCall) -> set[str]:
    words = [word for texts in call.invocations() for word in texts[0].split(" ")[1:]] if call.is_shell else []
    return {word.partition("=")[0] for word in words if len(word) > 1 and word[0] == "-" and not word[1].isdigit()}


# A missing program.


def _missing_program(group: Group, is_here: IsHere) -> Proposal | None:
    """For a program that none of the failures found and that one of them calls by that name.

    It acts while the program is missing. Where it is here now and never worked, it was installed since, or the failures
    are of another machine: then the error is enough, unless it failed again and again.
    """
    missing = set.intersection(*(missing_programs(call.error or "") for call in group.failures))
    called = [text.partition(" ")[0] for call in group.failures for texts in call.invocations() for text in texts]
    name = next((name for name in called if name in missing and "/" not in name), "")
    if not name:
        return None
    if all(carrier(call.command or "", name) for call in group.failures):
        return Proposal(not_found_trigger(name), "", group.project or EVERYWHERE, "error")
    pattern = shell_pattern(f"^{head_of(name)}", "invocation", (name,))
    rule = rule_of(pattern.triggers)
    works = any(why_it_fires(rule, before(fix)) for fix in group.fixes) or _hits(rule, pattern, group.good, 0) is None
    if works or not is_here(name):
        return Proposal(msgspec.structs.replace(pattern.triggers, when=When(missing=[name])), "", MACHINE, "call")
    if len(group.failures) < _FREQUENT_FAILURES:
        return Proposal(not_found_trigger(name), "", MACHINE, "error")
    return Proposal(pattern.triggers, "", MACHINE, "call")
