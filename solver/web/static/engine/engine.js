// The page's own engine, behind the interface of ../api.js: it needs no server. One worker answers questions, another
// one searches.

import { Lost, Refused } from "../failures.js";
import { puzzles } from "./data.js";
import * as asking from "./puzzles.js";

class Remote {
  #worker = null;
  #waiting = new Map(); // by id: the handler of messages
  #last = 0;

  // post a message, and call `handle` with each one that answers it until it returns true; returns the id
  post(message, handle) {
    this.#worker ??= this.#started();
    const id = ++this.#last;
    this.#waiting.set(id, handle);
    this.#worker.postMessage({ id, ...message });
    return id;
  }

  stop(id) {
    this.#worker?.postMessage({ id, stop: true });
  }

  #started() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      if (this.#waiting.get(data.id)?.(data)) this.#waiting.delete(data.id);
    });
    worker.addEventListener("error", (event) => {
      // the next question starts another worker
      this.#worker = null;
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const handle of waiting) handle({ error: { message: event.message || "it could not be loaded" } });
    });
    return worker;
  }
}

const desk = new Remote();
const searcher = new Remote();

const errorOf = ({ message, isRefused }) =>
  isRefused ? new Refused(message) : new Lost(`The page's engine does not answer: ${message}. Nothing is lost.`);

// what failed for want of a connection is tried again
addEventListener("online", () => document.dispatchEvent(new Event("online-again")));

const ask =
  (question) =>
  (...values) =>
    new Promise((resolve, reject) => {
      desk.post({ question, values }, ({ answer, error }) => {
        if (error) reject(errorOf(error));
        else resolve(answer);
        return true;
      });
    });

export async function puzzleOf(asked) {
  const data = await puzzles().catch((error) => {
    throw errorOf(error);
  });
  return asking.puzzleOf(data, asked);
}

// the functions of `Desk`
export const positionOf = ask("positionOf");
export const playsOf = ask("playsOf");
export const verdictsOn = ask("verdictsOn");
export const shown = ask("shown");
export const gameAs = ask("gameAs");
export const recordBook = ask("recordBook");
export const judged =
  "Paste an answer, one turn in each line; or drop files here. For comments and pages of answers use rowdraw verify.";

export const strategies = [
  ["widening", "Wider and wider beams"],
  ["beam:width=200", "A beam of width 200"],
  ["beam", "A beam of width 2,000"],
  ["greedy", "Greedy: the best play of each turn"],
];

export function search(kind, asked, lines, onEvent, signal, settings = {}) {
  return new Promise((resolve, reject) => {
    const id = searcher.post({ search: { kind, asked, lines, settings } }, ({ event, error }) => {
      if (error) reject(errorOf(error));
      else if (!signal?.aborted) onEvent(event);
      if (event?.event === "done") resolve();
      return error || event.event === "done";
    });
    signal?.addEventListener("abort", () => {
      searcher.stop(id);
      reject(new DOMException("the search was stopped", "AbortError"));
    });
  });
}
