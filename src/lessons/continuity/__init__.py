"""Saves what a session was doing, and restores it after a compaction or in the next session.

SessionStart, PreCompact, Stop and SessionEnd start `python -m lessons.continuity`; only PreCompact waits for it. A save
reads the transcript and the reflog of HEAD anew, and writes the files of docs/STATE.md under one lock. Lines have
natural keys, so a save that was killed is repeated and loses nothing.
"""
