"""The failing shell calls and some that worked in, the commands that a trigger could be about out, likeliest first."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from lessons.match.call import ToolCall
from lessons.promote.propose_judge import Case
from lessons.promote.propose_words import is_named, is_plain, is_program, leading_words, option_of

Key = tuple[str, ...]
_SHARE_OF_FAMILY = 0.6
_MOST_WORDS_BEFORE_SUB_COMMAND = 5
# What prepares or decorates a line: the mistake is seldom in there, and nobody wants a lesson at every `cd`.
_SET_UP = frozenset("cd pushd popd export source . set echo printf true test [ [[ wait exit : local sleep".split())


class Head(NamedTuple):
    """How the failing commands begin: program and sub-command, with the wrapper where it is told by that."""

    words: Key  # an empty word stands for any
    tails: list[list[str]]  # what follows in each failure that has it
    tells: bool = True  # whether it may be all that a trigger says: not where one failure alone speaks for it
    in_family: bool = True  # else only the command that is to blame for the failure of a longer line


def heads(case: Case) -> list[Head]:
    """Program and sub-command first, then with the word behind it; each without and with its wrapper."""
    counts = Counter(key for call in case.failures for key in _keys(call))
    shared = [key for key, number in counts.items() if case.enough(number) and key[0] not in _SET_UP]
    leaves = [key for key in shared if not any(len(key) < len(other) and other[: len(key)] == key for other in shared)]
    family = Counter(key for call in case.sample or case.fixes for key in _keys(call))
    usual = _SHARE_OF_FAMILY * len(case.sample or case.fixes)
    own = _of_the_family(leaves, family, usual)
    found: dict[Key, Head] = {}
    for leaf in own:
        for words, tells in _steps(leaf, family, usual, case):
            for head in _forms(words, case):
                found.setdefault(head.words, head._replace(tells=tells))
    for leaf in leaves:
        if leaf not in own and (words := _to_blame(leaf[:1], case)):
            found.setdefault(words, _forms(words, case)[0]._replace(in_family=False))
    return list(found.values())


def _keys(call: ToolCall) -> list[Key]:
    """Every beginning of every command: (git,), (git, add), …"""
    keys: dict[Key, None] = {}
    for words in _commands(call):
        leading = leading_words(words)
        for size in range(1, len(leading) + 1):
            keys[tuple(leading[:size])] = None
    return list(keys)


def _commands(call: ToolCall) -> Iterable[list[str]]:
    return (texts[-1].split(" ") for texts in call.invocations())


def _of_the_family(leaves: list[Key], family: Counter[Key], usual: float) -> list[Key]:
    """What the calls that worked run too; without such calls the first that does the work."""
    for size in (3, 2, 1):
        found = [leaf for leaf in leaves if len(leaf) >= size and family[leaf[:size]] >= usual > 0]
        if found:
            return found
    return leaves[:1]


def _to_blame(program: Key, case: Case) -> Key:
    """Another command of the line: missing, or with an option that is in the error or that a fix left out."""
    if case.errors and all(_is_missing(program[0], error) for error in case.errors):
        return program
    options = Counter(option for call in case.failures for option in {_option_behind(call, program[0])} if option)
    for option, number in options.most_common(1):
        if case.enough(number) and (is_named(option, case.errors) or _is_left_out(program[0], case)):
            return (*program, option)
    return ()


def _is_missing(program: str, error: str) -> bool:
    return (
        f"not found: {program}" in error or f"{program}: command not found" in error or f"{program}: not found" in error
    )


def _is_left_out(program: str, case: Case) -> bool:
    """Whether a fix is the same line but for this command."""
    for failure in case.failures:
        kept = {text for texts in failure.invocations() if not (text := texts[-1]).startswith(f"{program} ")}
        for fix in case.fixes:
            if kept and kept <= {texts[-1] for texts in fix.invocations()}:
                return True
    return False


def _option_behind(call: ToolCall, program: str) -> str:
    return next((option_of(words[1]) for words in _commands(call) if words[0] == program and len(words) > 1), "")


def _steps(leaf: Key, family: Counter[Key], usual: float, case: Case) -> list[tuple[Key, bool]]:
    """Program and sub-command, then with one or two of the words behind it that the failures share."""
    size = len(leaf)
    if case.sample and family[leaf[:1]] >= usual:
        while size > 1 and family[leaf[:size]] < usual:
            size -= 1
    elif case.fixes and case.distinct == 1:
        leaf = _as_far_as_fixes(leaf, family)
        size = len(leaf)
    if size == len(leaf) == 1:
        return _steps_over_options(leaf, family, usual, case)
    longest = min(len(leaf), size + (2 if case.distinct > 1 else 1))
    return [(leaf[:end], end == size or case.is_backed(leaf[end - 1])) for end in range(size, longest + 1)]


def _as_far_as_fixes(leaf: Key, family: Counter[Key]) -> Key:
    """Up to the word that the fix has another one for: where it has none, that word is an argument."""
    size = next((size for size in range(len(leaf), 0, -1) if family[leaf[:size]]), len(leaf))
    replaced = any(len(key) == size + 1 and key[:size] == leaf[:size] for key in family)
    return leaf[: size + 1] if replaced else leaf[:size]


def _steps_over_options(leaf: Key, family: Counter[Key], usual: float, case: Case) -> list[tuple[Key, bool]]:
    """`git -C … add` where the family is `git add`; else the program, then with the option behind it."""
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
    """The head without wrapper, and with the wrapper that nearly all failures share."""
    tails: list[list[str]] = []
    wrappers: Counter[Key] = Counter()
    for call in case.failures:
        for texts in call.invocations():
            core = texts[-1].split(" ")
            if begins(core, words):
                tails.append(core[len(words) :])
                wrappers.update({_wrapper(text.split(" "), len(core)) for text in texts})
                break
    wrapped = [wrapper for wrapper, number in wrappers.most_common(3) if wrapper and case.enough(number)]
    return [Head(words, tails), *(Head((*wrapper, *words), tails) for wrapper in wrapped)]


def _wrapper(written: list[str], size: int) -> Key:
    """The words before the command itself, an empty one for each that may be different every time."""
    before = written[: len(written) - size]
    if not before or not is_program(before[0]):
        return ()
    return tuple(word if is_plain(word) or is_program(word) or option_of(word) == word else "" for word in before)


def begins(core: list[str], words: Key) -> bool:
    """Whether the command begins with these words; an option may have its value in the same word."""
    if len(core) < len(words):
        return False
    return all(not word or word in (own, option_of(own)) for own, word in zip(core, words, strict=False))
