"""Whatever is broken in our hook, no call of the real Qwen Code is kept from running."""

from tests.e2e.rig.breaks import BrokenHook


class TestQwen(BrokenHook):
    pass
