"""The rules that people wrote for agents: which file, which sentence, what would break it, and how often that happened.

A sentence becomes a trigger only by a shape of the table in `shapes.py`. What fits no shape cannot be checked: it is
listed as such, and `lessons learn` may ask about it.
"""
