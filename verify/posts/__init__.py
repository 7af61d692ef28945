"""Posts, pages and tables as people write them, and the answers in them."""
