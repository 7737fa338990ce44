"""Games by the million: batch simulation and what comes out of it."""
