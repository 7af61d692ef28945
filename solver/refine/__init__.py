"""Refinement: OR-Tools finds better plays for some turns of a finished solution."""
