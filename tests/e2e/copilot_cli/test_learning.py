"""The circle of learning with the real client."""

from tests.e2e.rig.learning_tests import LearnsInACircle


class TestCopilotCli(LearnsInACircle):
    pass
