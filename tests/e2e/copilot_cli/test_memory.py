"""What failed in one session of the real Copilot CLI is recalled in the next."""

from tests.e2e.rig.memory_tests import Recalls


class TestCopilot(Recalls):
    pass
