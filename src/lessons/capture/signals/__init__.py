"""The signals of a mistake: one file per way in which the call that worked differs from the failed one."""
