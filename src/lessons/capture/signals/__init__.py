"""The signals of a mistake: one file for each way in which the call that worked differs from the one that failed."""
