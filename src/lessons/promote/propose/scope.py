"""Decides where a lesson acts: by the kind of mistake, not by where it was seen."""

import re

from lessons.failure.complaint import is_about_files, is_about_project, is_about_syntax
from lessons.failure.telling_line import telling_line
from lessons.failure.wrapped import wrapped_as
from lessons.match.call import ToolCall
from lessons.model import Scope
from lessons.promote.propose.missing import is_missing_elsewhere
from lessons.promote.propose.mistake import EVERYWHERE, Mistake
from lessons.promote.propose.words import is_named
from lessons.shell.wrapper_table import RUNNERS

MACHINE = Scope(type="machine")
# A missing module, an option that only the tool of another system has, and actions only for an administrator.
_OF_MACHINE = re.compile(
    r"No module named|Cannot find (?:module|package) '[^./]|Can't locate \S+ in @INC|cannot load such file"
    r"|(?:illegal|invalid|unrecognized) option -- |[Aa]re you root|[Oo]peration not permitted|must be root"
)
# About a tool, for any caller; missing programs and modules are about the machine; the others about one project.
_OF_TOOLS = frozenset(("wrong-flag", "quoting", "other-tool"))
_OF_WORDS = frozenset(("wrong-arguments", "wrong-command"))
_OWN_VALUE = re.compile(r"[A-Za-z_]\w*=[\w-]*(?:[./][\w-]+)+/?|[A-Za-z_]\w*PATH=[\w.][^~$]*")
_MOST_WORDS = 50  # of a command: a long list of files says no more than its beginning
_PATH = re.compile(r"\w/\w|\w\.[A-Za-z]{1,5}$")


def scopes_of(mistake: Mistake) -> list[Scope]:
    """Returns where a trigger may act, widest first: one that is not clean everywhere may be clean in its project."""
    own = project_of(mistake)
    if own and (_is_of_wrapper(mistake) or _is_of_runner(mistake)):
        return [own]
    widest = MACHINE if all(_OF_MACHINE.search(call.error or "") for call in mistake.failures) else EVERYWHERE
    return [widest, own] if own else [widest]


def scope_of_missing(mistake: Mistake) -> Scope:
    """Returns the machine that lacks a program; a runner, a container and another machine are of the project."""
    own = project_of(mistake)
    return own if own and (_is_of_runner(mistake) or is_missing_elsewhere(mistake)) else MACHINE


def _is_of_wrapper(mistake: Mistake) -> bool:
    """Whether another program ran in place of the called one: another project may not have it."""
    return all(
        any(wrapped_as(texts[-1].partition(" ")[0], call.error or "") for texts in call.invocations())
        for call in mistake.failures
    )


def _is_of_runner(mistake: Mistake) -> bool:
    """Whether every fix starts the same program as the setup of the project wants.

    That is through a runner, by a path of the project, or with a variable that names one of its files or modules.
    """
    fixes = [fix for fix in mistake.fixes if fix is not None]
    if not fixes or len(fixes) < len(mistake.failures):
        return False
    return all(_is_run_by_project(failure, fix) for failure, fix in zip(mistake.failures, fixes, strict=True))


def _is_run_by_project(failure: ToolCall, fix: ToolCall) -> bool:
    failed = {texts[-1] for texts in failure.invocations() if len(texts) == 1}
    programs = {text.partition(" ")[0] for text in failed}
    for texts in fix.invocations():
        written = texts[0].partition(" ")[0]
        wrapper = texts[0].removesuffix(texts[-1]).split()
        if texts[-1] in failed and any(word in RUNNERS or _OWN_VALUE.fullmatch(word) for word in wrapper):
            return True
        if written.startswith("./") and any(name and written[2:].startswith(name) for name in programs):
            return True  # such as ./gradlew for gradle
        if "/" in written.lstrip("./~") and written[0] not in "/~" and written.rpartition("/")[2] in programs:
            return True
    return False


def project_of(mistake: Mistake) -> Scope | None:
    return Scope(type="project", path=mistake.project) if mistake.project else None


def scopes_of_kind(mistake: Mistake) -> list[Scope]:
    """Returns scopes for a lesson that checks no call, widest first."""
    own = project_of(mistake)
    lines = [telling_line(call.error or "") for call in mistake.failures]
    is_of_call = mistake.kind in _OF_TOOLS or all(map(is_about_syntax, lines)) or _is_about_call(mistake)
    is_of_tool = is_of_call and not _is_of_wrapper(mistake) and not _is_of_runner(mistake)
    return [EVERYWHERE, own] if is_of_tool and own else [own or EVERYWHERE]


def _is_about_call(mistake: Mistake) -> bool:
    """Whether the same program worked with other words, and neither these nor the error name a thing of the project."""
    fixes = [fix for fix in mistake.fixes if fix is not None]
    if mistake.kind not in _OF_WORDS or len(fixes) < len(mistake.failures):
        return False
    return all(_is_about_words(failure, fix) for failure, fix in zip(mistake.failures, fixes, strict=True))


def _is_about_words(failure: ToolCall, fix: ToolCall) -> bool:
    failed, worked = _last_command(failure), _last_command(fix)
    if not failed or not worked or failed[0] != worked[0] or len(fix.invocations()) != len(failure.invocations()):
        return False
    line = telling_line(failure.error or "")
    new = [word for word in worked if word not in failed and word not in line]
    if is_about_files(line) or any(_PATH.search(word) for word in new):
        return False
    words = [word for word in dict.fromkeys(failed[1:]) if word[:1] != "-"][:_MOST_WORDS]
    return not any(is_named(word, [line]) and is_about_project(word, line) for word in words)


def _last_command(call: ToolCall) -> list[str]:
    found = call.invocations()
    return found[-1][-1].split(" ") if found else []
