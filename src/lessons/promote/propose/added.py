"""Finds the missing options: those that the calls that worked have and the failed ones do not."""

import re
from collections.abc import Iterator

from lessons.match.call import ToolCall
from lessons.promote.propose.heads import Head, begins
from lessons.promote.propose.judge import Case
from lessons.promote.propose.words import is_named, is_plain, option_of
from lessons.shell.bypass import may_bypass_check
from lessons.shell.global_options import forms

_MOST_OPTIONS = 6
_FILE = re.compile(r"\w/\w|\w\.[A-Za-z]{1,5}$")


def added_by_fixes(head: Head, case: Case) -> list[str]:
    """Returns the options that every fix of the same command has and no failure.

    A single failure must be the fix without the option, or its error must ask for it. Otherwise, like `--skip`, the
    option may only continue, and was not missing.
    """
    fixed = [words for fix in case.fixes for words in commands_of(fix) if _begins_in_some_form(words, head.words)]
    if not fixed or not head.tails:  # for a missing program no option can be to blame
        return []
    options = set.intersection(*({option for word in words if (option := _added(word))} for words in fixed))
    options -= {_added(word) for tail in head.tails for word in tail}
    options = {option for option in options if not any(may_bypass_check(words, option) for words in fixed)}
    if case.distinct == 1 and not all(_plain_words(head.tails[0]) <= set(words) for words in fixed):
        options = {option for option in options if is_named(option, case.errors)}
    if _is_about_kept_option(head, fixed, case):
        options = {option for option in options if is_named(option, case.errors)}
    return sorted(options)[:_MOST_OPTIONS]


def _is_about_kept_option(head: Head, fixed: list[list[str]], case: Case) -> bool:
    """Whether the errors complain about an option that the fixes have too: then its place or its value was wrong."""
    kept = set.intersection(*({option_of(word) for word in words} for words in (*head.tails, *fixed))) - {""}
    return any(is_named(option, case.errors) for option in kept)


def takes_file(option: str, head: Head, case: Case) -> bool:
    """Whether a fix gives the option a file or a folder, which another project does not have."""
    known = {word for tail in head.tails for word in tail}  # an argument of the failed call is not the option's value
    commands = (words for fix in case.fixes for words in commands_of(fix))
    return any(
        option_of(word) == option and _FILE.search(value or ("" if following in known else following))
        for words in commands
        for word, following in zip(words, [*words[1:], ""], strict=True)
        for value in (word.partition("=")[2],)
    )


def takes_own_value(option: str, head: Head, case: Case) -> bool:
    """Whether the fixes give the option a value that no error asks for: a name from one project."""
    name = option.strip("-").lower()
    if (len(name) > 1 and all(name in error.lower() for error in case.errors)) or is_named(option, case.errors):
        return False
    known = {word for tail in head.tails for word in tail}
    commands = (words for fix in case.fixes for words in commands_of(fix) if _begins_in_some_form(words, head.words))
    return any(
        option_of(word) == option and is_plain(word.partition("=")[2] or following) and following not in known
        for words in commands
        for word, following in zip(words, [*words[1:], ""], strict=True)
    )


def _added(word: str) -> str:
    """Returns an option, or `--`, which ends the options: what follows is for another program."""
    return word if word == "--" else option_of(word)


def commands_of(call: ToolCall) -> Iterator[list[str]]:
    return (texts[-1].split(" ") for texts in call.invocations())


def _begins_in_some_form(words: list[str], head: tuple[str, ...]) -> bool:
    """Whether it begins with these words, as is or without the options before its sub-command: the hook tries both."""
    return any(begins(form.split(" "), head) for form in forms(" ".join(words)))


def _plain_words(words: list[str]) -> set[str]:
    return {word for word in words if not any(sign in word for sign in "<>&")}
