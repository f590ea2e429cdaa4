"""Tests the texts of an answer: the rules of every lesson, no bypass, nothing from outside, and code that is proven."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec

from lessons.learn.answer import Draft
from lessons.match.call import folder_key
from lessons.model import lesson_from_document, shown
from lessons.plain import without_marks
from lessons.promote import intake
from lessons.promote.draft import LONGEST_TEXT
from lessons.promote.intake import hidden_problems
from lessons.redact.texts import redacted
from lessons.shell.bypass import bypasses_check, disables_check
from lessons.shell.describe import parts, program_of
from lessons.store.history.past_calls import StoredCall

_TEXTS = ("summary", "problem", "solution")
_CODE = re.compile(r"`([^`\n]{1,300})`|```[^\n]*\n(.*?)```", re.DOTALL)
# A placeholder for a value that differs every time.
_OPEN = re.compile(r"<[^<>]*>|\{[^{}]*\}|\[[^\[\]]*\]|…|\.\.\.|[A-Z][A-Z0-9_-]*|\d+|\$\{?\w+\}?")
_WORD = re.compile(r"[^\s'\"`;|&()]+")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*(?:=[^\s,;.]*)?")
_WARNING = re.compile(r"(?:\b(?:no|not|never|without|avoid)|n't)(?:\s+\w+)?\s+$", re.IGNORECASE)  # "do not use --x"
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s'\"`<>)\]]*[^\s'\"`<>)\].,;:]", re.IGNORECASE)
_OUTSIDE = re.compile(r"(?<![\w.$}/:<>~)-])(?:~[\w-]*|/[\w.-]+|[A-Za-z]:)(?:[/\\][\w.@+-]+)+")
# What comes down a pipe into an interpreter is run unread.
_RUNS_INPUT = re.compile(
    r"\|\s*(?:sudo\s+)?(?:\S*/)?(?:(?:ba|z|da|k|fi)?sh|python|node|perl|ruby)[\d.]*(?=\s*(?:$|[;&|)])|\s+-(?:s\b|\s|$))"
)
_SOME_PATH = "<path>"
_LONGEST_QUOTED = 50
_QUOTABLE = re.compile(r"[^\s'\"`;|&(),]{4,}")

Worked = Callable[[str], bool]  # whether a call that succeeded has this text
WorkedLines = Callable[[str], Iterable[str]]  # successful lines of a program


def problems_of(draft: Draft, failed: Sequence[StoredCall], worked: Worked) -> list[str]:
    """Returns one sentence for each rule that the texts break."""
    return [*_against_intake(draft), *_bypasses(draft, failed), *_from_outside(draft, worked)]


def _against_intake(draft: Draft) -> Iterator[str]:
    """Applies the rules of every lesson: length, placeholders, repetition, invisible characters, secrets."""
    texts = _texts_of(draft)
    document: dict[str, object] = {"id": "learned", "slug": "learned", "triggers": {"toolNames": ["Bash"]}, **texts}
    yield from intake.check(lesson_from_document(document)).problems
    yield from hidden_problems(dict(texts))
    for name, text in texts.items():
        if len(text) > LONGEST_TEXT:
            yield f"{name} has {len(text)} characters: write at most {LONGEST_TEXT}."
        if without_marks(text) != text:
            yield f"{name} has a tag by which clients mark their own words: write it without."
        if redacted(text) != text:
            yield f"{name} has something that looks like a secret: leave it out."


def _bypasses(draft: Draft, failed: Sequence[StoredCall]) -> Iterator[str]:
    """What the failed calls had themselves is not advice."""
    before = " ".join(row.command for row in failed)
    words_before = before.split()
    for words in _commands_in(draft.solution):
        line = " ".join(words)
        if bypasses_check(words, words_before) or disables_check(line, before):
            yield f"{shown(line)} leaves out a check or throws something away: say how to do it without."


def _from_outside(draft: Draft, worked: Worked) -> Iterator[str]:
    """Texts of transcripts are hostile: an answer may only point to what the person's calls have used."""
    for address in dict.fromkeys(_ADDRESS.findall(" ".join(_texts_of(draft).values()))):
        if not worked(address):
            yield f"{shown(address)} is in no call that worked: leave the address out."
    for code in code_in(draft.solution):
        if _RUNS_INPUT.search(code) and not worked(code):
            yield f"{shown(code)} runs what it has not read, and no call did that: leave it out."


def without_foreign_paths(draft: Draft, projects: Collection[str], worked: Worked) -> Draft:
    """Puts a placeholder for each path that is outside the project and in no call that worked."""
    inside = [folder_key(project) for project in projects if project]

    def shown_path(found: re.Match[str]) -> str:
        is_known = any(f"{found[0]}/".startswith(folder) for folder in inside) or worked(found[0])
        return found[0] if is_known else _SOME_PATH

    texts = {name: _OUTSIDE.sub(shown_path, text) for name, text in _texts_of(draft).items()}
    return msgspec.structs.replace(draft, **texts)


def _texts_of(draft: Draft) -> dict[str, str]:
    return {name: str(getattr(draft, name)) for name in _TEXTS}


def unproven_code(solution: str, lines: Sequence[str], worked: WorkedLines) -> list[str]:
    """Returns code of the solution that occurs neither in these lines nor in a call that worked."""
    unknown = [code for code in code_in(solution) if not is_in(code, lines)]
    return [code for code in unknown if not is_in(code, worked(program_of(code)[0]))]


def code_in(text: str) -> list[str]:
    """Returns the code in backticks, each once."""
    found = (next(filter(None, match.groups()), "") for match in _CODE.finditer(text))
    return list(dict.fromkeys(code.strip() for code in found if code.strip()))


def _commands_in(text: str) -> Iterator[list[str]]:
    """Yields the commands of the code in a text, and every option in its sentences."""
    for code in code_in(text):
        for line in code.splitlines():
            yield from (part.words for part in parts(line) if part.words)
            yield [line]
    prose = _CODE.sub(" ", text)
    for option in _OPTION.finditer(prose):
        if not _WARNING.search(prose[: option.start()]):
            yield [option[0]]


def is_in(code: str, lines: Iterable[str]) -> bool:
    """Whether a line has the code, or all its words in order if some of them are placeholders."""
    words = _WORD.findall(code)
    whole = re.compile(rf"(?<![\w-]){re.escape(' '.join(code.split()))}(?![\w-])")
    return any(whole.search(" ".join(line.split())) or _in_order(words, _WORD.findall(line)) for line in lines)


def _in_order(words: list[str], line: list[str]) -> bool:
    """Placeholders match any word; at least one word must not be one."""
    if all(_OPEN.fullmatch(word) for word in words):
        return False
    rest = iter(line)
    return all(any(_OPEN.fullmatch(word) or word == other for other in rest) for word in words)


def quoted_in(texts: Iterable[str], calls: Sequence[StoredCall]) -> list[list[str]]:
    """Returns for each word of calls one call per folder, so that `forget` can delete both; each such list once."""
    words = {word.rstrip(".:") for text in texts for word in _QUOTABLE.findall(text)}
    found = (_calls_with(word, calls) for word in sorted(words) if word)
    return [list(names) for names in dict.fromkeys(filter(None, found))]


def _calls_with(word: str, calls: Sequence[StoredCall]) -> tuple[str, ...]:
    by_folder: dict[str, str] = {}
    for call in calls:
        if word in call.command or word in call.arguments or word in call.error:
            by_folder.setdefault(call.cwd, call.tool_use_id)
    return tuple(list(by_folder.values())[:_LONGEST_QUOTED])
