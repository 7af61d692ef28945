// The game as text to copy, and the address that opens it.

import { gameAs } from "./api.js";
import { button, h } from "../view/dom.js";
import { dialog, messageOf } from "./page.js";
import { savePicture } from "./picture.js";
import { nameOf } from "./standing.js";

const FORMS = { Text: "text", Reddit: "reddit" };

// a text area, a status, and a function that shows a text there and copies it
function copying(rows, label) {
  const area = h("textarea", { rows, readonly: true, "aria-label": label });
  const status = h("p", { role: "status" });
  const copy = async (name, text) => {
    area.value = text;
    area.select();
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = `${name} copied.`;
    } catch {
      status.textContent = `${name} is selected: copy it with the keyboard.`;
    }
  };
  return [area, status, copy];
}

// hand a text to the system's own sheet, or show it to be copied
// isLate: whether the press that asked for it is too long ago for the system's sheet
export async function shareText(title, about, name, text, isLate = false) {
  if (!isLate && navigator.share && matchMedia("(pointer: coarse)").matches) {
    await navigator.share({ text }).catch(() => {});
    return;
  }
  const [area, status, copy] = copying("4", `${name} as text`);
  const again = button("Copy", () => copy(name, text));
  dialog(title, [h("p", about), area, h("div.fields", again), status]);
  copy(name, text);
}

export function share(play) {
  const [area, status, copy] = copying("9", "The game as text");
  const exported = async (name) => {
    try {
      await copy(name, await gameAs(play.asked, play.game.lines(), FORMS[name]));
    } catch (error) {
      status.textContent = messageOf(error);
    }
  };
  const picture = async () => {
    const wrong = await savePicture(play, nameOf(play.asked, play.game.puzzle));
    status.textContent = wrong || "The picture was saved.";
  };
  const disabled = !play.game.turns.length;
  const buttons = [
    button("Link", () => copy("Link", location.href)),
    Object.keys(FORMS).map((name) => button(name, () => exported(name), { disabled })),
    button("Picture", picture, { disabled }),
  ];
  const isOwn = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const where = isOwn ? " The link opens on this computer, as long as the server runs." : "";
  dialog("Share this game", [
    h("p", `Each button copies the game in that form, with every word; the last one saves a picture.${where}`),
    h("div.fields", buttons),
    area,
    status,
  ]);
  area.value = location.href;
}
