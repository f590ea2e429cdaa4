"""Stage 1: reads transcripts into the history (calls with outcomes, redacted) and mines candidates from it.

Reading: one process writes the history; others parse in parallel when there is much to read (workers.py). A batch of
rows and the new offset of its file are one transaction. Every row has a natural key, and every merge is a minimum or a
maximum (store/history/write.py), so the tables do not depend on the order of files, copies and forks.

Mining: a scan records which sessions changed. In these, mine.py pairs each failed call with the changed call that then
worked. Episodes depend on one session only, candidates on all episodes.

Faults: a record that fails in our own code loses only its own rows. Its segment (store/history/sources.py) is retried
after 5 to 30 minutes, and given up after five attempts.
"""
