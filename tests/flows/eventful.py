"""A folder in, transcripts of everything that can happen to sessions and their files out."""

from collections.abc import Callable
from pathlib import Path

from tests.builders.accidents import ACCIDENTS
from tests.builders.client_lines import REJECTED, Line
from tests.builders.transcript import Session

TAG = "#lesson\nproblem: {}\nsolution: Look at the till first.\ntool: Bash\ntags: tool:make\n#/lesson"
CANCEL = "#lesson:cancel"
Story = Callable[[Path], None]


def damaged(root: Path) -> None:
    """One session for every accident, and files that end in the middle."""
    for number, (name, accident) in enumerate(ACCIDENTS.items()):
        session = working_day(f"accident {name}", cwd=f"/home/somebody/damaged-{number % 3}")
        session.subagents.clear()
        path = session.write(root)
        path.write_bytes(accident(path.read_bytes()))
    for number, cut in enumerate((1, 2, 3, 40, 400, 1200)):
        path = working_day(f"unterminated {number}", cwd="/home/somebody/unterminated").write(root)
        path.write_bytes(path.read_bytes()[:-cut])
    at_boundary = working_day("ends with a boundary", cwd="/home/somebody/unterminated")
    at_boundary.compact()
    del at_boundary.lines[-1]
    at_boundary.write(root).write_bytes(at_boundary.data(newline=False))
    (root / "-home-somebody-unterminated" / "empty.jsonl").touch()


def working_day(name: str, cwd: str = "/home/somebody/shop") -> Session:
    """A session with one of everything."""
    session = Session(name, cwd)
    session.prompt("fix the till")
    session.think("Look first.")
    failing = session.call("Bash", {"command": "make test"})
    session.hook_context(failing, "a fact")
    session.progress(failing, "half way")
    session.result(failing, "Exit code 2\nboom: no rule to make target", error=True)
    session.result(session.call("Bash", {"command": f"make test CC=cc NAME='{name}'"}), "ok")
    session.say(TAG.format("make needs a compiler"))
    edit = {"file_path": "/home/somebody/shop/a.py", "old_string": "a", "new_string": "b"}
    session.result(session.call("Edit", edit), REJECTED, denial="user-rejected", permission=None)
    session.interrupt(for_tool=True, message_id=session.message_id)
    session.bookkeeping().title("Till").snapshot().queue("also lint").turn_end()
    slow = session.call("Bash", {"command": "make all", "run_in_background": True})
    session.result(slow, "Running.", background="b1")
    session.compact()
    session.prompt("go on", source="queued")
    session.say(TAG.format(f"a thing that only {name} knows"))
    session.say(CANCEL)
    session.notify("b1", "failed", 2, slow)
    session.in_folder(f"{cwd}/till")
    session.result(session.call("Read", {"file_path": "/home/somebody/shop/till.py"}), "till = 1")
    session.compact()
    session.call("Bash", {"command": "sleep 1000"})
    for agent in (session.subagent("ab12"), session.subagent("cd34", workflow="run-1")):
        agent.prompt("do a part")
        agent.say(TAG.format("subagents have tags too"))
        agent.result(agent.call("Bash", {"command": "ls"}), "a.py")
        agent.result(agent.call("Bash", {"command": "ls /nowhere"}), "Exit code 2\nls: cannot access", error=True)
    session.title("Till, in the evening")
    return session


def mistakes(root: Path) -> None:
    """Sessions whose agents err, mend it, and are corrected by a person; the same mistakes in two projects."""
    for number in range(4):
        session = Session(f"errs {number}", cwd=f"/home/somebody/errs-{number % 2}")
        session.prompt("look at the change")
        wrong = session.call("Bash", {"command": f"gh pr diff {number + 10} --stat"})
        session.result(wrong, f"Exit code 1\nunknown flag: --stat{'s' * (number == 3)}", error=True)
        session.say(f"There is no such flag in number {number}. I list the names. Then I count them.")
        session.result(session.call("Bash", {"command": f"gh pr diff {number + 10} --name-only"}), "a.py")
        session.result(session.call("Bash", {"command": "gtimeout 3 make"}), "done")
        missing = session.call("Bash", {"command": "timeout 3 make"})
        session.result(missing, "Exit code 127\n(eval):1: command not found: timeout", error=True)
        session.result(session.call("Bash", {"command": "gtimeout 3 make"}), "done")
        edit = {"file_path": "/home/somebody/a.py", "old_string": "a", "new_string": "b"}
        unread = "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>"
        session.result(session.call("Edit", edit), unread, error=True)
        if number < 2:
            session.prompt("no, never edit generated files by hand, always run make gen instead")
        session.result(
            session.call("Bash", {"command": "npm run build"}), "Exit code 1\nMissing script: build", error=True
        )
        session.result(session.call("Bash", {"command": "cd web && npm run build"}), "built")
        session.write(root)


def either_way(session: Session, purpose: str) -> list[str]:
    """Two names of forks: the id of one comes before that of the session, of the other after it."""
    names = [f"{session.name} {purpose} {number}" for number in range(20)]
    before = [name for name in names if Session(name).id < session.id]
    after = [name for name in names if Session(name).id > session.id]
    return before[:1] + after[:1]


def forks(root: Path) -> None:
    """Forks of all kinds go on after their copies, one of them says where it comes from, one is a fork of a fork."""
    session = working_day("forked")
    session.write(root)
    for purpose in ("whole", "tail", "marked"):
        for name in either_way(session, purpose):
            fork = session.fork(name, from_boundary=purpose == "tail")
            if purpose == "marked":
                for line in fork.lines:
                    line["forkedFrom"] = {"sessionId": session.id, "messageUuid": line.get("uuid")}
            fork.result(fork.call("Bash", {"command": f"echo {purpose}"}), purpose)
            fork.say(TAG.format("forks repeat themselves"))
            fork.write(root)
            fork.fork(f"{name} again").write(root)


def forks_with_tags(root: Path) -> None:
    """A cancel after the fork takes back the last tag of its own session, whichever copy of that tag is kept."""
    for purpose in ("original", "fork", "both"):
        session = Session(f"tags {purpose}", "/home/somebody/tags")
        session.prompt("begin")
        session.say(TAG.format(f"the first of {purpose}"))
        session.compact()
        session.say(TAG.format(f"the second of {purpose}"))
        forks = [session.fork(name, from_boundary=True) for name in either_way(session, "fork")]
        for taking_back in [session, *forks] if purpose == "both" else forks if purpose == "fork" else [session]:
            taking_back.say(f"{CANCEL}\n\n{TAG.format('said by many')}")
        for each in (session, *forks):
            each.write(root)


def tasks_ended_twice(root: Path) -> None:
    """The end of a background task is told more than once, and not in the same words."""
    tells: dict[str, Callable[[Session, str], object]] = {
        "notified": lambda session, call: session.notify("b1", "failed", 3, call),
        "notified otherwise": lambda session, call: session.notify("b1", "completed", 0),
        "killed": lambda session, call: session.notify("b1", "killed", 143, call),
        "stopped": lambda session, call: _stop_task(session),
    }
    for first in tells:
        for second in tells:
            session = Session(f"task {first} and {second}", "/home/somebody/tasks")
            session.prompt("start it")
            call = session.call("Bash", {"command": "make serve", "run_in_background": True})
            session.result(call, "Command running in background with ID: b1", background="b1")
            tells[first](session, call)
            session.say("It ended. " + "And more is said about it. " * 200)
            tells[second](session, call)
            session.write(root)


def _stop_task(session: Session) -> None:
    details: Line = {"message": "Successfully stopped task: b1", "task_id": "b1", "task_type": "local_bash"}
    session.result(session.call("TaskStop", {"task_id": "b1"}), "stopped", details=details)


def tasks_ended_differently(root: Path) -> None:
    """A fork was made while a task ran: each side is told another end of the same call."""
    for first, second in (("failed", "completed"), ("completed", "failed"), ("killed", "failed")):
        session = Session(f"task {first}, {second} in the fork", "/home/somebody/tasks")
        call = session.call("Bash", {"command": "make serve", "run_in_background": True})
        session.result(call, "Command running in background with ID: b1", background="b1")
        for name in either_way(session, "fork"):
            fork = session.fork(name)
            fork.notify("b1", second, 0 if second == "completed" else 7, call)
            fork.write(root)
        session.notify("b1", first, 0 if first == "completed" else 3, call)
        session.write(root)


def interrupted_in_one_fork(root: Path) -> None:
    """The person stopped a call; the fork was made before the client noted that."""
    session = Session("interrupted", "/home/somebody/stops")
    call = session.call("Bash", {"command": "make forever"})
    session.result(call, REJECTED, denial="user-rejected", permission=None)
    forks = [session.fork(name) for name in either_way(session, "fork")]
    session.interrupt(for_tool=True, message_id=session.message_id)
    for each in (session, *forks):
        each.write(root)


def clocks(root: Path) -> None:
    """Records of one moment in several folders, records without a time before and after them."""
    for number, folders in enumerate((("b", "a"), ("a", "b"))):
        session = Session(f"clocks {number}", "/home/somebody/start")
        for folder in folders:
            session.in_folder(f"/home/somebody/{folder}")
            session.result(session.call("Bash", {"command": f"ls {folder}"}), "here " * 1500)
        for line in session.lines:
            line["timestamp"] = "2026-09-01T08:00:00.000Z"
        session.in_folder("/home/somebody/without")
        session.prompt("no time at all")
        session.lines[-1]["timestamp"] = "yesterday"
        session.write(root)


def same_names(root: Path) -> None:
    """Lines without a uuid, and different lines with the same one, that say the same thing."""
    for number, uuid in enumerate((None, "the same")):
        session = Session(f"names {number}", "/home/somebody/names")
        for word in ("once", "twice", "thrice"):
            session.say(f"{word}:\n{TAG.format(f'the same thing of {number}')}")
            session.prompt(f"go on, {word}")
        for line in session.lines:
            line["uuid"] = uuid
        session.write(root)


def copied_results(root: Path) -> None:
    """A copy of a result under another uuid and at another time says something else about the call."""
    for number, (text, error) in enumerate((("Exit code 4\nlate", True), ("fine", False), (REJECTED, True))):
        session = Session(f"copied result {number}", "/home/somebody/copies")
        call = session.call("Bash", {"command": "make twice"})
        for name in either_way(session, "copy"):
            copy = session.fork(name)
            copy.prompt("wait")
            copy.result(call, text, error=error)
            copy.lines[-1]["timestamp"] = f"2026-08-0{number + 1}T08:00:00.000Z"
            copy.write(root)
        session.result(call, "Exit code 5\nearly", error=True)
        session.write(root)


def results_first(root: Path) -> None:
    """The results of a call may be read before it, from other files; of some there is no call at all."""
    session = Session("results first", "/home/somebody/first")
    call = session.call("Bash", {"command": "make first"})
    for name in either_way(session, "result"):
        other = Session(name, "/home/somebody/first")
        other.prompt(f"only the result ({name})")
        other.result(call, f"Exit code 1\n{name}", error=True)
        other.result("toolu_of_no_call", "Exit code 1\nnobody asked", error=True)
        other.write(root)
    session.result(call, "Exit code 2\nthe first", error=True)
    session.write(root)


def diagnosed(root: Path) -> None:
    """Forks of a session after its failed calls: each side writes something else about them."""
    session = Session("diagnosed", "/home/somebody/diagnosed")
    session.prompt("begin")
    first = session.call("Bash", {"command": "gh pr diff 1 --stat"})
    second = session.call("Bash", {"command": "gh pr diff 2 --stat"}, same_message=True)
    session.result(first, "Exit code 1\nunknown flag: --stat", error=True)
    session.compact()
    session.result(second, "Exit code 1\nunknown flag: --stat", error=True)
    forks = [
        session.fork(name, from_boundary=part) for part in (False, True) for name in either_way(session, str(part))
    ]
    for number, each in enumerate((session, *forks)):
        each.say(f"Side {number} knows why. It was the flag.")
        each.say("And more was said about it.")
        each.result(each.call("Bash", {"command": "gh pr diff 1 --name-only"}), "a.py")
        each.say("That was it. Nothing is left.")
        each.write(root)


def queued(root: Path) -> None:
    """Prompts that wait while the agent works; some forks know only that they were queued, others that they came."""
    session = Session("queued", "/home/somebody/queued")
    session.prompt("begin")
    call = session.call("Bash", {"command": "make all"})
    session.queue("no, always use just instead of make in this repo")
    session.queue("and do not commit")
    forks = [session.fork(name) for name in either_way(session, "waits")]
    session.result(call, "done")
    session.queued_command("no, always use just instead of make in this repo")
    session.queue("a first line\nand a second")
    session.queue("taken back").take_back("taken back")
    session.turn_end("Failed with non-blocking status code: notify: not found")
    session.prompt("and do not commit\na first line\nand a second", source="queued")
    forks += [session.fork(name) for name in either_way(session, "came")]
    for each in (session, *forks):
        each.result(each.call("Bash", {"command": "just all"}), "done")
        each.say("Done.")
        each.turn_end()
        each.write(root)


def days(root: Path) -> None:
    """Two sessions that have nothing to do with each other but what they found out."""
    for number in range(2):
        working_day(f"day {number}").write(root)


# Every line in them is whole: a JSON parser alone can count their calls.
HEALTHY: tuple[Story, ...] = (
    mistakes,
    days,
    forks,
    forks_with_tags,
    tasks_ended_twice,
    tasks_ended_differently,
    interrupted_in_one_fork,
    clocks,
    same_names,
    copied_results,
    results_first,
    diagnosed,
    queued,
)
