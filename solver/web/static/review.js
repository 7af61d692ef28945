// The review of a game: the best continuation of each of its positions. What a turn lost is known once it is done.

import { Searcher } from "./searcher.js";

const searcher = new Searcher();

// Search the positions of a game that no search has covered yet, the last one first. Return whether all are known;
// another review, or `stopReview`, ends this one.
export async function review(asked, known, game) {
  const lines = game.lines();
  for (const count of known.unknown(game).toReversed()) {
    const games = [];
    const isDone = await searcher.run("reach", asked, lines.slice(0, count), ({ event, turns }) => {
      if (event !== "game") return;
      games.push(turns);
      known.learn(turns);
    });
    if (!isDone) return false;
    known.review(game, count, games);
  }
  return true;
}

export const stopReview = () => searcher.stop();
