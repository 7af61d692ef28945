"""What tiles are worth, learnt from good games: the prices under which a narrow beam keeps them."""
