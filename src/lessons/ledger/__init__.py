"""Composes stages: folds the hook's log into the history and judges what came of each opportunity of a lesson."""
