// The engine behind the page where `rowdraw serve` runs: its server for the referee, bounds and long searches, and the page's own
// engine for plays and for the games that continue a position. For the interface see api.js.

import * as page from "./engine/engine.js";
import { Lost, Refused } from "./failures.js";
import { id } from "./page.js";

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

const request = (path, body) => send(path, body);
