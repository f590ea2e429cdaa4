"""The entry point: shows the overview, or runs a verb and returns its exit code."""

import gc
import os
import sys

# Group -> verb -> description in the overview; the module of a verb is lessons.cli.verbs.<verb>. Read without importing
# click, so that `lessons --help` costs little more than Python itself.
GROUPS = {
    "Get started": {
        "demo": "See how it works in a few seconds",
        "init": "Start: read your history and make the first lessons",
    },
    "Lessons": {
        "list": "List the lessons",
        "show": "Show one lesson: text, trigger and what it did",
        "add": "Write a lesson, or import the starter pack",
        "edit": "Change a lesson",
        "remove": "Retire a lesson (same as archive)",
        "archive": "Retire a lesson: it is kept but no longer fires",
        "unarchive": "Bring back a retired lesson",
        "try": "Show what the hook would do at a call",
        "log": "Show which lessons fired, when and why",
        "tend": "Go through what should change about your lessons",
        "feedback": "Say whether a lesson was good or bad",
        "stats": "Show what each lesson did, and how well",
        "mute": "Silence a lesson, for a time or until unmuted",
        "unmute": "Let a muted lesson fire again",
        "allow": "Let a blocked call pass once",
    },
    "History": {
        "scan": "Read new transcripts",
        "watch": "Read sessions while they happen",
        "candidates": "List the mistakes that could become lessons",
        "review": "Go through the candidates and decide",
        "refine": "Let your agent write the lessons of candidates",
        "promote": "Turn candidates into lessons",
        "reject": "Reject candidates: they are not shown again",
        "undo": "Undo a decision about a candidate, or a step of tend",
        "backtest": "Test a lesson against your history",
        "replay": "Show what lessons would have caught so far",
        "search": "Search calls, errors and prompts",
        "code-review": "Log code reviews and find what recurs",
        "report": "Write a page of what the lessons did, with plots",
        "history": "Show the size of the history, or compact it",
        "forget": "Delete a project, a session or a period",
    },
    "Sessions": {
        "handoff": "Save and show what a session was doing",
        "session": "Show the state of this project's session",
        "subagents": "List subagent calls and their tasks",
        "commits": "List the commits made here, with their sessions",
    },
    "Team": {
        "export": "Write lessons into a project, to share them",
        "trust": "Let the lessons of a project fire in it",
        "verify": "Check the lessons of a project, for CI",
        "check": "Check files against your lessons",
        "import": "Import lessons from elsewhere, for review",
    },
    "Maintenance": {
        "install": "Add the hook to an agent's settings",
        "uninstall": "Remove the hook from an agent's settings",
        "mcp": "Serve lessons to an agent over MCP",
        "doctor": "Check the installation and say what to fix",
        "alerts": "Show what needs your attention",
        "config": "Show and change the settings",
        "build": "Compile the lessons for the hook",
        "backup": "List, create or restore backups",
        "completion": "Print the completion script for your shell",
    },
}
_COMMON = frozenset(
    "init list add edit try log tend stats scan candidates review undo search report forget"
    " handoff export doctor".split()
)
_HIDDEN = {"hook": "Answer one hook event (agents run this)"}
VERBS = {verb: what for group in GROUPS.values() for verb, what in group.items()} | _HIDDEN
# Verbs whose name is reserved in Python or used by this package.
_MODULES = {"code-review": "code_review", "import": "import_verb", "list": "list_verb", "try": "try_verb"}

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
        from lessons.cli.verbs.completion import complete

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

    return boundary.run_verb(arguments[0], arguments[1:])


def module_of(verb: str) -> str:
    return f"lessons.cli.verbs.{_MODULES.get(verb, verb)}"


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
