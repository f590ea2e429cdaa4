"""A home, a folder, a session, its transcript and a time in, one save out: a program for a test that kills it."""

import sys
from datetime import datetime

from lessons.continuity.save_handoff import save_handoff

if __name__ == "__main__":
    home, folder, session_id, transcript, moment = sys.argv[1:]
    save_handoff(home, folder, session_id, transcript, "stop", datetime.fromisoformat(moment))
