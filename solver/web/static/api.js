// Requests to the server. The page shows a lost connection and retries until the server answers.

import { id } from "./page.js";

export class Refused extends Error {}

// the message of an error for the user
export const messageOf = (error) => (error instanceof Refused ? error.message : "The server does not answer; nothing is lost.");

let retry = null; // the timer of retries

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

// Run a search: call `onEvent` with every event until the search is over or `signal` ends it.
export async function search(body, onEvent, signal) {
  const answer = await send("search", body, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
      // without a last event the search was interrupted
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

  // return true when it is done, false if another search or `stop` ended it; throw any other error
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
