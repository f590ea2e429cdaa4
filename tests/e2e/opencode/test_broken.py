"""Whatever is broken in our plugin or behind it, no call of the real opencode is kept from running."""

from tests.e2e.rig.breaks import BrokenHook


class TestOpencode(BrokenHook):
    pass
