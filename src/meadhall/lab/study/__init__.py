"""Ready studies: what players and designers ask, answered by many games, as a page with figures and tables of data."""
