// The rack, and the word that is laid down from it.

import { button, fill, h, tile } from "../view/dom.js";
import { laidAsFar } from "./game.js";
import { sorted, without } from "./rules.js";
import { fly } from "./motion.js";
import { id } from "./page.js";

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

// the sheet from which the letter of a blank is chosen
function showLetters(play, waits) {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) =>
    button(letter.toUpperCase(), () => play.type(letter)),
  );
  const back = button("Take it back", () => play.remove(play.word.indexOf("?")));
  id("letters").hidden = !waits;
  fill(id("letters"), h("p", "Which letter is the blank?", back), h("div", letters));
}

const TITLES = { kept: "kept from the turn before", left: "drawn from the left", right: "drawn from the right" };

function showRack(play, tiles, from) {
  let used = tiles;
  const rack = rackTiles(play).map(({ letter, at, side }) => {
    const gone = used.includes(letter);
    if (gone) used = without(used, letter);
    return tile(letter, play.game.value(letter), "button", {
      type: "button",
      "data-letter": letter,
      "data-at": at,
      class: `${side}${gone ? " gone" : ""}`,
      disabled: gone,
      title: TITLES[side],
      onclick: () => play.take(letter),
    });
  });
  id("board").style.setProperty("--rack", Math.max(play.game.puzzle.rack, 1));
  id("word").style.setProperty("--n", Math.max(play.word.length, 7));
  fill(id("rack"), rack.length ? rack : h("p", "The rack is empty."));
  for (const item of id("rack").querySelectorAll("[data-at]")) fly(item, from.get(Number(item.dataset.at)));
}

function showWord(play, tiles) {
  const before = id("word").querySelectorAll(".laid").length;
  const laid = [...play.word].map((letter, place) => laidTile(play, letter, tiles[place], place));
  const invited = play.rack && h("p.hint", "Tap the tiles of your rack, or type a word.");
  fill(id("word"), laid.length ? laid : invited);
  if (laid.length !== before + 1) return;
  // the letter just laid comes from the rack
  const source = [...id("rack").querySelectorAll(".gone")].findLast((item) => item.dataset.letter === tiles.at(-1));
  fly(id("word").querySelector(".laid:last-child .tile"), source?.getBoundingClientRect());
}

const KINDS = { "?": "blank", "!": "missing" };

// a tile of the word, with what it scores: its place times its value
function laidTile(play, letter, is, place) {
  const value = play.game.value(is);
  const isBlank = is === "?" && letter !== "?";
  const how = isBlank ? " by a blank" : is === "!" ? ", not on the rack" : "";
  const name = letter === "?" ? "blank, no letter yet" : `${letter}${how}, ${(place + 1) * value} points`;
  const points = value ? `${place + 1}×${value}` : "0";
  const shown = [h("span.letter", letter.toUpperCase()), h("span.points", points)];
  const look = { class: `tile ${KINDS[is] ?? ""}`, "aria-label": `${name}: take it back` };
  return h(
    "div.laid",
    button(shown, () => play.remove(place), look),
    play.canSwap(place) && swapButton(play, letter, is, place),
  );
}

function swapButton(play, letter, is, place) {
  const isBlank = is === "?";
  const title = `${letter}: ${isBlank ? "use the letter's own tile" : "use a blank"}`;
  const look = { class: "swap", "aria-label": title, title };
  return button(isBlank ? letter.toUpperCase() : "?", () => play.swap(place), look);
}

export const spoken = (tiles) => [...sorted(tiles)].map((letter) => (letter === "?" ? "blank" : letter)).join(" ");
