// The record book.

import { ask } from "./api.js";
import { fill, h, id } from "./dom.js";

export class Records {
  constructor(open) {
    this.open = open;
  }

  async show() {
    const records = await ask("records", {}).catch(() => null);
    if (!records) return;
    fill(
      id("view-records"),
      h("h2", {}, "The record book"),
      h("table", {},
        h("thead", {}, h("tr", {}, ["puzzle", "best known", "no game exceeds", ""].map((name) => h("th", {}, name)))),
        h("tbody", {}, records.map((record) =>
          h("tr", {},
            h("td", { class: "word" }, record.puzzle),
            h("td", {}, String(record.best)),
            h("td", {}, record.bound === null ? "" : String(record.bound)),
            h("td", {},
              h("button", { type: "button", "aria-label": `Play ${record.puzzle}`, onclick: () => this.open({ name: record.puzzle }, []) }, "Play"),
              h("button", { type: "button", "aria-label": `Show the best game of ${record.puzzle}`, onclick: () => this.open({ name: record.puzzle }, record.turns) }, "Show the game")))))),
    );
  }
}
