// Buttons, a slider and keys that step through a game.

import { button, h } from "./dom.js";

export class Steps {
  // unit: what a step is called; last: the number of steps; go: called with a step; keys: the element whose arrow keys
  // step
  constructor(unit, last, go, { keys, prefix = "" }) {
    this.unit = unit;
    const title = unit[0].toUpperCase() + unit.slice(1);
    this.last = last;
    this.at = 0;
    this.slider = h("input", {
      type: "range",
      id: `${prefix}turn`,
      min: "1",
      max: String(last),
      step: "1",
      "aria-label": title,
      oninput: () => go(Number(this.slider.value)),
    });
    this.which = h("output", { id: `${prefix}which`, for: `${prefix}turn`, "aria-live": "polite" });
    const step = (name, label, by, sign) =>
      button(sign, () => go(this.at + by), { id: prefix + name, "data-do": name, "aria-label": `${label} ${unit}` });
    this.back = step("back", "Previous", -1, "◀");
    this.next = step("next", "Next", 1, "▶");
    this.root = h(
      "div",
      { class: "controls", role: "group", "aria-label": `${title}s` },
      this.back,
      this.next,
      this.which,
      this.slider,
    );
    keys.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("[role=tablist], textarea"))
        return;
      event.preventDefault();
      go(this.at + by);
    });
  }

  // go to the nearest step that exists; return whether it is the one after the last shown
  take(step) {
    const next = Math.max(Math.min(1, this.last), Math.min(this.last, step));
    const moving = next === this.at + 1 && this.at > 0;
    this.at = next;
    this.slider.value = String(next);
    // a disabled button would keep the keys to itself
    const end = (step, isEnd) => {
      if (isEnd && step === document.activeElement) this.slider.focus();
      step.disabled = isEnd;
    };
    end(this.back, next <= 1);
    end(this.next, next >= this.last);
    this.which.textContent = this.last ? `${this.unit} ${next} of ${this.last}` : `no ${this.unit}s`;
    this.slider.setAttribute("aria-valuetext", this.which.textContent);
    return moving;
  }
}
