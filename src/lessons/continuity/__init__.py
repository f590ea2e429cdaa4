"""Saves what a session was doing, and restores it after a compaction or in the next session.

SessionStart, PreCompact, Stop and SessionEnd start `python -m lessons.continuity`; only PreCompact waits for it. A save
reads the transcript from the last offset on, and the reflog of HEAD. It writes the files of docs/STATE.md: first lines
with natural keys, the offset last. So a save that was killed is repeated and loses nothing.
"""
