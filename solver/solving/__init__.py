"""One run, composed: strategies by name, warm-up, search, refinement, bound, the referee's confirmation, the result."""
