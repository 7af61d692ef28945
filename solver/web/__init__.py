"""The page in the browser, and its server: people play, analyse and solve a row there, and judge answers."""
