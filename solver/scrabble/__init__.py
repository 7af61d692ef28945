"""A Scrabble table for two to four people at one keyboard."""
