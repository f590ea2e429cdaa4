"""Review findings → recurring patterns → candidates; checks over files; alerts."""
