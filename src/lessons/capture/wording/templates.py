"""The sentence about a mistake and its fix: one template per kind."""

import re
from collections.abc import Callable

import msgspec

from lessons.candidate import UNKNOWN_REMEDY
from lessons.capture.wording.command import changed_words, chosen, essential, family, is_several, tool_name
from lessons.capture.wording.text import ELLIPSIS, code, is_one_off, plain, with_short_homes
from lessons.episode import Change, Episode, Kind, Step
from lessons.shell.program import program_of

UNKNOWN = UNKNOWN_REMEDY
CALL = 90  # characters of a command in a sentence
_WORD = 70  # of what was changed
_PATH = 100
_FEWEST_WORDS = 3  # of a command, enough to say what it does
_NOT_KNOWN = re.compile(
    r"\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|illegal|unsupported|no such|bad)\b"
    r".{0,20}\b(?:option|flag|argument|switch|parameter)",
    re.IGNORECASE,
)
_END_OF_EXEC = r"\;"  # of `find`
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")


class Case(msgspec.Struct, frozen=True):
    """The values for the templates."""

    failure: Step
    fix: Step
    before: str  # as shown; at least one of the two is not empty, except if only the place differs
    after: str
    call: str  # the essential words of the failing call
    error: str  # the telling line for the end of a sentence; may be empty

    @property
    def because(self) -> str:
        return f": {self.error}" if self.error else ""

    @property
    def failing(self) -> str:
        return code(self.call, CALL)


def case_of(episode: Episode, fix: Step, call: str, error: str) -> Case:
    before, after = differing(episode.change)
    return Case(episode.failure, fix, before, after, call, error)


def differing(change: Change) -> tuple[str, str]:
    """Removes the common words at the start and end of both texts."""
    before, after = plain(change.before).split(), plain(change.after).split()
    if change.kind in ("order-of-steps", "missing-tool", "wrong-command", "other-tool"):
        return " ".join(before), " ".join(after)
    if change.kind == "wrong-path" and after[:1] == ["cd"]:
        return "", " ".join(after)  # the sentence about the failure names the old folder
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    short = (" ".join(before[first : len(before) - last]), " ".join(after[first : len(after) - last]))
    torn = any(text.count(quote) % 2 for text in short for quote in "'\"")
    return (" ".join(before), " ".join(after)) if torn else short


def wrong_flag(case: Case) -> tuple[str, str]:
    name = code(chosen(case.failure, set(case.before.split())).family, CALL)
    flag = case.before.split(" ")[0]
    if flag.startswith("-") and flag.strip("-") in case.error and _NOT_KNOWN.search(case.error):
        return f"{name} has no {code(flag, _WORD)}{case.because}", _exchange(case)
    if moved := _moved(case):
        return f"{case.failing} fails{case.because}", moved
    if not case.before and case.after:
        return f"{case.failing} fails without {code(case.after, _WORD)}{case.because}", _exchange(case)
    return f"{case.failing} fails{case.because}", _exchange(case)


def _moved(case: Case) -> str:
    """Returns where an option belongs, if the change is only its place."""
    before, after = case.before.split(), case.after.split()
    if before == after or sorted(before) != sorted(after) or len(after) != 2 or not after[0].startswith("-"):
        return ""
    return f"Put {code(after[0], _WORD)} before {code(after[1], _WORD)}"


def wrong_command(case: Case) -> tuple[str, str]:
    problem = f"{case.failing} fails{case.because}"
    if not case.after:
        if is_one_off(case.before):
            return problem, UNKNOWN
        return problem, f"Run it without {code(case.before, _WORD)}" if case.before else _worked(case)
    if not case.before:
        if _ASSIGNMENT.fullmatch(case.after):
            return problem, f"Set {code(case.after, _WORD)}"
        wraps = plain(case.fix.command).startswith(case.after + " ")
        return problem, f"{'Run it through' if wraps else 'Use'} {code(case.after, _WORD)}"
    return problem, _exchange(case)


def missing_tool(case: Case) -> tuple[str, str]:
    name = code(case.before or family(case.failure).split(" ")[0], _WORD)
    is_missing = "not found" in case.error or not case.error
    problem = f"{name} is missing (command not found)" if is_missing else f"{name} fails: {case.error}"
    return problem, f"Use {code(case.after, _PATH)} instead" if case.after else _worked(case)


def wrong_path(case: Case) -> tuple[str, str]:
    place = with_short_homes(_directory(case))
    if not place:
        problem = f"{case.failing} fails{case.because}"
        return problem, _exchange(case)
    here = with_short_homes(case.before or plain(case.failure.cwd))
    if here == place:
        here = ""
    elif here.startswith(place.rstrip("/") + "/"):
        here = here[len(place.rstrip("/")) + 1 :]
    where = f" in {code(here, _PATH)}" if here else ""
    return f"{case.failing} fails{where}{case.because}", f"Run {code(f'cd {place}', _PATH)} first"


def quoting(case: Case) -> tuple[str, str]:
    return f"{case.failing} fails as it is quoted{case.because}", _exchange(case, "Write")


def order_of_steps(case: Case) -> tuple[str, str]:
    if not case.after:
        return f"{case.failing} fails at first{case.because}", _worked(case)
    commands = [text for text in case.after.split(" && ") if not text.startswith("cd ")] or [case.after]
    shown = case.after if "$(" in case.after else " && ".join(_command(case, text) for text in commands)
    hides_all = shown.endswith(ELLIPSIS) and len(shown.split()) == 2 and '""' not in case.after
    step = code(changed_words(case.after) if hides_all else shown, CALL)
    if is_one_off(step):
        step = _without_one_offs(shown)
    if not step:
        return f"{case.failing} fails at first{case.because}", UNKNOWN
    return f"{case.failing} fails before {step} was run{case.because}", f"Run {step} first"


def _without_one_offs(command: str) -> str:
    """Returns the command with an ellipsis for one-off words; empty if too little is left."""
    words = [ELLIPSIS if is_one_off(word) else word for word in command.split()]
    return code(" ".join(words), CALL) if len(words) - words.count(ELLIPSIS) >= _FEWEST_WORDS else ""


def wrong_arguments(case: Case) -> tuple[str, str]:
    return f"{case.failing} fails{case.because}", _exchange(case)


def other_tool(case: Case) -> tuple[str, str]:
    if case.failure.tool == case.fix.tool:
        return wrong_command(case)
    tool = code(tool_name(case.fix.tool), _WORD)
    shown = essential(case.fix, case.after, CALL) if case.fix.command else ""
    return f"{case.failing} fails{case.because}", f"Use the tool {tool} instead" + (
        f": {code(shown, CALL)}" if shown else ""
    )


def no_template(case: Case) -> tuple[str, str]:
    return f"{case.failing} fails{case.because}", _exchange(case)


TEMPLATES: dict[Kind, Callable[[Case], tuple[str, str]]] = {
    "wrong-flag": wrong_flag,
    "wrong-command": wrong_command,
    "missing-tool": missing_tool,
    "wrong-path": wrong_path,
    "quoting": quoting,
    "order-of-steps": order_of_steps,
    "wrong-arguments": wrong_arguments,
    "other-tool": other_tool,
    "telling-error": no_template,
    "protocol": no_template,
}


def _exchange(case: Case, verb: str = "Use") -> str:
    before, after = changed_words(case.before), changed_words(case.after)
    if after.endswith(";") and not before and _END_OF_EXEC in case.fix.command:
        escaped = after.removesuffix(";").removesuffix("\\") + _END_OF_EXEC
        return f"Add {code(escaped, _PATH)}"
    if after.endswith(("&&", ";")) and not before and (step := after.rstrip("&; ")):
        return f"Run {code(step, _PATH)} first"
    if before == after or max(len(before), len(after)) > _PATH or is_several(before) or is_several(after):
        return _worked(case)
    if _needs_its_place(before, after) and _is_shown(case, after):
        return _worked(case)
    if before.startswith("-") and after and not after.startswith("-"):
        after = ""  # something else cannot replace an option
    if is_one_off(after) or (not after and is_one_off(before)):
        return UNKNOWN
    if before and after:
        return f"{verb} {code(after, _PATH)} instead of {code(before, _PATH)}"
    return f"Add {code(after, _PATH)}" if after else f"Leave out {code(before, _PATH)}"


def _needs_its_place(before: str, after: str) -> bool:
    """Whether a word was added that is neither an option nor its value, or one replaced the other: the place counts."""
    first, *rest = after.split() or [""]
    if not first or (before and (before[0] == "-") == (first[0] == "-")):
        return False
    return before != "" or any(word[0] != "-" for word in (first, *rest[1:]))


def _is_shown(case: Case, after: str) -> bool:
    """Whether the call that worked can be shown with these words; those of a script are not part of the line."""
    shown = essential(case.fix, after, CALL).split()
    return all(word in shown for word in after.split())


def _worked(case: Case) -> str:
    """For a change too long for a sentence: returns the call that worked, or where its difference starts."""
    after = changed_words(case.after)
    worked = essential(case.fix, after, CALL)
    if is_one_off(worked):
        return UNKNOWN
    if worked != case.call:
        return f"Write it like {code(worked, CALL)}"
    if not case.fix.command and (names := _other_arguments(case)):
        return f"Call it with another {names}"
    if case.before == case.after:
        return "Repeat the very same call later"
    return f"Use other arguments, such as {code(after, _PATH)}" if after else f"Leave out {code(case.before, _PATH)}"


def _other_arguments(case: Case) -> str:
    """Returns the names of the arguments that differ, for tools that take JSON."""
    try:
        failed, worked = (msgspec.json.decode(step.arguments, type=dict) for step in (case.failure, case.fix))
    except (msgspec.MsgspecError, ValueError, RecursionError):  # also half surrogate pairs, and a thousand brackets
        return ""
    names = [name for name in sorted({*failed, *worked}) if failed.get(name) != worked.get(name)]
    return " and ".join(code(name, _WORD) for name in names[:2])


def _directory(case: Case) -> str:
    """Returns where the call worked, if the place was changed."""
    words = case.after.split(" ")
    if words[0] in ("cd", "pushd") and len(words) > 1:
        return " ".join(words[1:]).rstrip(";& ").strip("'\"")
    if case.before and case.after and f"cd {case.after}" in case.fix.command:
        return case.after  # of another machine: this shell did not move
    return plain(case.fix.cwd) if not case.before and not case.after and case.fix.cwd != case.failure.cwd else ""


def _command(case: Case, line: str) -> str:
    """Returns the essential words of another shell line than the failing one."""
    program, subcommand = program_of(line)
    step = msgspec.structs.replace(case.failure, command=line, program=program, subcommand=subcommand)
    return essential(step, "", CALL)
