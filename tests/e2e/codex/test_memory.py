"""What failed in one session of the real Codex is recalled in the next; paths are in test_working_folder.py."""

from tests.e2e.rig.memory_tests import RecallsSafely


class TestCodex(RecallsSafely):
    pass
