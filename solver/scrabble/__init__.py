"""Scrabble: a game in progress, the bot that plays it, and games in text and for pages."""
