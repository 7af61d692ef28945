"""Limits that the command line and the library share."""

MOST_THREADS = 256
MOST_ANSWERS = 1_000  # answers of a search, or plays of a rack
MOST_PLAYS = 1_000_000  # plays of a rack on a board
MOST_STATES = 10_000_000  # states in a layer of a bound's sweeps
MOST_DISTANCE = 100  # turns in which answers may have to differ
