"""A game turn by turn: as text, as a picture, and in the forms of other programs."""
