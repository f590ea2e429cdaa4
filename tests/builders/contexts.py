"""Actions of agent and hook in, one line per call; the context that the ledger judges out."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from lessons.failure.error_text import fingerprint
from lessons.match.rule import why_it_fires
from lessons.model import Lesson, Triggers
from lessons.opportunity import Opportunity
from lessons.promote.matching import asked, rule_of
from lessons.prove.opportunities import Judge, Mistake
from lessons.shell.describe import program_of
from lessons.store.history.ledger import ContextCall, Injection, LoggedContext

THE_ERROR = "no environment"
NOT_RUN = ("refused", "rejected", "cancelled", "interrupted", "unknown")
_DROPPING = ("rejected", "cancelled", "interrupted")
SESSION = "session-1"
# About `deploy`, which fails without `--env`.
DEPLOY = Lesson(
    id="id-deploy", slug="deploy-needs-env", summary="Name the environment to deploy to",
    problem="deploy without --env fails", solution="say deploy --env NAME",
    triggers=Triggers(command_patterns=[r"\bdeploy\b"]), created_at="2026-01-01T00:00:00Z",
)  # fmt: skip


class Did(NamedTuple):
    """One call: what was run, how it ended (ok, an error, or why it did not run), what the hook did at it."""

    command: str
    result: str = "ok"
    decision: str = ""
    message: str = ""  # the same for calls that were issued together
    kind: str = ""  # of mistake
    weight: float = 0.0


def context(*calls: Did, agent_id: str = "") -> LoggedContext:
    """A second between two calls; the hook acts just before each."""
    made = [_call(number, did, agent_id) for number, did in enumerate(calls)]
    lines = [_line(number, did.decision, agent_id) for number, did in enumerate(calls) if did.decision]
    # Words go with a call that a person rejects, and not with one that a hook denies.
    dropped = {call.tool_use_id for call, did in zip(made, calls, strict=True) if did.result in _DROPPING}
    return LoggedContext(SESSION, agent_id, made, lines, set(), dropped)


def judged(
    context: LoggedContext, lesson: Lesson = DEPLOY, error: str = THE_ERROR, kinds: Sequence[str] = ()
) -> list[Opportunity]:
    """What the ledger says about one lesson; without `error` nothing is known about its mistake."""
    rule = rule_of(lesson)
    errors = frozenset({fingerprint(f"Exit code 1\n{error}")} if error else ())

    def fired(call: ContextCall) -> list[Lesson]:
        return [lesson] if why_it_fires(rule, asked(call)) else []

    return list(Judge([lesson], {lesson.id: Mistake(errors, rule, frozenset(kinds))}, fired).opportunities(context))


def outcomes(*calls: Did, lesson: Lesson = DEPLOY, error: str = THE_ERROR) -> list[tuple[str, str]]:
    """What the hook did and what came of it, one for each chance."""
    return [(each.decision, each.outcome) for each in judged(context(*calls), lesson, error)]


def _call(number: int, did: Did, agent_id: str) -> ContextCall:
    outcome = "ok" if did.result == "ok" else "failed"
    if did.result in NOT_RUN:
        outcome = "refused" if did.result == "rejected" else did.result
    error = f"Exit code 1\n{did.result}" if outcome == "failed" else ""
    program, subcommand = program_of(did.command)
    return ContextCall(
        tool_use_id=f"t{number}", tool="Bash", command=did.command, arguments=json.dumps({"command": did.command}),
        error=error, cwd="/srv/shop", agent="claude-code", model="claude-x", program=program, subcommand=subcommand,
        session_id=SESSION, project="/srv/shop", time=time_of(number), path="", outcome=outcome,
        error_fingerprint=fingerprint(error) if error else "", suspicious=0, agent_id=agent_id,
        message_id=did.message or f"m{number}", ended=time_of(number), exit_code=1 if error else 0, hides_exit=0,
        fix_tool_use_id="", kind=did.kind, weight=did.weight,
    )  # fmt: skip


def _line(number: int, decision: str, agent_id: str) -> Injection:
    return Injection(
        key=number, time=time_of(number), event="PreToolUse", agent="claude-code", agent_id=agent_id,
        tool_use_id=f"t{number}", cwd="/srv/shop", lesson=DEPLOY.id, decision=decision, tool="Bash", model="claude-x",
    )  # fmt: skip


def time_of(number: int) -> str:
    return f"2026-09-01T10:{number // 60:02}:{number % 60:02}.000Z"
