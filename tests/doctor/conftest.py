"""The fixtures of the command line, which the checks are reached through."""

from tests.cli.conftest import home, lessons

__all__ = ["home", "lessons"]
