"""Refinement: better plays for some turns of a finished solution, found by OR-Tools while the other plays stay."""
