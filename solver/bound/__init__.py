"""Upper bounds on the score of any game of a puzzle."""
