"""Sessions with words that occur nowhere else, a home that has read them, and a look into every byte of it."""

from pathlib import Path

from lessons.scan.run import Options, run
from tests.builders.transcript import Session

SHOP, INNER, OTHER = "/home/somebody/shop", "/home/somebody/shop/cellar", "/home/somebody/shopping"
TAG = "#lesson\ntool: Bash\nproblem: {0} burns in the oven\nsolution: add {0} at the end\n{1}#/lesson"


def told(session: Session, word: str, tag: str = "") -> Session:
    """One of everything that the history keeps, each with the word."""
    session.prompt(f"Cook with {word} today")
    session.say(TAG.format(word, tag))
    call = session.call("Bash", {"command": f"cook --spice {word} {session.name}"})
    session.hook_context(call, f"Mind the {word} on the stove")
    session.result(call, f"Exit code 1\n{word}pan: {word}oil is {word}hot", error=True)
    session.say(f"The {word} was too hot. I turn the stove down.")
    session.result("toolu_unknown" + session.name, f"Exit code 3\nerror: no call for {word}", error=True)
    task = session.call("Bash", {"command": f"simmer-{word} on", "run_in_background": True})
    session.result(task, "started", background=f"task{word}")
    session.notify(f"task{word}", "failed", 2, description=f"{word} boiled over")
    session.title(f"A dish with {word}")
    return session


def kitchen(root: Path) -> dict[str, Session]:
    """Every session by its word."""
    sessions = {
        "saffron": told(Session("saffron", SHOP), "saffron"),
        "cardamom": told(Session("cardamom", INNER), "cardamom"),
        "thyme": told(Session("thyme", OTHER), "thyme"),
    }
    helper = sessions["saffron"].subagent("a1b2c3")
    helper.result(helper.call("Bash", {"command": "grind saffron finely"}), "ok")
    for session in sessions.values():
        session.write(root)
    return sessions


def scan(home: Path, projects: Path, full: bool = False) -> None:
    run(str(home), Options([str(projects)], full=full))


def files_with(home: Path, *words: str) -> dict[str, list[str]]:
    """Which files below the home hold which of the words, whatever the case."""
    found = {}
    for path in sorted(home.rglob("*")):
        if path.is_file():
            content = path.read_bytes().lower()
            if held := [word for word in words if word.lower().encode() in content]:
                found[str(path.relative_to(home))] = held
    return found
