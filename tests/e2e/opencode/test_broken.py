"""Whatever is broken in our plugin or its hook, every call of the real opencode still runs."""

from tests.e2e.rig.breaks import BrokenHook


class TestOpencode(BrokenHook):
    pass
