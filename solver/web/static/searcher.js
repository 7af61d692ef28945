// One search at a time, whatever the engine.

import { search } from "./api.js";

export class Searcher {
  #end = null;

  // Start a search, which ends the one before. Return true when it is done, false if another search or `stop` ended it.
  async run(kind, asked, lines, onEvent, settings = {}) {
    this.stop();
    const end = (this.#end = new AbortController());
    try {
      await search(kind, asked, lines, (event) => !end.signal.aborted && onEvent(event), end.signal, settings);
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
