// The game as text for elsewhere.

import { dialog, h, say } from "./dom.js";

export function share(play) {
  const { game } = play;
  const { puzzle } = game;
  const header = puzzle.bundled ? `# puzzle ${puzzle.bundled}` : `# row ${puzzle.row}`;
  const text = [header, `# score ${game.score}`, ...game.lines()].join("\n") + "\n";
  const markdown = [...game.lines(), ""].map((line) => (line ? `    ${line}` : line)).join("\n") + `\n**${game.score} points** in ${game.turns.length} turns on ${puzzle.name}\n`;
  const json = JSON.stringify({ puzzle: puzzle.bundled ?? puzzle.name, row: puzzle.row, score: game.score, turns: game.turns }, null, 1) + "\n";
  const forms = { Link: location.href, Text: text, "Reddit markdown": markdown, JSON: json };
  const area = h("textarea", { rows: "9", readonly: true, "aria-label": "The game as text" });
  const told = h("p", { role: "status" });
  const show = (name) => {
    area.value = forms[name];
    area.select();
  };
  const buttons = Object.keys(forms).map((name) =>
    h("button", {
      type: "button",
      onclick: async () => {
        show(name);
        try {
          await navigator.clipboard.writeText(forms[name]);
          told.textContent = `${name} copied.`;
        } catch {
          told.textContent = `${name} is selected: copy it with the keyboard.`;
        }
        say(told.textContent);
      },
    }, name));
  dialog("Share this game", h("p", {}, "Choose a form: it is copied."), h("div", { class: "fields" }, buttons), area, told);
  show("Link");
}
