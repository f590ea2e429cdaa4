"""Runs a verb and returns its exit code; the only place that turns errors into sentences.

0 done; 1 refused or not found; 2 wrong usage; 3 a bug; 130 interrupted.
"""

import difflib
import importlib
import sys
import traceback

import click

from lessons.cli import render, terminal
from lessons.cli.main import SPELLINGS, VERBS, place_of
from lessons.errors import LessonsError


def command_of(verb: str) -> click.Command:
    """Returns the click command of a verb."""
    command = command_at(place_of(verb))
    command.context_settings.setdefault("help_option_names", ["-h", "--help"])
    return command


def command_at(place: str) -> click.Command:
    """Returns the click command at `module:function`; imports its module only now."""
    module, _, function = place.partition(":")
    command = getattr(importlib.import_module(f"lessons.cli.verbs.{module}"), function)
    assert isinstance(command, click.Command)
    return command


def run_verb(verb: str, arguments: list[str]) -> int:
    if verb not in VERBS:
        return _unknown(verb)
    for stream in (sys.stdout, sys.stderr):
        if stream:  # escapes characters that the terminal cannot show
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    terminal.use_for_prompts()
    try:
        command = command_of(verb)
        with command.make_context(f"lessons {verb}", arguments) as context:
            result = command.invoke(context)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as wrong:
        if isinstance(wrong, click.NoSuchOption):
            name, known = wrong.option_name, wrong.possibilities or ()  # click compares the dashes too
            alike = [each for each in known if difflib.get_close_matches(name.lstrip("-"), [each.lstrip("-")])]
            wrong = click.NoSuchOption(name, possibilities=alike, ctx=wrong.ctx)
        wrong.show()
        return 2
    except click.ClickException as wrong:
        wrong.show()
        return 1
    except LessonsError as refused:
        _say(str(refused))
        return 1
    except (KeyboardInterrupt, click.exceptions.Abort):
        # On a terminal the cursor is still on the line of the question or of the ^C.
        _say("\nInterrupted." if sys.stderr and sys.stderr.isatty() else "Interrupted.")
        return 130
    except BrokenPipeError:
        raise
    except OSError as fault:
        _say(f"Cannot use {fault.filename or 'a file'} ({fault.strerror or fault}). Fix that and try again.")
        return 1
    except Exception:
        traceback.print_exc()
        _say("This is a bug in lessons. Report the lines above and the command you ran.")
        return 3


def _unknown(verb: str) -> int:
    close = difflib.get_close_matches(verb, [*VERBS, *SPELLINGS], n=1)
    hint = (
        f"Did you mean `lessons {SPELLINGS.get(close[0], close[0])}`?"
        if close
        else "`lessons help --all` lists all verbs."
    )
    _say(f"Unknown verb {verb!r}. {hint}")
    return 2


def _say(sentence: str) -> None:
    render.note(sentence)
