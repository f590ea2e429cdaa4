"""A verb and its arguments in, an exit code out: the one place where errors become sentences.

0 done; 1 refused or not found; 2 wrong usage; 3 a bug; 130 interrupted.
"""

import difflib
import importlib
import os
import sys
import traceback

import click

from lessons.cli.main import VERBS, module_of
from lessons.errors import LessonsError


def command_of(verb: str) -> click.Command:
    """The click command of a verb, whose module is loaded only now."""
    command = importlib.import_module(module_of(verb)).command
    assert isinstance(command, click.Command)
    return command


def run_verb(verb: str, arguments: list[str]) -> int:
    if verb not in VERBS:
        return _unknown(verb)
    try:
        result = command_of(verb).main(arguments, prog_name=f"lessons {verb}", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as wrong:
        wrong.show()
        return 2
    except click.ClickException as wrong:
        wrong.show()
        return 1
    except LessonsError as refused:
        _say(str(refused))
        return 1
    except (KeyboardInterrupt, click.exceptions.Abort):
        _say("Interrupted.")
        return 130
    except BrokenPipeError:
        # The reader went away (`| head`): what is left in the buffer must not raise once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as fault:
        _say(f"{fault.filename or 'A file'}: {fault.strerror or fault}.")
        return 1
    except Exception:
        traceback.print_exc()
        _say("This is a bug in lessons: please report the lines above and what you typed.")
        return 3


def _unknown(verb: str) -> int:
    close = difflib.get_close_matches(verb, VERBS, n=1)
    hint = f"perhaps `lessons {close[0]}` is meant" if close else "`lessons --help` shows them all"
    _say(f"There is no verb {verb!r}: {hint}.")
    return 2


def _say(sentence: str) -> None:
    click.echo(sentence, err=True)
