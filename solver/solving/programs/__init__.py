"""Programs in any language as strategies: started, read, judged and killed."""
