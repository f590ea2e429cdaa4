"""The watcher: reads sessions while they run, and mines each of them when it is quiet.

loop.py runs in one thread. It sleeps until a file is written (changes.py), until a session is quiet or a retry is
due. Then it reads and mines in one short tick (tick.py), with the lock of the scan. It reads only files that
changed, the newest first, and checks all files every ten minutes. Sessions that still grow are read but not mined.
"""
