"""A simulated lesson in, a data home with its transcripts and the hook's log out: its truth is known."""

import json
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path

from lessons.opportunity import Opportunity
from lessons.prove.update import update_ledger
from lessons.scan.run import Options, run
from tests.builders.lessons import stopping
from tests.builders.simulated import Lesson
from tests.builders.transcript import Session
from tests.store.history.test_hook_log import line

_FIRST = datetime(2026, 1, 1, tzinfo=UTC)
_ERROR = "Exit code 2\nerror: unknown option --bad"
_DENIAL = "PreToolUse:Bash hook error: no"


class SimulatedHome:
    """Every opportunity is a call; where the lesson is active it is stopped, and another call replaces it."""

    def __init__(self, root: Path, made: Lesson) -> None:
        self.home, self._transcripts, self._log = root / "data", root / "projects", list[str]()
        for folder in (self.home, self._transcripts):
            folder.mkdir(parents=True)
        self.path = str(self.home)
        self._slug = made.opportunities[0].slug
        born = []
        for number, (name, calls) in enumerate(groupby(made.opportunities, key=lambda each: each.session)):
            session = self._session(number, name, list(calls))
            born += [session] if name in made.learned_from else []
        self._write_lesson(born)

    def scan(self) -> None:
        run(self.path, Options([str(self._transcripts)], processes=1), then=update_ledger)

    def _session(self, number: int, name: str, calls: list[Opportunity]) -> Session:
        session = Session(name, model=calls[0].model, began=_FIRST + timedelta(hours=number))
        session.prompt("open the shop")
        for each in calls:
            self._call(session, each)
        session.write(self._transcripts)
        return session

    def _call(self, session: Session, each: Opportunity) -> None:
        wrong, right = "deploy --bad", "deploy --good"
        call = session.call("Bash", {"command": wrong if each.failed or each.is_active else right})
        if each.decision != "none":
            decision = "stop" if each.is_active else each.decision
            known = {"session": session.id, "toolUseId": call, "decision": decision, "slug": self._slug}
            self._log.append(line(len(self._log), time=session.now(), lesson=f"id-{self._slug}", **known))
        if each.is_active:
            session.result(call, _DENIAL, error=True, denial="permission-rule")
            call = session.call("Bash", {"command": wrong if each.failed else right})
        session.result(call, _ERROR if each.failed else "done", error=bool(each.failed))

    def _write_lesson(self, born: list[Session]) -> None:
        learned = max(session.now() for session in born)
        sources = [session.id for session in born]
        triggers = {"commandPatterns": ["deploy"]}
        record = stopping(self._slug, triggers=triggers, createdAt=learned, sourceSessionIds=sources)
        (self.home / "lessons.json").write_text(json.dumps({"lessons": [record]}), encoding="utf-8")
        (self.home / "injections.jsonl").write_text("".join(self._log), encoding="utf-8")
