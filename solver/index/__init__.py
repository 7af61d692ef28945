"""The index of a lexicon, and the best plays of racks."""
