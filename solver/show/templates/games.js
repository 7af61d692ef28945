// Starts the games of a page. Where one viewer is the whole page, its keys work wherever the focus is, and the address names the turn.

function start(root) {
  const { games, analysis, scrabble } = JSON.parse(root.querySelector("script").textContent);
  const whole = root.dataset.keys === "page";
  const stage = root.querySelector(".stage-root");
  const keep = (turn) => {
    try {
      if (whole) history.replaceState(null, "", `#turn-${turn}`);
    } catch {
      // a browser may not allow it for files
    }
  };
  const asked = whole && /^#turn-(\d{1,6})$/.exec(location.hash);
  const options = { keys: whole ? document : root, moved: keep, prefix: root.dataset.prefix };
  const shownGames = scrabble ? new ScrabbleGame(stage, scrabble, options) : new Games(stage, games, { analysis, ...options });
  shownGames.go(asked ? Number(asked[1]) : 1);
  if (whole) addEventListener("hashchange", () => shownGames.go(Number(/^#turn-(\d{1,6})$/.exec(location.hash)?.[1] ?? 1)));
}

// a viewer that is folded away starts when it is opened
for (const root of document.querySelectorAll(".viewer")) {
  if (root.tagName === "DETAILS") root.addEventListener("toggle", () => start(root), { once: true });
  else start(root);
}
