"""Whatever is broken in our hook, no call of the real Gemini CLI is kept from running."""

from tests.e2e.rig.breaks import BrokenHook


class TestGemini(BrokenHook):
    pass
