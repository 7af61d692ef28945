"""Games and figures in a form that a person enjoys looking at."""
