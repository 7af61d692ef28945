"""The indexes of a lexicon, and the best plays of racks that they give."""
