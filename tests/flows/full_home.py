"""Two projects and an agent in, a data home with every kind of file out; each project has its own unique word."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from lessons import config
from lessons.promote import queue
from lessons.promote.decide import archive, merge
from lessons.store import logs
from lessons.store.history.history import History
from tests.builders import payloads
from tests.builders.payloads import Payload
from tests.builders.repository import Repository
from tests.builders.transcript import Session
from tests.cli.command_line import CommandLine
from tests.flows.agent import Agent

WORDS = {"summary": "Stir by hand where it matters", "problem": "The fast stirring of the pot spills what is in it."}
OVEN = {"summary": "An oven has to be told its heat", "problem": "The oven does not take a heat in words at all."}


class Cook:
    """A project, and the sessions of an agent in it; each leaves the word of the project wherever it can."""

    def __init__(self, lessons: CommandLine, agent: Agent, folder: Path, word: str) -> None:
        self.lessons, self.agent, self.word = lessons, agent, word
        self.project = Repository(folder, init=not folder.exists())
        self.transcripts = lessons.person / ".claude" / "projects"
        self.sessions: list[Session] = []

    def cooks(self) -> None:
        """One session with all its hooks, then another one that is offered what the first was doing."""
        first = self.session("first")
        self.hook(first, payloads.session_start, "startup")
        self.works(first)
        self.hook(first, payloads.pre_compact)
        self.project.commit(f"Add {self.word}")
        self.hook(first, payloads.post_tool_use, f"git commit -m 'Add {self.word}'")
        self.eventually(lambda: self.state("commit-log.jsonl"))
        self.hook(first, payloads.bash, f"stir {self.word} --fast")
        self.hook(first, payloads.session_end)
        self.eventually(lambda: '"endedAt": null' not in self.state(f"sessions/{first.id}/session-state.json"))
        second = self.session("second")
        self.hook(second, payloads.session_start, "startup")
        self.works(second)
        self.hook(second, payloads.pre_compact)

    def session(self, name: str) -> Session:
        self.sessions.append(Session(f"{self.word} {name}", self.project.root))
        return self.sessions[-1]

    def works(self, said: Session) -> None:
        word = self.word
        said.prompt(f"Cook with {word} today, and tell me when it is done.")
        wrong = said.call("Bash", {"command": f"stir {word} --fast"})
        said.result(wrong, "Exit code 1\nunknown flag: --fast", error=True)
        said.say(f"There is no fast way to stir {word}. I take the slow one.")
        said.result(said.call("Bash", {"command": f"stir {word} --slow"}), "stirred")
        wrong = said.call("Bash", {"command": f"oven {word} --heat high"})
        said.result(wrong, "Exit code 2\nerror: unexpected argument '--heat' found", error=True)
        said.result(said.call("Bash", {"command": f"oven {word} --degrees 200"}), "hot")
        wrong = said.call("Bash", {"command": f"knife {word} --sharp"})
        said.result(wrong, "Exit code 2\nerror: unrecognized option '--sharp'", error=True)
        said.result(said.call("Bash", {"command": f"knife {word} --keen"}), "cut")
        wrong = said.call("Bash", {"command": f"ladle {word} --full"})
        said.result(wrong, "Exit code 2\nerror: unknown option '--full'", error=True)
        said.result(said.call("Bash", {"command": f"ladle {word} --brimming"}), "served")
        said.result(said.call("Read", {"file_path": f"{self.project.root}/{word}.txt"}), "leaves")
        said.result(said.call("Task", {"subagent_type": "taster", "prompt": f"Taste the {word}"}), "good")
        said.call("TodoWrite", {"todos": [{"content": f"Serve {word}", "status": "pending"}]})
        said.queue(f"And put some {word} aside.")
        said.turn_end(f"hook: {word} not found")
        said.lines.append({"type": f"{word}-record", "sessionId": said.id, "cwd": said.cwd})
        said.write(self.transcripts)

    def hook(self, session: Session, make: Callable[..., Payload], *arguments: str) -> tuple[int, str]:
        sent = make(*arguments, session=session.id, cwd=self.project.root)
        path = session.write(self.transcripts)
        return self.agent.printed(payloads.with_transcript(sent, path))

    def state(self, name: str) -> str:
        """The text of a state file of this project, wherever it lies; empty where there is none."""
        places = [*self.agent.home.glob(f"projects/*{self.word}*/state"), self.project.folder / ".claude" / "state"]
        return next((path.read_text() for place in places if (path := place / name).exists()), "")

    def eventually(self, look: Callable[[], object]) -> None:
        give_up = time.monotonic() + 30
        while not look():
            assert time.monotonic() < give_up, "it never came to that"
            time.sleep(0.02)


def fill(lessons: CommandLine, cooks: list[Cook]) -> None:
    """Everything that can be done, in the words of both projects."""
    (lessons.home / "config.json").write_text('{"minPriority": 1}', encoding="utf-8")
    lessons.json("add", "--from", "-", text=json.dumps(_lesson()))
    for cook in cooks:
        cook.cooks()
    lessons.ok("scan", "--auto")
    _decide(lessons, cooks)
    for copy in lessons.home.glob("backups/lessons-*.json"):
        copy.unlink()  # as on the next day
    lessons.json("edit", "slowly", "--priority", "6")
    lessons("candidates", "--all")
    for cook in cooks:
        _leave_more(lessons, cook)
    lessons.ok("report")
    lessons.ok("backup", "create")


def _lesson() -> dict[str, object]:
    triggers = {"toolNames": ["Bash"], "commandPatterns": ["^stir .*--fast"]}
    return {"summary": "Never stir fast in a small pot", "problem": "It spills over the rim of the pot.",
            "solution": "Take the slow way: `stir --slow`.", "triggers": triggers, "slug": "slowly"}  # fmt: skip


def _decide(lessons: CommandLine, cooks: list[Cook]) -> None:
    """One candidate is promoted, one merged into its lesson, one rejected; the lesson has examples of each project."""
    home = str(lessons.home)
    with History.for_reading(home) as history:
        found = {each.trigger.split(" ")[0]: each for each in queue.whole(history, config.load(home))}
    words = [text for name, value in OVEN.items() for text in (f"--{name}", value)]
    pattern = ["--command-pattern", "^(oven|knife) .*--(heat|sharp)", "--solution", "Give the heat in degrees, always."]
    lessons.json("promote", found["oven"].fingerprint, "--yes", "--scope", "global", *words, *pattern)
    slug = next(each["slug"] for each in lessons.json("list")["lessons"] if each["slug"] != "slowly")
    merge(home, found["knife"], slug)
    archive(home, [found["stir"].fingerprint], f"{cooks[0].word} is seldom used")


def _leave_more(lessons: CommandLine, cook: Cook) -> None:
    """What is only there after an accident, or with an older version."""
    home, word = lessons.home, cook.word
    [own] = home.glob(f"projects/*{word}*")
    base = cook.project.folder / ".claude" if (cook.project.folder / ".claude" / "state").exists() else own
    (base / "state" / "handoff.json.damaged-20260901T000000Z").write_text(f"{word} and then")
    (base / "hooks" / "..session-state.json.abc.tmp").write_text(f"{word} and then")
    logs.record_scan(str(home), f"{cook.project.root}/a.jsonl could not be read: {word} is missing.")
    logs.record_watch(str(home), "problem", problem=f"{cook.project.root}/a.jsonl could not be read ({word}).")
    logs.record_fault(str(home), "state", f"{cook.project.root}/.claude/state/handoff.json is a link: set aside")
    for name in (".lessons.json.abc.tmp", "backups/.decisions.jsonl.abc.tmp"):
        (home / name).parent.mkdir(exist_ok=True)
        with open(home / name, "a") as file:
            file.write(word)
        os.utime(home / name, (1, 1))
