"""The circle of learning with the real Claude Code."""

from tests.e2e.rig.learning_tests import LearnsInACircle


class TestClaudeCode(LearnsInACircle):
    asks_at, next_call = "PreToolUse", True
