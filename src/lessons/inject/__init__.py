"""Stage 3: matches → words for the agent; every rule of when a lesson is shown."""
