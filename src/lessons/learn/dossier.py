"""Builds what a model is shown about one mistake, redacted and short, and the instructions for its answer."""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

import msgspec

from lessons.episode import Step
from lessons.learn.sources import Kind, Source
from lessons.model import Lesson, document_from_lesson
from lessons.plain import neutral
from lessons.promote.similarity import jaccard
from lessons.redact.texts import redacted
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

_CALLS_IN_FULL = 3
_NEXT_CALLS = 3
_WORKED = 3
_EXISTING = 3
_MOST_COMPARED = 100  # successful calls of a program, the newest
_COMMAND, _ERROR, _LINE = 320, 320, 120  # characters; of further calls half as many
_LEFT_OUT = " […] "
_NAMES = ("toolUseId", "sessionId", "project")
_GoodCalls = Callable[[str, str], list[StoredCall]]  # of a tool and a program

with open(os.path.join(os.path.dirname(__file__), "instructions.txt"), encoding="utf-8") as _file:
    INSTRUCTIONS = _file.read().strip()


class NextCall(msgspec.Struct, frozen=True):
    tool: str
    command: str
    outcome: str
    error: str


class SeenCall(msgspec.Struct, rename="camel", frozen=True):
    """One call and what came after it."""

    tool_use_id: str
    session_id: str
    project: str
    tool: str
    command: str
    cwd: str
    error: str
    said: str  # by the agent, or in a correction by the person
    next: list[NextCall]


class Worked(msgspec.Struct, frozen=True):
    tool: str
    command: str


class Existing(msgspec.Struct, frozen=True):
    slug: str
    summary: str
    triggers: object


class Dossier(msgspec.Struct, frozen=True):
    id: str
    kind: Kind
    calls: list[SeenCall]
    further: list[str]  # more calls of the same mistake, by their ids
    worked: list[Worked]
    existing: list[Existing]

    def document(self) -> dict[str, object]:
        """Returns the line of an export."""
        built: dict[str, object] = msgspec.to_builtins(self)
        calls = [*msgspec.to_builtins(self.calls), *({"toolUseId": name} for name in self.further)]
        return {**{key: value for key, value in built.items() if key != "further"}, "calls": calls}

    def question(self) -> dict[str, object]:
        """Returns the same for an agent that is asked, without what it does not need: names, and empty values."""
        calls = [
            {key: value for key, value in call.items() if value and key not in _NAMES} for call in _built(self.calls)
        ]
        more = {"more": len(self.further)} if self.further else {}
        near = {"worked": _built(self.worked), "existing": _built(self.existing)}
        return {"id": self.id, "kind": self.kind, "calls": calls, **more, **near}


def _built(rows: Sequence[msgspec.Struct]) -> list[dict[str, object]]:
    built: list[dict[str, object]] = msgspec.to_builtins(rows)
    return built


def dossiers(history: History, sources: Sequence[Source], lessons: Sequence[Lesson]) -> list[Dossier]:
    """Returns one for each source, in their order."""
    shown = {each.id: _in_full(each) for each in sources}
    seen = _seen(history, sources, shown)
    found = {name: [seen[call] for call in calls if call in seen] for name, calls in shown.items()}
    good = cache(partial(_good_calls, history))  # many mistakes are of the same program
    return [_dossier(history, each, found[each.id], lessons, good) for each in sources]


def _in_full(source: Source) -> list[str]:
    """Chooses the newest call of each session first."""
    calls = source.sessions
    newest = {session: name for name, session in calls.items()}
    first = [name for name in reversed(calls) if newest[calls[name]] == name]
    return [*first, *(name for name in reversed(calls) if newest[calls[name]] != name)][:_CALLS_IN_FULL]


def _dossier(
    history: History, source: Source, seen: Sequence[SeenCall], lessons: Sequence[Lesson], good: _GoodCalls
) -> Dossier:
    if source.kind == "rule":  # several may be about the same calls
        said = _plain(source.corrections[0].rule, 2 * _COMMAND)
        seen = [msgspec.structs.replace(each, said=said) for each in seen]
    named = {each.tool_use_id for each in seen}
    further = [name for name in source.calls if name not in named]
    about = " ".join(f"{each.command} {each.error}" for each in seen)
    return Dossier(source.id, source.kind, [*seen], further, _worked(history, source, good), _existing(about, lessons))


def _seen(history: History, sources: Sequence[Source], shown: dict[str, list[str]]) -> dict[str, SeenCall]:
    """Returns the calls that are shown in full, by their ids."""
    sessions = {name: each.sessions[name] for each in sources for name in shown[each.id]}
    sizes = {name: 1 if not place else 2 for names in shown.values() for place, name in enumerate(names)}
    said = {name: each.text for name, each in history.diagnoses.of(sessions).items()}
    said |= {row.tool_use_id: row.rule for each in sources for row in each.corrections}
    projects = history.calls.projects_of(sessions)
    found: dict[str, SeenCall] = {}
    for thread in history.sessions.threads(set(sessions.values())):
        for place in thread.own:
            step = thread.steps[place]
            if (name := step.tool_use_id) in sessions:
                after = thread.steps[place + 1 : place + 1 + _NEXT_CALLS // sizes[name]]
                texts = (sessions[name], projects.get(name, ""), said.get(name, ""))
                found[name] = _seen_call(step, after, sizes[name], *texts)
    return found


def _seen_call(step: Step, after: Iterable[Step], part: int, session: str, project: str, said: str) -> SeenCall:
    return SeenCall(
        tool_use_id=step.tool_use_id,
        session_id=session,
        project=project,
        tool=step.tool,
        command=_plain(_asked(step), _COMMAND // part),
        cwd=_plain(step.cwd, _COMMAND),
        error=_plain(step.error, _ERROR // part),
        said=_plain(said, 2 * _LINE // part),
        next=[
            NextCall(each.tool, _plain(_asked(each), _LINE), each.outcome, _plain(each.error, _LINE // 2))
            for each in after
        ],
    )


def _asked(step: Step | StoredCall) -> str:
    return step.command or step.arguments


def _good_calls(history: History, tool: str, program: str) -> list[StoredCall]:
    if program:
        return history.calls.successes_with_any_subcommand(program, _MOST_COMPARED)
    return history.calls.successes_of_tool(tool, _MOST_COMPARED)


def _worked(history: History, source: Source, good: _GoodCalls) -> list[Worked]:
    """Returns what worked afterwards, then the nearest successful calls of the same program; each line once."""
    fixes = history.calls.named(reversed(source.fixes))
    failed = history.calls.named(source.calls[-_CALLS_IN_FULL:])
    about = " ".join(map(_asked, failed))
    same = [row for kind in sorted({(row.tool, row.program) for row in failed}) for row in good(*kind)]
    near = sorted(same, key=lambda row: (-jaccard(about, _asked(row)[:_COMMAND]), row.tool_use_id))
    lines = dict.fromkeys((row.tool, _plain(_asked(row), _LINE)) for row in (*fixes[:1], *near[: 4 * _WORKED]))
    return [Worked(tool, line) for tool, line in list(lines)[:_WORKED]]


def _existing(about: str, lessons: Sequence[Lesson]) -> list[Existing]:
    """Returns the lessons whose words are nearest."""
    ranked = sorted(
        (-jaccard(about, f"{each.summary} {each.problem} {each.solution}"), each.slug, each) for each in lessons
    )
    near = [each for likeness, _, each in ranked[:_EXISTING] if likeness < 0]
    return [Existing(each.slug, _plain(each.summary, _COMMAND), _triggers(each)) for each in near]


def _triggers(lesson: Lesson) -> object:
    triggers = document_from_lesson(lesson)["triggers"]
    return {key: value for key, value in triggers.items() if value} if isinstance(triggers, dict) else {}


def _plain(text: str, longest: int) -> str:
    """Returns the text without secrets and without what imitates a client's words; of a long one both ends."""
    text = neutral(redacted(text))
    if len(text) <= longest:
        return text
    half = (longest - len(_LEFT_OUT)) // 2
    return f"{text[:half]}{_LEFT_OUT}{text[-half:]}"


def lines_of(made: Sequence[Dossier]) -> str:
    """Returns the text of an export: the instructions, then one dossier a line; nothing without dossiers."""
    if not made:
        return ""
    documents = [{"instructions": INSTRUCTIONS}, *(each.document() for each in made)]
    return "".join(msgspec.json.encode(each).decode() + "\n" for each in documents)


def page_of(made: Sequence[Dossier]) -> str:
    """Returns the same for people, in Markdown; what is quoted stands in indented lines."""
    parts = [f"# {len(made)} dossiers\n", INSTRUCTIONS, ""]
    for each in made:
        parts.append(f"\n## {each.id} ({each.kind}, {len(each.calls) + len(each.further)} calls)\n")
        for call in each.calls:
            for text in (f"{call.tool} in {call.cwd}", call.command, call.error, call.said):
                parts += _quoted(text)
            for after in call.next:
                parts += _quoted(f"then {after.tool} ({after.outcome}): {after.command} {after.error}".rstrip())
            parts.append("")
        parts += [line for good in each.worked for line in _quoted(f"worked: {good.command}")]
        parts += [f"- {lesson.slug}: {lesson.summary}" for lesson in each.existing]
    return "\n".join(parts) + "\n"


def _quoted(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]
