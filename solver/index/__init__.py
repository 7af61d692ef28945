"""The indexes of a lexicon, and the best plays of racks found with them."""
