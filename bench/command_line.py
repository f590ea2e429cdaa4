"""`lessons --help` in, its time beside that of a Python that does nothing out."""

import os
import sys

from bench.timing import Case, Result, measure, nothing


def help_text(rounds: int) -> Result:
    environment = dict(os.environ)
    lessons = os.path.join(os.path.dirname(sys.executable), "lessons")
    cases = [
        Case("python -c pass", [sys.executable, "-c", "pass"], nothing, environment),
        Case("lessons --help", [lessons, "--help"], nothing, environment),
    ]
    return measure(cases, rounds)[1]
