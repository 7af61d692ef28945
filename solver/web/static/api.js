// Requests to the server; a lost connection is told, and mended as soon as it can be.

import { id } from "./page.js";

export class Refused extends Error {}

let lost = null;

function offline(is) {
  id("offline").hidden = !is;
  if (is && lost === null) {
    lost = setInterval(() => ask("records", {}).catch(() => {}), 2000);
  } else if (!is && lost !== null) {
    clearInterval(lost);
    lost = null;
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
  const told = await answer.json().catch(() => ({ error: `the server answered ${answer.status}` }));
  if (told.error) throw new Refused(told.error);
  return told;
}

export const ask = (path, body) => send(path, body);

// A search: calls `told` with every event until it is over or `signal` ends it.
export async function search(body, told, signal) {
  const answer = await send("search", body, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value;
      const events = text.split("\n\n");
      text = events.pop();
      for (const event of events) {
        const found = JSON.parse(event.replace(/^data: /, ""));
        if (found.event === "error") throw new Refused(found.message);
        told(found);
      }
    }
  } catch (error) {
    if (error instanceof Refused || error.name === "AbortError") throw error;
    offline(true);
    throw error;
  }
}

// Runs one search at a time: a new one ends the one before.
export class Searcher {
  #end = null;

  async run(body, told) {
    this.stop();
    const end = (this.#end = new AbortController());
    try {
      await search(body, (event) => !end.signal.aborted && told(event), end.signal);
      return !end.signal.aborted;
    } catch (error) {
      if (error.name === "AbortError" || end.signal.aborted) return false;
      if (error instanceof Refused) throw error;
      return false;
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
