"""What failed in one session of the real Gemini CLI is recalled in the next, with the result of a failed call."""

from tests.e2e.rig.memory_tests import RecallsAtTheError


class TestGemini(RecallsAtTheError):
    error_event = "AfterTool"
