"""Whatever is broken in our hook, every call of the real Qwen Code still runs."""

from tests.e2e.rig.breaks import BrokenHook


class TestQwen(BrokenHook):
    pass
