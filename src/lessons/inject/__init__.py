"""Stage 3: matches → text for the agent; all rules of when a lesson is shown."""
