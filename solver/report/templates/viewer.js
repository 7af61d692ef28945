"use strict";
(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const hue = (turn) => ((turn - 1) * 137.5) % 360;

  function element(name, properties, ...children) {
    const made = document.createElement(name);
    Object.assign(made, properties);
    made.append(...children);
    return made;
  }

  /* a tile as a list item; `drawn` is [turn, side] once somebody drew it */
  function tile(game, place, drawn, note) {
    const letter = game.row[place];
    const item = element("li", { className: "tile", textContent: letter });
    const spoken = letter === "?" ? "blank" : letter;
    item.dataset.place = place;
    if (drawn) {
      item.classList.add("drawn", drawn[1]);
      item.style.setProperty("--h", hue(drawn[0]));
      item.append(element("small", { textContent: drawn[0], ariaHidden: "true" }));
    }
    item.setAttribute("aria-label", `${spoken}, value ${game.values[place]}${note}`);
    return item;
  }

  function playedTile(played, drawn) {
    const box = element("span", { className: "tile", textContent: played.letter });
    if (played.place === null) box.classList.add("phantom");
    else {
      box.classList.add("drawn");
      box.style.setProperty("--h", hue(drawn.get(played.place)[0]));
    }
    if (played.tile === "?") box.append(element("small", { textContent: "?" }));
    const sum = `${played.position} × ${played.value}`;
    const points = played.position * played.value;
    const item = element("li", {}, box, element("span", { textContent: sum }), element("strong", { textContent: points }));
    const blank = played.tile === "?" ? " as a blank" : "";
    const missing = played.place === null ? ", not on the rack" : "";
    item.setAttribute("aria-label", `${played.letter}${blank}${missing}: position ${played.position} times value ${played.value} is ${points}`);
    return item;
  }

  class View {
    constructor(root, game, go) {
      this.root = root;
      this.go = go;
      this.game = game;
      this.drawn = new Map();
      game.turns.forEach((turn, i) => {
        for (const side of ["left", "right"]) for (const place of turn[side]) this.drawn.set(place, [i + 1, side]);
      });
      this.drawChart();
      for (const line of root.querySelectorAll("tr[data-turn]")) line.addEventListener("click", () => this.go(Number(line.dataset.turn)));
    }

    part(name) {
      return this.root.querySelector(`[data-part=${name}]`);
    }

    show(step, moving) {
      const turn = this.game.turns[Math.min(step, this.game.turns.length) - 1];
      const reached = Math.min(step, this.game.turns.length);
      const from = new Map([...this.part("row").children].map((item) => [Number(item.dataset.place), item.getBoundingClientRect()]));
      this.part("row").replaceChildren(...[...this.game.row].map((_, place) => this.rowTile(place, reached)));
      const rack = turn ? [...turn.held, ...turn.left, ...turn.right] : [];
      this.part("rack").replaceChildren(...rack.map((place) => this.rackTile(place, reached)));
      this.part("leave").replaceChildren(...(turn ? turn.leave : []).map((place) => this.rackTile(place, reached)));
      this.part("play").replaceChildren(...(turn ? turn.play : []).map((played) => playedTile(played, this.drawn)));
      const bonus = turn && turn.bonus ? `, ${turn.bonus} of them for a full rack` : "";
      this.part("sum").textContent = turn ? `${turn.word}: ${turn.score} points${bonus}, ${turn.total} in all` : "Nothing is drawn yet.";
      const faults = turn ? turn.violations : [];
      const told = (fault) => element("p", { textContent: `line ${fault.line}: ${fault.code}: ${fault.message}` });
      this.part("faults").replaceChildren(...faults.filter((fault) => fault.follows_from === null).map(told));
      this.showFollowing(faults.filter((fault) => fault.follows_from !== null), told);
      for (const marked of this.root.querySelectorAll("[data-turn]")) marked.classList.toggle("current", Number(marked.dataset.turn) === step);
      if (moving && turn && step === reached) this.fly(turn, from);
    }

    /* faults that are there only because of an earlier one are folded under its line */
    showFollowing(faults, told) {
      const folded = this.part("following");
      folded.hidden = faults.length === 0;
      const lines = [...new Set(faults.map((fault) => fault.follows_from))].join(", ");
      const many = `${faults.length} fault${faults.length === 1 ? " that follows" : "s that follow"} from line ${lines}`;
      folded.replaceChildren(element("summary", { textContent: many }), ...faults.map(told));
    }

    rowTile(place, reached) {
      const drawn = this.drawn.get(place);
      if (!drawn || drawn[0] > reached) return tile(this.game, place, undefined, ", in the row");
      const item = tile(this.game, place, drawn, `, drawn from the ${drawn[1]} in turn ${drawn[0]}`);
      item.classList.add(drawn[0] === reached ? "now" : "gone");
      return item;
    }

    rackTile(place, reached) {
      const drawn = this.drawn.get(place);
      return tile(this.game, place, drawn, drawn[0] === reached ? `, just drawn from the ${drawn[1]}` : ", held");
    }

    /* drawn tiles start where they lay in the row and fly to the rack */
    fly(turn, from) {
      const fresh = new Set([...turn.left, ...turn.right]);
      for (const item of this.part("rack").children) {
        const start = from.get(Number(item.dataset.place));
        if (!fresh.has(Number(item.dataset.place)) || !start || still.matches) continue;
        const end = item.getBoundingClientRect();
        item.animate(
          [{ transform: `translate(${start.x - end.x}px, ${start.y - end.y}px)`, zIndex: 1 }, { transform: "none", zIndex: 1 }],
          { duration: 450, easing: "ease-out" },
        );
      }
    }

    drawChart() {
      const space = "http://www.w3.org/2000/svg";
      const turns = this.game.turns;
      const high = Math.max(1, ...turns.map((turn) => turn.score));
      const all = Math.max(1, this.game.score);
      const width = 392 / Math.max(1, turns.length);
      const add = (name, attributes, text) => {
        const made = document.createElementNS(space, name);
        for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
        if (text !== undefined) made.textContent = text;
        this.part("chart").append(made);
        return made;
      };
      turns.forEach((turn, i) => {
        const height = (90 * turn.score) / high;
        const bar = add("rect", { x: 4 + i * width + 1, y: 110 - height, width: Math.max(1, width - 2), height, "data-turn": i + 1, style: `--h: ${hue(i + 1)}` });
        bar.addEventListener("click", () => this.go(i + 1));
        if (width > 14) add("text", { x: 4 + (i + 0.5) * width, y: 106 - height, "text-anchor": "middle" }, turn.score);
        if (width > 14) add("text", { x: 4 + (i + 0.5) * width, y: 122, "text-anchor": "middle" }, i + 1);
      });
      add("polyline", { points: turns.map((turn, i) => `${4 + (i + 0.5) * width},${110 - (100 * turn.total) / all}`).join(" ") });
    }
  }

  /* the controls and games of one viewer */
  function start(root) {
    const games = JSON.parse(root.querySelector(".games-data").textContent);
    const slider = root.querySelector("input[type=range]");
    const which = root.querySelector("output");
    const views = games.map((game, i) => new View(root.querySelector(`[data-game="${i}"]`), game, go));
    let at = 0;

    function go(step) {
      const target = Math.max(0, Math.min(Number(slider.max), step));
      const moving = target === at + 1;
      at = target;
      slider.value = at;
      const words = at === 0 ? "before the first turn" : `turn ${at} of ${slider.max}`;
      which.textContent = words;
      slider.setAttribute("aria-valuetext", words);
      for (const view of views) view.show(at, moving);
    }

    slider.addEventListener("input", () => go(Number(slider.value)));
    root.querySelector("[data-do=back]").addEventListener("click", () => go(at - 1));
    root.querySelector("[data-do=next]").addEventListener("click", () => go(at + 1));
    /* where the viewer is the whole page, the keys are its own wherever the focus is */
    (root.dataset.keys === "page" ? document : root).addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: Number(slider.max) };
      if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in steps)) return;
      event.preventDefault();
      go(steps[event.key]);
    });
    go(0);
  }

  /* a viewer that is folded away starts when it is opened */
  for (const root of document.querySelectorAll(".viewer")) {
    if (root.tagName === "DETAILS") root.addEventListener("toggle", () => start(root), { once: true });
    else start(root);
  }
})();
