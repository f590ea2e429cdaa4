"""What failed in one session of the real opencode is recalled in the next, with the result of a failed call."""

from tests.e2e.rig.memory_tests import RecallsAtTheError


class TestOpencode(RecallsAtTheError):
    error_event = "tool.execute.after"
