"""The page in the browser, and its server: people play, analyse, solve and judge there."""
