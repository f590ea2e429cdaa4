"""The entry point: shows the overview, or runs a verb and returns its exit code."""

import gc
import os
import sys

# Group -> verb -> description in the overview. Read without importing click, so that `lessons --help` costs little more
# than Python itself.
GROUPS = {
    "Start": {
        "init": "Start: read your history and make the first lessons",
        "cost": "Show what repeated mistakes cost you",
    },
    "Lessons": {
        "list": "List the lessons",
        "show": "Show one lesson: text, trigger and what it did",
        "add": "Write a lesson, or import the starter pack",
        "edit": "Change a lesson",
        "archive": "Retire a lesson: it is kept but no longer fires",
        "mute": "Silence a lesson, for a time or until unmuted",
        "try": "Show what the hook would do at a call",
        "log": "Show which lessons fired, when and why",
        "stats": "Show what each lesson did, and how well",
        "feedback": "Say whether a lesson was good or bad",
        "rules": "Show how often the rules in CLAUDE.md were broken",
        "tend": "Go through what should change about your lessons",
        "undo": "Undo the last change, or an earlier decision",
    },
    "History": {
        "scan": "Read new transcripts",
        "learn": "Let your agent write lessons from failures",
        "review": "Go through the candidates and decide",
        "candidates": "List the mistakes that could become lessons",
        "search": "Search calls, errors and prompts",
        "history": "Show, watch, back up or delete the history",
    },
    "Projects": {
        "session": "Show what this project's sessions did",
        "team": "Share lessons with others, and check files",
        "code-review": "Log code reviews and find what recurs",
    },
    "Setup": {
        "install": "Add the hook to an agent's settings",
        "doctor": "Check the installation and say what to fix",
        "config": "Show and change the settings",
        "dev": "Build, promote, back-test, replay, demo, MCP server",
    },
}
_COMMON = frozenset(
    "init cost list add edit archive try log stats tend undo scan learn review candidates search team doctor".split()
)
_HIDDEN = {"hook": "Answer one hook event (agents run this)"}
VERBS = {verb: what for group in GROUPS.values() for verb, what in group.items()} | _HIDDEN
# Where a verb is, if not in the function `command` of the module with its name.
_PLACES = {
    "add": "writing:add",
    "archive": "lifecycle:archive",
    "code-review": "code_review:command",
    "doctor": "install:doctor",
    "edit": "writing:edit",
    "feedback": "lifecycle:feedback",
    "list": "listing:list_all",
    "log": "listing:log",
    "mute": "lifecycle:mute",
    "show": "listing:show",
    "try": "try_verb:command",
    "undo": "lifecycle:undo",
}
# Spellings that work too: names of earlier versions, and those that people guess.
SPELLINGS = {
    "alerts": "session alerts",
    "allow": "mute --once",
    "backtest": "dev backtest",
    "backup": "history backup",
    "build": "dev build",
    "check": "team check",
    "commits": "session commits",
    "completion": "dev completion",
    "demo": "dev demo",
    "export": "team export",
    "forget": "history forget",
    "handoff": "session handoff",
    "import": "team import",
    "mcp": "dev mcp",
    "promote": "dev promote",
    "refine": "learn",
    "reject": "candidates --reject",
    "remove": "archive",
    "replay": "dev replay",
    "report": "history report",
    "retire": "archive",
    "subagents": "session subagents",
    "trust": "team trust",
    "unarchive": "archive --off",
    "uninstall": "install --remove",
    "unmute": "mute --off",
    "verify": "team verify",
    "watch": "history watch",
}

# Imports and records hold few cycles: by default, looking for them takes up to a tenth of the time of a verb.
_OBJECTS_BETWEEN_COLLECTIONS = 20_000


def main() -> None:
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
    try:
        code = run(sys.argv[1:])
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has closed the pipe (`| head`): the rest of the buffer must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 0
    except KeyboardInterrupt:
        code = 130
    gc.freeze()  # the process ends: to look for garbage once more would find nothing that matters
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Runs one call of the command line and returns the exit code."""
    if "_LESSONS_COMPLETE" in os.environ:
        from lessons.cli.verbs.dev import complete

        return complete()
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        if arguments[1:] in ([], ["--all"], ["-a"]):
            print(help_text(everything=bool(arguments[1:]), colour=has_colour()))
            return 0
        arguments = [arguments[1], "--help"]
    if arguments[0] in ("-V", "--version"):
        from lessons import __version__

        print(f"lessons {__version__}")
        return 0
    from lessons.cli import boundary

    verb, *before = SPELLINGS.get(arguments[0], arguments[0]).split(" ")
    return boundary.run_verb(verb, [*before, *arguments[1:]])


def place_of(verb: str) -> str:
    """Returns `module:function` of a verb, below lessons.cli.verbs."""
    return _PLACES.get(verb, f"{verb}:command")


def help_text(everything: bool = False, colour: bool = False) -> str:
    """Returns the common verbs by group, short enough for a screen of 24 lines; or all of them."""
    bold, green, plain = ("\033[1m", "\033[32m", "\033[0m") if colour else ("", "", "")
    width = max(map(len, GROUPS))
    column = max(len(verb) for verb in VERBS if everything or verb in _COMMON)
    lines = [
        f"{bold}Usage: lessons VERB [OPTIONS]{plain}   (or: lessons --version)",
        "Learns from the mistakes of AI coding agents and keeps them from being repeated.",
        "",
    ]
    for group, verbs in GROUPS.items():
        name = group
        for verb, what in verbs.items():
            if everything or verb in _COMMON:
                lines.append(f"{bold}{name.ljust(width)}{plain}  {green}{verb.ljust(column)}{plain}  {what}")
                name = ""
    more = "" if everything else "All verbs: lessons help --all    "
    return "\n".join([*lines, "", f"{more}One verb: lessons VERB --help"])


def has_colour() -> bool:
    """Whether to use colour: only on a terminal, and never against https://no-color.org."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or os.name == "nt":
        return False
    return sys.stdout is not None and sys.stdout.isatty()
