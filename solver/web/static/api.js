// The engine behind the page: the server of `rowdraw serve`. All that the page asks goes through the functions of this module,
// so that another engine can take its place. `asked` names a puzzle: { name }, { row }, { seed } or { own: true }; `lines` are
// the turns of a game as text, "6 s?l?mnized solemnized".

import { id } from "./page.js";

// a question that the engine answers with a message for the user
export class Refused extends Error {}

// the engine does not answer
export class Lost extends Error {}

// { asked, digest: of the puzzle and its words, name, row, rack, values, bonus, game: lines of the best known game, bound,
// solvable: whether it can be searched }
export const puzzleOf = (asked) => request("puzzle", { puzzle: asked });

// { turns: the legal lines before the first fault, faults: [{ line, message }], score: of the last turn, total, over }
export const positionOf = (asked, lines) => request("position", { puzzle: asked, turns: lines });

// the best plays of every draw: [{ left, rack, plays: [{ tiles, word, score, leave }] }]
export const playsOf = (asked, lines) => request("plays", { puzzle: asked, turns: lines });

// verdicts on the answers in a text: [{ asked, name, puzzle, valid, score, turns: lines, faults: [{ line, message, follows }] }]
export const verdictsOn = (asked, text) => request("judge", { puzzle: asked, text });

// answer `number` of a text, turn by turn, as `Game.as_dict` writes it
export const gameIn = (asked, text, number) => request("show", { puzzle: asked, text, number });

// a game as text in a form: text, reddit, markdown, json or svg
export const gameAs = async (asked, lines, form) => (await request("export", { puzzle: asked, turns: lines, form })).text;

// [{ puzzle: its name, best, bound, turns: lines }]
export const recordBook = () => request("records", {});

// Run a search and call `onEvent` with each event until it is over or `signal` ends it. kind, and its events besides waiting,
// started and done:
//   reach: { event: "game", turns: lines, score }, games that continue the position
//   plays: the same, one game for each promising play of all draws
//   review: the same, for each position on the way to this one
//   bound: { event: "bound", bound }, perhaps with the best game
//   solve, with { strategy, seconds }: { event: "better", turns, score, seconds, bound }, and
//     { event: "progress", label, done, total, seconds, racks, score }
export async function search(kind, asked, lines, onEvent, signal, settings = {}) {
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

let retry = null; // the timer of retries while the server does not answer

function offline(is) {
  id("offline").hidden = !is;
  if (is && retry === null) {
    retry = setInterval(() => recordBook().catch(() => {}), 2000);
  } else if (!is && retry !== null) {
    clearInterval(retry);
    retry = null;
    document.dispatchEvent(new Event("online-again"));
  }
}

function lost(error) {
  if (error.name === "AbortError") return error;
  offline(true);
  return new Lost("The server does not answer; nothing is lost.");
}

async function send(path, body, signal) {
  let answer;
  try {
    answer = await fetch(`api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    throw lost(error);
  }
  offline(false);
  if (answer.ok && answer.headers.get("content-type").startsWith("text/event-stream")) return answer;
  const fields = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (fields.error) throw new Refused(fields.error);
  return fields;
}

export const request = (path, body) => send(path, body);
