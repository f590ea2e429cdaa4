"""A process id in, whether the process is still there out."""

import os


def is_alive(process: int) -> bool:
    """True where nobody can say: asking on Windows would end it."""
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True
