"""The one way to run: strategies by name, warm-up, search, and the result."""
