"""The one way to run: strategies by name, warm-up, search, refinement, and the result."""
