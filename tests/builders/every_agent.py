"""One story in the format of each agent: two chapters, each with a prompt, a failed call and a remark about it.

Every text of a chapter has the story's word and the chapter's name. Most formats name the folder in every line; Codex,
Copilot CLI, Gemini CLI and the toy agent name it once, in the first one.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.builders import gemini_sessions, opencode_store
from tests.builders.copilot import CopilotSession
from tests.builders.qwen import QwenSession
from tests.builders.rollout import Rollout
from tests.builders.transcript import Session

CHAPTERS = ("early", "late")


class Story(NamedTuple):
    """A session in a folder; told as far as its chapters go, it is the beginning of the longer one."""

    word: str
    folder: str
    chapters: int = len(CHAPTERS)

    @property
    def marks(self) -> list[str]:
        """Returns the words that only this story has, by chapter."""
        return [f"{self.word}-{chapter}" for chapter in CHAPTERS[: self.chapters]]


def _number(story: Story) -> int:
    """Returns a number for names that tell nothing about a story."""
    return sum(map(ord, story.word))


def claude_code(root: Path, story: Story) -> str:
    session = Session(story.word, story.folder)
    for mark in story.marks:
        session.prompt(f"Cook with {mark}.")
        session.result(session.call("Bash", {"command": f"cook {mark}"}), f"Exit code 2\nno {mark}", error=True)
        session.say(f"There is no {mark} left.")
    session.write(root)
    return session.id


def codex(root: Path, story: Story) -> str:
    session = Rollout(story.word, cwd=story.folder)
    for mark in story.marks:
        session.prompt(f"Cook with {mark}.")
        session.shell(f"cook {mark}", 2, f"no {mark}\n")
        session.say(f"There is no {mark} left.")
    session.write(root)
    return session.thread


def copilot_cli(root: Path, story: Story) -> str:
    session = CopilotSession(story.word, folder=story.folder)
    for mark in story.marks:
        session.prompt(f"Cook with {mark}.")
        session.shell(f"call_{mark}", f"cook {mark}", 2, f"no {mark}")
        session.say(f"There is no {mark} left.")
    session.write(root)
    return session.id


def qwen_code(root: Path, story: Story) -> str:
    session = QwenSession(story.word, folder=story.folder)
    for mark in story.marks:
        session.prompt(f"Cook with {mark}.")
        session.shell(f"call_{mark}", f"cook {mark}", 2, f"no {mark}")
        session.say(f"There is no {mark} left.")
    session.write(root)
    return session.id


def gemini_cli(root: Path, story: Story) -> str:
    chat = gemini_sessions.Chat(f"gemini-{story.word}")
    context = f"<session_context>\n- **Workspace Directories:**\n  - {story.folder}\n</session_context>"
    first = {"id": f"c-{story.word}", "timestamp": "2026-01-01T10:00:00.500Z", "type": "user", "content": context}
    chat.put(messages=[first])
    for mark in story.marks:
        chat.add("user", [{"text": f"Cook with {mark}."}], f"asked-{mark}")
        ran = gemini_sessions.shell(f"cook {mark}", f"call_{mark}", f"no {mark}", 2)
        chat.add("gemini", "", f"ran-{mark}", toolCalls=[ran])
        chat.add("gemini", f"There is no {mark} left.", f"said-{mark}")
    file = root / "chats" / f"session-{_number(story)}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(chat.text(), encoding="utf-8")
    return f"gemini-{story.word}"


def opencode(root: Path, story: Story) -> str:
    file = root / f"opencode-{_number(story)}.db"
    for old in root.glob(f"{file.name}*"):
        old.unlink()
    database = opencode_store.Database(file)
    database.numbers = 1_000 * _number(story)
    session, place = f"ses_{story.word}", {"cwd": story.folder, "root": story.folder}
    database.session(session, story.folder)
    for mark in story.marks:
        asked = database.message(session, "user")
        database.part(session, asked, {"type": "text", "text": f"Cook with {mark}."})
        answer = database.message(session, path=place)
        call = opencode_store.shell(f"cook {mark}", f"call_{mark}", 2, f"no {mark}")
        call["state"]["time"]["start"] = database.now()
        database.part(session, answer, call)
        database.part(session, answer, opencode_store.words(f"There is no {mark} left."))
    database.close()
    return session


def toy(root: Path, story: Story) -> str:
    """It has no prompts; the name of the file says nothing about the session."""
    lines: list[list[object]] = [["toy", f"toy-{story.word}", story.folder]]
    for number, mark in enumerate(story.marks):
        lines.append(["exec", f"call-{mark}", f"2026-01-01T10:00:{number}0Z", f"cook {mark}"])
        lines.append(["ended", f"call-{mark}", f"2026-01-01T10:00:{number}1Z", 2, f"no {mark}"])
    root.mkdir(parents=True, exist_ok=True)
    (root / f"{_number(story)}.chat").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return f"toy-{story.word}"


# Each writes a story below a folder and returns the id of the session; again with more chapters, the session has grown.
TELLERS: dict[str, Callable[[Path, Story], str]] = {
    "claude-code": claude_code, "codex": codex, "copilot-cli": copilot_cli, "gemini-cli": gemini_cli,
    "opencode": opencode, "qwen-code": qwen_code, "toy": toy,
}  # fmt: skip
