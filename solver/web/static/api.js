// Requests to the server; a lost connection is told, and mended as soon as it can be.

import { id } from "./page.js";

export class Refused extends Error {}

// what a person is told of an error
export const messageOf = (error) => (error instanceof Refused ? error.message : "The server does not answer; nothing is lost.");

let retry = null; // the timer that asks again and again

function offline(is) {
  id("offline").hidden = !is;
  if (is && retry === null) {
    retry = setInterval(() => ask("records", {}).catch(() => {}), 2000);
  } else if (!is && retry !== null) {
    clearInterval(retry);
    retry = null;
    document.dispatchEvent(new Event("online-again"));
  }
}

async function send(path, body, signal) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name !== "AbortError") offline(true);
    throw error;
  }
  offline(false);
  if (answer.ok && answer.headers.get("content-type").startsWith("text/event-stream")) return answer;
  const fields = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (fields.error) throw new Refused(fields.error);
  return fields;
}

export const ask = (path, body) => send(path, body);

// A search: calls `onEvent` with every event until it is over or `signal` ends it.
export async function search(body, onEvent, signal) {
  const answer = await send("search", body, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
      // a search that ends without an end was cut off
      if (part.done) throw new Error("the connection was lost");
    } catch (error) {
      if (error.name !== "AbortError") offline(true);
      throw error;
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

// Runs one search at a time: a new one ends the one before.
export class Searcher {
  #end = null;

  // true once it is done, false where another one or `stop` ended it; throws what else ended it
  async run(body, onEvent) {
    this.stop();
    const end = (this.#end = new AbortController());
    try {
      await search(body, (event) => !end.signal.aborted && onEvent(event), end.signal);
      return !end.signal.aborted;
    } catch (error) {
      if (end.signal.aborted) return false;
      throw error;
    } finally {
      if (this.#end === end) this.#end = null;
    }
  }

  stop() {
    this.#end?.abort();
    this.#end = null;
  }

  get running() {
    return this.#end !== null;
  }
}
