"""Tables: a match with people and bots on its seats, as a header and a log of entries."""
