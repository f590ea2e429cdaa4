"""The arguments of the command line in, the verb's output and an exit code out."""

import os
import sys

# verb -> what it does, in the words of the top-level help; its module is lessons.cli.verbs.<verb>.
# Read without importing click, so that `lessons --help` costs little more than Python itself.
VERBS = {
    "init": "Begin: read your history and make the first lessons",
    "add": "Write a lesson, or take over the starter pack",
    "list": "Show the lessons",
    "show": "Show one lesson with all it says and does",
    "edit": "Change a lesson",
    "archive": "Retire a lesson: it is kept and acts no more",
    "unarchive": "Let a retired lesson act again",
    "try": "Show what would happen at a call",
    "log": "Show what fired, when, where and why",
    "scan": "Read new transcripts",
    "candidates": "Show the mistakes that could become lessons",
    "backtest": "Show what a lesson would have done so far",
    "review": "Walk through the candidates and decide",
    "promote": "Make lessons of candidates",
    "undo": "Take back a decision about a candidate",
    "search": "Find calls, errors and prompts in the history",
    "handoff": "Keep and show what a session was doing",
    "session": "Show the state of this project's session",
    "subagents": "Show which subagents were called, and for what",
    "commits": "Show the commits made here, each with its session",
    "import": "Take over lessons from elsewhere, into review",
    "export": "Write lessons into a project, to share them",
    "trust": "Let the lessons of a project act in it",
    "verify": "Check the lessons of a project, for CI",
    "mute": "Silence a lesson, for a time or until unmuted",
    "allow": "Let a blocked call pass once",
    "build": "Compile the lessons for the hook",
    "install": "Put the hook into an agent's settings",
    "uninstall": "Take the hook out of an agent's settings",
    "doctor": "Check that everything works, and say what to do",
    "config": "Show and change the settings",
    "backup": "Copy the history and the lessons, or put a copy back",
    "forget": "Delete a project, a session or a time from the history",
    "demo": "See the whole story in a few seconds",
    "completion": "Print the completion script for your shell",
    "hook": "Answer one hook event (agents run this)",
}
_HIDDEN = ("hook",)
# A verb whose name Python or this package needs for something else.
_MODULES = {"import": "import_verb", "list": "list_verb", "try": "try_verb"}


def main() -> None:
    try:
        code = run(sys.argv[1:])
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader went away (`| head`): what is left in the buffer must not raise once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 0
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """One call of the command line; returns the exit code."""
    if "_LESSONS_COMPLETE" in os.environ:
        from lessons.cli.verbs.completion import complete

        return complete()
    if arguments[:1] == ["help"] and len(arguments) > 1:
        arguments = [arguments[1], "--help"]
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(help_text())
        return 0
    if arguments[0] in ("-V", "--version"):
        from lessons import __version__

        print(f"lessons {__version__}")
        return 0
    from lessons.cli import boundary

    return boundary.run_verb(arguments[0], arguments[1:])


def module_of(verb: str) -> str:
    return f"lessons.cli.verbs.{_MODULES.get(verb, verb)}"


def help_text() -> str:
    width = max(map(len, VERBS))
    verbs = [f"  {verb.ljust(width)}  {what}" for verb, what in VERBS.items() if verb not in _HIDDEN]
    return "\n".join(
        [
            "Usage: lessons VERB [OPTIONS]",
            "",
            "  Learns from the mistakes AI coding agents make and stops them from being made again.",
            "",
            "Verbs:",
            *verbs,
            "",
            "  lessons VERB --help     all about one verb",
            "  lessons --version       the version",
            "",
            "Begin with:  lessons demo   then   lessons init",
        ]
    )
