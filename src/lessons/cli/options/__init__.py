"""Options and argument types that several verbs share."""
