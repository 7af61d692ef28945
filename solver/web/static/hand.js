// The rack, and the word that is laid down from it.

import { fill, h, tile } from "../view/dom.js";
import { laidAsFar, sorted, without } from "./game.js";
import { fly } from "./motion.js";
import { id, refill } from "./page.js";

const BLANK_LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

// the tiles of the rack in the order of the alphabet: { letter, at: the place in the row where it was just drawn, or null }
function rackTiles(play) {
  const { row } = play.game.puzzle;
  const { left, right, leave, wants } = play.game.hand();
  const end = row.length - right;
  const places = Array.from({ length: wants }, (_, number) => (number < play.left ? left + number : end - (wants - number)));
  const tiles = [...[...leave].map((letter) => ({ letter, at: null })), ...places.map((at) => ({ letter: row[at], at }))];
  return tiles.sort((one, other) => (one.letter < other.letter ? -1 : one.letter > other.letter ? 1 : (one.at ?? -1) - (other.at ?? -1)));
}

// Show rack and word of a `Play`. from: rectangles that tiles just drawn come from, by their place in the row
export function showHand(play, from = new Map()) {
  const tiles = laidAsFar(play.word, play.rack, play.forced);
  showRack(play, tiles, from);
  showWord(play, tiles);
  const waits = play.word.includes("?");
  const missing = [...play.word].filter((_, place) => tiles[place] === "!");
  const complete = play.word !== "" && !waits && !missing.length;
  if (missing.length) play.tell(`Neither ${missing.join(", ").toUpperCase()} nor a blank for it is left on the rack.`, true);
  id("lay").textContent = complete ? `Play for ${play.game.points(tiles)}` : "Play";
  id("lay").disabled = !complete;
  id("clear").disabled = !play.word;
  id("letters").hidden = !waits;
  if (waits && !id("letters").children.length) {
    fill(id("letters"), h("span", {}, "Which letter is the blank?"), BLANK_LETTERS.map((letter) =>
      h("button", { type: "button", onclick: () => play.type(letter) }, letter.toUpperCase())));
  }
}

function showRack(play, tiles, from) {
  let used = tiles;
  const rack = rackTiles(play).map(({ letter, at }, place) => {
    const gone = used.includes(letter);
    if (gone) used = without(used, letter);
    const item = tile(letter, play.game.value(letter), "button", {
      type: "button", "data-key": place, "data-letter": letter, class: `${gone ? "gone" : ""} ${at === null ? "kept" : ""}`, disabled: gone,
      title: at === null ? "kept from the turn before" : "drawn now", onclick: () => play.take(letter),
    });
    return { item, at };
  });
  id("rack").style.setProperty("--n", String(Math.max(play.game.puzzle.rack, 1)));
  id("word").style.setProperty("--n", String(Math.max(play.game.puzzle.rack, play.word.length, 1)));
  refill(id("rack"), rack.length ? rack.map(({ item }) => item) : h("p", {}, "The rack is empty."));
  for (const { item, at } of rack) if (from.has(at)) fly(item, from.get(at));
}

function showWord(play, tiles) {
  const before = id("word").querySelectorAll(".laid").length;
  const laid = [...play.word].map((letter, place) => laidTile(play, letter, tiles[place], place));
  const invited = play.rack ? h("p", { class: "hint" }, "Type a word, or tap the tiles of the rack.") : null;
  refill(id("word"), laid.length ? laid : invited);
  if (laid.length !== before + 1) return;
  // the letter just laid comes from the rack
  const letter = tiles.at(-1);
  const source = [...id("rack").querySelectorAll(".gone")].filter((item) => item.dataset.letter === letter).at(-1);
  if (source) fly(laid.at(-1).firstElementChild, source.getBoundingClientRect());
}

function laidTile(play, letter, is, place) {
  const value = play.game.value(is);
  const points = (place + 1) * value;
  const blank = is === "?" && letter !== "?";
  const name = letter === "?" ? "blank, no letter yet" : `${letter}${blank ? " by a blank" : is === "!" ? ", not on the rack" : ""}, ${points} points`;
  return h(
    "div",
    { class: "laid" },
    h(
      "button",
      { type: "button", "data-key": place, class: `tile ${{ "?": "blank", "!": "missing" }[is] ?? ""}`, "aria-label": `${name}: take it back`, onclick: () => play.remove(place) },
      h("span", { class: "letter" }, letter.toUpperCase()),
      h("sub", {}, value ? String(value) : blank ? "?" : ""),
    ),
    h("span", { class: "points", title: `place ${place + 1} times ${value}` }, String(points)),
    play.canSwap(place)
      ? h("button", { type: "button", class: "swap", "data-key": `swap-${place}`, "aria-label": `${letter}: ${is === "?" ? "use the letter's own tile" : "use a blank"}`, onclick: () => play.swap(place) }, is === "?" ? letter.toUpperCase() : "?")
      : null,
  );
}

export const spoken = (tiles) => [...sorted(tiles)].map((letter) => (letter === "?" ? "blank" : letter)).join(" ");
