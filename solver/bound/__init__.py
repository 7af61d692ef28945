"""Upper bounds: how much any game of a puzzle can score at most."""
