"""Finds the commands that a trigger could be about, most likely first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lessons.failure.telling_line import telling_line
from lessons.match.call import ToolCall
from lessons.promote.propose.judge import Case
from lessons.promote.propose.words import is_plain, is_program, leading_words, option_of
from lessons.shell.blame import suspects
from lessons.shell.global_options import forms
from lessons.shell.missing import missing_programs
from lessons.shell.programs import TAKE_FILES

Key = tuple[str, ...]
_SHARE_OF_FAMILY = 0.6
_MOST_BEGINNINGS = 8
_MOST_WORDS_BEFORE_SUB_COMMAND = 5


class Head(NamedTuple):
    """How the failing commands begin: program and sub-command, with the wrapper if that distinguishes them."""

    words: Key  # an empty word matches any
    tails: list[list[str]]  # what follows in each failure that has it
    tells: bool = True  # whether it may be the whole trigger: not if it rests on a single failure
    is_wrapped: bool = False  # the words begin with a wrapper
    is_bare: bool = False  # an installed program: needs more words, because most of its calls are unrelated


def heads(case: Case) -> list[Head]:
    """Returns program and sub-command first, then with the next word; each without and with its wrapper."""
    if missing := _missing(case):
        return [Head((missing,), [])]
    counts = Counter(key for commands in blamed_commands(case) for key in _keys(commands))
    shared = [key for key, number in counts.items() if case.enough(number)]
    leaves = [key for key in shared if not any(len(key) < len(other) and other[: len(key)] == key for other in shared)]
    family = Counter(key for call in case.sample or case.fixes for key in _keys(_commands(call)))
    usual = _SHARE_OF_FAMILY * len(case.sample or case.fixes)
    found: dict[Key, Head] = {}
    for leaf in _of_the_family(leaves, family, usual):
        for words, tells in _steps(leaf, family, usual, case):
            for head in _forms(words, case):
                found.setdefault(head.words, head._replace(tells=tells))
    return list(found.values())


def _missing(case: Case) -> str:
    """Returns the program that no failure found, possibly a wrapper; not one that is only text in the fixes."""
    missing = set.intersection(*(missing_programs(error) for error in case.errors))
    names = [name for call in case.failures[:1] for name in _called(call) if is_program(name) and name in missing]
    return next((name for name in names if not any(_is_text_of(fix, name) for fix in case.fixes)), "")


def _called(call: ToolCall) -> list[str]:
    return [text.partition(" ")[0] for texts in call.invocations() for text in texts]


def _is_text_of(call: ToolCall, name: str) -> bool:
    """Whether the call has the name between backquotes, and does not run it."""
    return f"`{name}" in (call.command or "") and name not in _called(call)


def blamed_commands(case: Case) -> list[list[list[str]]]:
    """Returns for each failure the commands that it can be about."""
    pairs = zip(case.failures, case.errors, strict=True)
    blamed = (suspects(call.command or "", error, telling_line(error)) for call, error in pairs)
    return [[_without_global_options(words) for words in commands] for commands in blamed]


def _without_global_options(words: list[str]) -> list[str]:
    """Returns `git gc` for `git -C /x gc`, as the hook does too."""
    tried = forms(" ".join(words))
    return tried[-1].split(" ") if len(tried) > 1 else words


def beginnings(failures: Sequence[ToolCall]) -> list[Key]:
    """Returns the beginnings of everything that the failures can be about, as far as their words are plain."""
    found: dict[Key, None] = {}
    for commands in blamed_commands(Case(failures, (), ())):
        found.update(dict.fromkeys(tuple(leading) for words in commands if (leading := leading_words(words))))
    return list(found)[:_MOST_BEGINNINGS]


def _keys(commands: Iterable[list[str]]) -> list[Key]:
    """Returns every beginning of every command: (git,), (git, add), …"""
    keys: dict[Key, None] = {}
    for words in commands:
        leading = leading_words(words)
        for size in range(1, len(leading) + 1):
            keys[tuple(leading[:size])] = None
    return list(keys)


def _commands(call: ToolCall) -> Iterable[list[str]]:
    return (_without_global_options(texts[-1].split(" ")) for texts in call.invocations())


def _of_the_family(leaves: list[Key], family: Counter[Key], usual: float) -> list[Key]:
    """Returns what the calls that worked run too; else the last: those before it succeeded, or it had not run."""
    for size in (3, 2, 1):
        found = [leaf for leaf in leaves if len(leaf) >= size and family[leaf[:size]] >= usual > 0]
        if found:
            return found
    return leaves[-1:]


def _steps(leaf: Key, family: Counter[Key], usual: float, case: Case) -> list[tuple[Key, bool]]:
    """Returns program and sub-command, then with one or two of the next words that the failures share."""
    size = len(leaf)
    least = 1 if leaf[0] in TAKE_FILES else min(2, size)
    if case.sample and family[leaf[:1]] >= usual:
        while size > least and family[leaf[:size]] < usual:
            size -= 1
    elif case.fixes and case.distinct == 1:
        leaf = leaf[: max(least, len(_as_far_as_fixes(leaf, family)))]
        size = len(leaf)
    if size == len(leaf) == 1:
        return _steps_over_options(leaf, family, usual, case)
    longest = min(len(leaf), size + (2 if case.distinct > 1 else 1))
    return [(leaf[:end], case.is_backed(leaf[end - 1])) for end in range(size, longest + 1)]


def _as_far_as_fixes(leaf: Key, family: Counter[Key]) -> Key:
    """Returns words up to the one that the fix replaced; a word without a replacement is an argument."""
    size = next((size for size in range(len(leaf), 0, -1) if family[leaf[:size]]), len(leaf))
    replaced = any(len(key) == size + 1 and key[:size] == leaf[:size] for key in family)
    return leaf[: size + 1] if replaced else leaf[:size]


def _steps_over_options(leaf: Key, family: Counter[Key], usual: float, case: Case) -> list[tuple[Key, bool]]:
    """Returns `git -C … add` if the family is `git add`; else the program, then with its option."""
    known = [key[1] for key, number in family.items() if len(key) == 2 and key[0] == leaf[0] and number >= usual]
    behind: Counter[Key] = Counter()
    for call in case.failures:
        behind.update({_over_options(words, known) for words in _commands(call) if words[0] == leaf[0]})
    found = [(key, case.is_backed(key[1])) for key, number in behind.items() if len(key) > 1 and case.enough(number)]
    return found if known and found else [(leaf, True), *found]


def _over_options(words: list[str], known: list[str]) -> Key:
    for index, word in enumerate(words[1 : _MOST_WORDS_BEFORE_SUB_COMMAND + 1], 1):
        if word in known:
            return (words[0], *(option_of(before) for before in words[1:index]), word)
    option = option_of(words[1]) if len(words) > 1 and not known else ""
    return (words[0], option) if option else (words[0],)


def _forms(words: Key, case: Case) -> list[Head]:
    """Returns the head without wrapper, and with the wrapper that nearly all failures share."""
    tails: list[list[str]] = []
    wrappers: Counter[Key] = Counter()
    for call in case.failures:
        for texts in call.invocations():
            core = texts[-1].split(" ")
            if not begins(core, words):
                core = _without_global_options(core)
            if begins(core, words):
                tails.append(core[len(words) :])
                wrappers.update({_wrapper(text.split(" "), len(core)) for text in texts})
                break
    wrapped = [wrapper for wrapper, number in wrappers.most_common(3) if wrapper and case.enough(number)]
    bare = Head(words, tails, is_bare=len(words) == 1)
    return [bare, *(Head((*wrapper, *words), tails, is_wrapped=True) for wrapper in wrapped)]


def _wrapper(written: list[str], size: int) -> Key:
    """Returns the words before the command itself, with an empty one for each that may differ every time."""
    before = written[: len(written) - size]
    if not before or not is_program(before[0]):
        return ()
    return tuple(word if is_plain(word) or is_program(word) or option_of(word) == word else "" for word in before)


def begins(core: list[str], words: Key) -> bool:
    """Whether the command begins with these words; an option may have its value in the same word."""
    if len(core) < len(words):
        return False
    return all(not word or word in (own, option_of(own)) for own, word in zip(core, words, strict=False))
