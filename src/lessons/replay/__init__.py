"""The replay: what lessons would have caught, if each mistake had become a lesson when its session ended.

walk.py starts and ends sessions in the order of time. Before a session that repeats a mistake, the learner promotes
every new candidate of the sessions that have ended, with the code of the queue and of promotion. They read the history
through `History.as_of`, which hides all other sessions. A lesson is promoted once and does not change afterwards.

Then the hook's own matching runs the session's calls against these lessons. The history does not record files and
programs of that time: they are unknown, and a lesson that needs them stays quiet.
"""
