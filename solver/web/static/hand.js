// The rack, and the word that is laid down from it.

import { fill, h, tile } from "../view/dom.js";
import { laidAsFar } from "./game.js";
import { sorted, without } from "./rules.js";
import { fly } from "./motion.js";
import { id, refill } from "./page.js";

// the tiles of the rack in the order of the alphabet: { letter, at: the place in the row where it was just drawn, or
// null, side }
function rackTiles(play) {
  const { start, leave } = play.game.at();
  const { left, right, end } = play.draw;
  const drawn = (letters, from, side) => [...letters].map((letter, number) => ({ letter, at: from + number, side }));
  const kept = [...leave].map((letter) => ({ letter, at: null, side: "kept" }));
  const tiles = [...kept, ...drawn(left, start, "left"), ...drawn(right, end, "right")];
  return tiles.sort((one, other) => one.letter.localeCompare(other.letter) || (one.at ?? -1) - (other.at ?? -1));
}

// Show rack and word of a `Play`. from: rectangles that tiles come from, by their place in the row
export function showHand(play, from = new Map()) {
  const tiles = laidAsFar(play.word, play.rack, play.forced);
  showRack(play, tiles, from);
  showWord(play, tiles);
  const waits = play.word.includes("?");
  const missing = new Set([...play.word.toUpperCase()].filter((_, place) => tiles[place] === "!"));
  const complete = play.word !== "" && !waits && !missing.size;
  if (missing.size) play.tell(`The rack has no ${[...missing].join(", no ")} left, and no blank for it.`, true);
  id("lay").textContent = complete ? `Play for ${play.game.points(tiles)}` : "Play";
  id("lay").disabled = !complete;
  id("clear").disabled = !play.word;
  showLetters(play, waits);
}

// the sheet from which the letter of a blank is chosen; a tap outside takes the blank back
function showLetters(play, waits) {
  const sheet = id("letters");
  sheet.hidden = !waits;
  if (!waits || sheet.children.length) return;
  const button = (letter) => h("button", { type: "button", onclick: () => play.type(letter) }, letter.toUpperCase());
  const back = h("button", { type: "button", onclick: () => play.remove(play.word.indexOf("?")) }, "Take it back");
  fill(sheet, h("p", "Which letter is the blank?", back), h("div", [..."abcdefghijklmnopqrstuvwxyz"].map(button)));
}

const TITLES = { kept: "kept from the turn before", left: "drawn from the left", right: "drawn from the right" };

function showRack(play, tiles, from) {
  let used = tiles;
  const rack = rackTiles(play).map(({ letter, at, side }, place) => {
    const gone = used.includes(letter);
    if (gone) used = without(used, letter);
    return tile(letter, play.game.value(letter), "button", {
      type: "button",
      "data-key": place,
      "data-letter": letter,
      "data-at": at,
      class: `${side}${gone ? " gone" : ""}`,
      disabled: gone,
      title: TITLES[side],
      onclick: () => play.take(letter),
    });
  });
  const size = Math.max(play.game.puzzle.rack, 1);
  id("board").style.setProperty("--rack", String(size));
  id("word").style.setProperty("--n", String(Math.max(play.word.length, 7)));
  refill(id("rack"), rack.length ? rack : h("p", "The rack is empty."));
  for (const item of id("rack").querySelectorAll("[data-at]")) {
    const before = from.get(Number(item.dataset.at));
    if (before) fly(item, before);
  }
}

function showWord(play, tiles) {
  const before = id("word").querySelectorAll(".laid").length;
  const laid = [...play.word].map((letter, place) => laidTile(play, letter, tiles[place], place));
  const invited = play.rack ? h("p.hint", "Tap the tiles of your rack, or type a word.") : null;
  refill(id("word"), laid.length ? laid : invited);
  if (laid.length !== before + 1) return;
  // the letter just laid comes from the rack
  const letter = tiles.at(-1);
  const source = [...id("rack").querySelectorAll(".gone")].filter((item) => item.dataset.letter === letter).at(-1);
  if (source) fly(laid.at(-1).firstElementChild, source.getBoundingClientRect());
}

const KINDS = { "?": "blank", "!": "missing" };

// a tile of the word, with what it scores: its place times its value
function laidTile(play, letter, is, place) {
  const value = play.game.value(is);
  const isBlank = is === "?" && letter !== "?";
  const how = isBlank ? " by a blank" : is === "!" ? ", not on the rack" : "";
  const name = letter === "?" ? "blank, no letter yet" : `${letter}${how}, ${(place + 1) * value} points`;
  const remove = {
    type: "button",
    "data-key": place,
    "aria-label": `${name}: take it back`,
    onclick: () => play.remove(place),
  };
  const points = value ? `${place + 1}×${value}` : "0";
  return h(
    "div.laid",
    h(
      "button",
      { ...remove, class: `tile ${KINDS[is] ?? ""}` },
      h("span.letter", letter.toUpperCase()),
      h("span.points", points),
    ),
    play.canSwap(place) && swapButton(play, letter, is, place),
  );
}

function swapButton(play, letter, is, place) {
  const name = `${letter}: ${is === "?" ? "use the letter's own tile" : "use a blank"}`;
  const swap = {
    type: "button",
    "data-key": `swap-${place}`,
    "aria-label": name,
    title: name,
    onclick: () => play.swap(place),
  };
  return h("button.swap", swap, is === "?" ? letter.toUpperCase() : "?");
}

export const spoken = (tiles) => [...sorted(tiles)].map((letter) => (letter === "?" ? "blank" : letter)).join(" ");
