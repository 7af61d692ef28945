"""The table in the browser: a server for one page, on which a row is played, analysed, solved, and answers are judged."""
