"""Scrabble for two to four people at one keyboard."""
