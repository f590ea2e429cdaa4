"""Builds the dossier of a candidate: everything needed to write its lesson, redacted and short."""

from collections.abc import Iterable, Sequence

import msgspec

from lessons.episode import Step
from lessons.plain import neutral
from lessons.promote.intake.similarity import jaccard
from lessons.promote.queue.candidate import Candidate, Evidence
from lessons.promote.refine.evidence import CaseFile
from lessons.redact.texts import redacted
from lessons.store.history.history import History

_LEFT_OUT = " […] "


class Sizes(msgspec.Struct, frozen=True):
    """How much of each part a dossier contains; lengths in characters."""

    occurrences: int = 5
    next_calls: int = 6
    successes: int = 10
    others: int = 5
    command: int = 2_000
    error: int = 1_000
    line: int = 300


WHOLE = Sizes()
BRIEF = Sizes(occurrences=1, next_calls=2, successes=2, others=0, command=300, error=240, line=120)


class NextCall(msgspec.Struct, rename="camel", frozen=True):
    tool_use_id: str
    tool: str
    command: str
    outcome: str
    exit_code: int | None


class SeenCall(msgspec.Struct, rename="camel", frozen=True):
    """One failed call, and what came after it."""

    tool_use_id: str
    session_id: str
    time: str
    folder: str
    tool: str
    command: str
    exit_code: int | None
    error: str  # head and tail
    agent_wrote: str
    next_calls: list[NextCall]


class Success(msgspec.Struct, rename="camel", frozen=True):
    tool_use_id: str
    command: str


class ProgramRecord(msgspec.Struct, rename="camel", frozen=True):
    """Whether the program ever worked here."""

    name: str
    worked: int  # calls that succeeded, with any arguments


class RuleProposal(msgspec.Struct, rename="camel", frozen=True):
    """What the rules propose, and what is against the trigger."""

    summary: str
    problem: str
    solution: str
    triggers: dict[str, object] | None
    scope: dict[str, object]
    misses: list[str]
    fires_on_successes: list[str]


class OtherCandidate(msgspec.Struct, rename="camel", frozen=True):
    fingerprint: str
    problem: str


class Dossier(msgspec.Struct, rename="camel", frozen=True):
    fingerprint: str
    kind: str
    occurrence_count: int
    session_count: int
    projects: list[str]
    occurrences: list[SeenCall]
    nearest_successes: list[Success]
    program: ProgramRecord
    proposal: RuleProposal
    other_candidates: list[OtherCandidate]

    def document(self) -> dict[str, object]:
        built: dict[str, object] = msgspec.to_builtins(self)
        return built


def dossier_of(history: History, case: CaseFile, queue: Sequence[Candidate], sizes: Sizes = WHOLE) -> Dossier:
    """Builds the dossier; leaves out one of several sessions, so that the answer can be tested on it."""
    candidate = case.candidate
    shown = _chosen(candidate.evidence, case.left_out_session, sizes.occurrences)
    made = Dossier(
        fingerprint=candidate.fingerprint,
        kind=candidate.kind,
        occurrence_count=candidate.occurrence_count,
        session_count=candidate.session_count,
        projects=sorted(case.projects),
        occurrences=_occurrences(history, shown, sizes),
        nearest_successes=_nearest(case, sizes),
        program=ProgramRecord(case.program, case.program_worked),
        proposal=_proposal(case, sizes),
        other_candidates=_others(candidate, queue, sizes),
    )
    return msgspec.convert(_clean(made.document()), Dossier)


def _chosen(evidence: Sequence[Evidence], left_out: str, most: int) -> list[Evidence]:
    """Chooses the newest of each session first."""
    newest = [each for each in reversed(evidence) if each.tool_use_id and each.session_id != left_out]
    first = list({each.session_id: each for each in reversed(newest)}.values())[::-1]
    rest = [each for each in newest if each not in first]
    return [*first, *rest][:most]


def _occurrences(history: History, chosen: Sequence[Evidence], sizes: Sizes) -> list[SeenCall]:
    wanted = {str(each.tool_use_id): each.session_id for each in chosen}
    written = history.diagnoses.of(wanted)
    found: dict[str, SeenCall] = {}
    for thread in history.threads(set(wanted.values())):
        for place in thread.own:
            step = thread.steps[place]
            if step.tool_use_id in wanted:
                agent_text = written[step.tool_use_id].text if step.tool_use_id in written else ""
                after = thread.steps[place + 1 : place + 1 + sizes.next_calls]
                found[step.tool_use_id] = _seen(step, wanted[step.tool_use_id], agent_text, after, sizes)
    return [found[name] for name in wanted if name in found]


def _seen(step: Step, session_id: str, agent_text: str, after: Iterable[Step], sizes: Sizes) -> SeenCall:
    return SeenCall(
        tool_use_id=step.tool_use_id,
        session_id=session_id,
        time=step.time,
        folder=step.cwd,
        tool=step.tool,
        command=ends(_asked(step), sizes.command),
        exit_code=step.exit_code,
        error=ends(step.error, sizes.error),
        agent_wrote=ends(agent_text, sizes.line),
        next_calls=[
            NextCall(each.tool_use_id, each.tool, ends(_asked(each), sizes.line), each.outcome, each.exit_code)
            for each in after
        ],
    )


def _asked(step: Step) -> str:
    return step.command or " ".join(filter(None, [step.path, step.arguments]))


def _nearest(case: CaseFile, sizes: Sizes) -> list[Success]:
    """Returns each line once, those most similar to the failed calls first."""
    about = " ".join(row.command for row in case.failures.values())
    lines = {row.command or row.arguments: row.tool_use_id for row in reversed(case.successes)}
    ranked = sorted(lines, key=lambda line: (-jaccard(about, line), line))
    return [Success(lines[line], ends(line, sizes.line)) for line in ranked[: sizes.successes]]


def _proposal(case: CaseFile, sizes: Sizes) -> RuleProposal:
    candidate, trial = case.candidate, case.proposal_trial
    seen = [name for name, session in case.sessions.items() if session != case.left_out_session]
    missed = [case.failures[name].command for name in seen if trial and name not in trial.caught]
    hit = [past.command for past in trial.successes] if trial else []
    scope: dict[str, object] = msgspec.to_builtins(candidate.scope)
    return RuleProposal(
        ends(candidate.summary, sizes.line),
        ends(candidate.problem, sizes.command),
        ends(candidate.solution, sizes.command),
        candidate.proposed_trigger,
        scope,
        [ends(line, sizes.line) for line in dict.fromkeys(missed)][: sizes.occurrences],
        [ends(line, sizes.line) for line in dict.fromkeys(hit)][: sizes.occurrences],
    )


def _others(candidate: Candidate, queue: Sequence[Candidate], sizes: Sizes) -> list[OtherCandidate]:
    """Returns those with a similar text."""
    about = f"{candidate.problem} {candidate.solution}"
    ranked = sorted(
        (-jaccard(about, f"{each.problem} {each.solution}"), each.fingerprint, each.problem)
        for each in queue
        if each.fingerprint != candidate.fingerprint and each.tier == candidate.tier
    )
    near = [(name, problem) for likeness, name, problem in ranked if likeness < 0]
    return [OtherCandidate(name, ends(problem, sizes.line)) for name, problem in near[: sizes.others]]


def ends(text: str, longest: int) -> str:
    """Returns the beginning and the end of a text that is too long."""
    if len(text) <= longest:
        return text
    half = (longest - len(_LEFT_OUT)) // 2
    return f"{text[:half]}{_LEFT_OUT}{text[-half:]}"


def _clean(value: object) -> object:
    """Removes secrets from every text once more, and marks that imitate a client's words."""
    if isinstance(value, str):
        return neutral(redacted(value))
    if isinstance(value, dict):
        return {key: _clean(member) for key, member in value.items()}
    return [_clean(member) for member in value] if isinstance(value, list) else value
