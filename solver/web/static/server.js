// The engine behind the page where `rowdraw serve` runs: the page's own, and its server for verdicts, bounds, exact
// search and wide beams. For the interface see api.js.

import * as page from "./engine/engine.js";
import { Refused } from "./failures.js";
import { lost, request, send } from "./requests.js";

export const { puzzleOf, positionOf, playsOf, shown, gameAs, recordBook } = page;
export const judged = "Paste a comment, an answer, or a whole page of answers; or drop files here.";

export const strategies = [
  ["widening", "Wider and wider beams"],
  ["beam", "A beam of width 2,000"],
  ["beam:width=20000", "A beam of width 20,000"],
  ["exact", "Exact search, for short rows"],
  ["greedy", "Greedy: the best play of each turn"],
];

export async function verdictsOn(asked, text) {
  const body = { puzzle: asked, text };
  const verdicts = await request("judge", body);
  return verdicts.map((verdict, number) => ({ ...verdict, load: () => request("judged", { ...body, number }) }));
}

const SEARCHED_THERE = new Set(["bound", "solve"]);

export const search = (kind, ...rest) =>
  SEARCHED_THERE.has(kind) ? searchThere(kind, ...rest) : page.search(kind, ...rest);

async function searchThere(kind, asked, lines, onEvent, signal, settings = {}) {
  const answer = await send("search", { kind, puzzle: asked, turns: lines.join("\n"), ...settings }, signal);
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
