"""The texts of a candidate, verbatim: the failed call with its error, the call that worked, what the agent wrote."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from lessons.candidate import Quote
from lessons.episode import Episode, Step
from lessons.failure.clean import COLOUR, one_line
from lessons.failure.telling_line import telling_line
from lessons.mistakes.kinds import is_named
from lessons.mistakes.line import commands_of
from lessons.model import LONGEST_SUMMARY, SHORTEST_TEXT
from lessons.redact.variables import without_secret_values
from lessons.shell.bypass import bypasses_check, forces

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
    """Does not depend on the order of the episodes; `wrote` has what the agent wrote after some of the failed calls."""
    ordered = sorted(episodes, key=_most_telling)
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
    """Returns what the agent wrote, unless it speaks of skipping a check, forcing or deleting."""
    text = cut(_plain(text).replace("“", '"').replace("”", '"'), LONGEST_QUOTE)
    words = text.replace("`", " ").split()
    return "" if bypasses_check(words) or any(forces(part) for part in text.split("`")) else text


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
    return [word for command in commands_of(line) for word, _ in command.words]
