"""Whatever is broken in our hook, every call of the real Gemini CLI still runs."""

from tests.e2e.rig.breaks import BrokenHook


class TestGemini(BrokenHook):
    pass
