// The engine behind the page where `rowdraw serve` runs: its server for the referee, bounds and long searches, and the page's own
// engine for plays and for the games that continue a position. For the interface see api.js.

import * as page from "./engine/engine.js";
import { Refused } from "./failures.js";
import { lost, request, send } from "./requests.js";

export const puzzleOf = (asked) => request("puzzle", { puzzle: asked });
export const positionOf = (asked, lines) => request("position", { puzzle: asked, turns: lines });
export const { playsOf } = page;
export const verdictsOn = (asked, text) => request("judge", { puzzle: asked, text });
export const gameIn = (asked, text, number) => request("show", { puzzle: asked, text, number });
export const gameAs = async (asked, lines, form) => (await request("export", { puzzle: asked, turns: lines, form })).text;
export const recordBook = () => request("records", {});

export const strategies = [
  ["widening", "Wider and wider beams"], ["beam", "A beam of width 2,000"], ["beam:width=20000", "A beam of width 20,000"],
  ["exact", "Exact search, for short rows"], ["greedy", "Greedy: the best play of each turn"],
];

const SEARCHED_HERE = new Set(["reach", "plays", "review"]);

export const search = (kind, ...rest) => (SEARCHED_HERE.has(kind) ? page.search(kind, ...rest) : searchThere(kind, ...rest));

async function searchThere(kind, asked, lines, onEvent, signal, settings = {}) {
  const answer = await send("search", { kind, puzzle: asked, turns: lines, ...settings }, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
      // without a last event the search was interrupted
      if (part.done) throw new Error("the connection was lost");
    } catch (error) {
      throw lost(error);
    }
    text += part.value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) {
      const found = JSON.parse(event.replace(/^data: /, ""));
      if (found.event === "error") throw new Refused(found.message);
      onEvent(found);
      if (found.event === "done") return;
    }
  }
}
