"""What failed in one session of the real Qwen Code is recalled in the next, with the result of a failed call."""

from tests.e2e.rig.memory_tests import RecallsAtTheError


class TestQwen(RecallsAtTheError):
    error_event = "PostToolUseFailure"
