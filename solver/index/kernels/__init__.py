"""Compiled code that builds the index of plays and finds the best plays of racks."""
