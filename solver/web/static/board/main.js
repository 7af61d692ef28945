// The Scrabble page: its parts, and what clicks and keys do.

import { download, id, messageOf, say } from "../page.js";
import { help, newGame, stepThrough, wrongWords } from "./dialogs.js";
import { Draft } from "./draft.js";
import { draggable } from "./drag.js";
import { written } from "./hand.js";
import { Table } from "./table.js";
import { headingOf, View } from "./view.js";

const table = new Table(changed);
const draft = new Draft(table, () => view.draw());
const view = new View(table, draft, actsOf);

function changed(isNew = false) {
  if (isNew) draft.begin();
  view.draw();
  if (!isNew) return;
  say([...table.position.messages, headingOf(table)].join(". "));
  focusTurn();
}

// to where keys go next; a dialog has the focus as long as it is open
function focusTurn() {
  if (!table.position || id("dialog").open) return;
  if (table.stage === "move") view.focusSquare();
  else id("actions").querySelector(".main")?.focus({ preventScroll: true });
}

async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    draft.tell(messageOf(error));
    if (!table.position) id("message").textContent = messageOf(error);
    return false;
  }
}

// the buttons under the rack: { key, text, run, disabled }; the coloured one has the key "main"
function actsOf() {
  const { canUndo, player, position, stage } = table;
  const { exchanging, hand, play } = draft;
  const move = (kind, fields) => () => attempt(() => table.move(kind, fields?.()));
  const main = (text, run, disabled) => ({ key: "main", text, run, disabled });
  const end = move("count");
  const isLaid = hand.order.length > 0;
  const undo = canUndo && !isLaid && { key: "undo", text: "Undo", run: () => attempt(() => table.undo()) };
  // the bot plays only words of its list
  const isAgainstBot = position.players.some((one) => one.bot);
  const challenge = position.challenge && !isAgainstBot && { key: "challenge", text: "Challenge", run: challengePlay };
  const cover = position.phase === "count" ? "End the game" : `${player.name}: show my rack`;
  const chosen = () => ({ tiles: written([...hand.chosen].map(({ tile }) => tile)) });
  const sets = {
    over: [
      main("New game", openNew),
      { key: "step", text: "Step through the game", run: () => stepThrough(position.game) },
    ],
    cover: [main(cover, () => attempt(() => table.reveal())), undo],
    // pressed only after the server did not answer
    wait: [main(`Let ${player.name} move`, () => attempt(() => table.reply()))],
    accept: [main("End the game", end), challenge],
    move: [
      main(
        play ? `Play for ${play.score}` : "Play",
        move("play", () => ({ laid: hand.laid() })),
        !isLaid,
      ),
      isLaid
        ? { key: "clear", text: "Clear", run: () => draft.clear() }
        : { key: "shuffle", text: "Shuffle", run: () => draft.shuffle() },
      { key: "exchange", text: "Exchange", run: () => draft.exchange(true), disabled: !position.exchange },
      { key: "pass", text: "Pass", run: move("pass") },
      undo,
      challenge,
      position.end && { key: "end", text: "End the game", run: end },
    ],
    exchange: [
      main(`Exchange ${hand.chosen.size || ""}`, move("exchange", chosen), !hand.chosen.size),
      { key: "cancel", text: "Cancel", run: () => draft.exchange(false) },
    ],
  };
  return sets[exchanging ? "exchange" : stage].filter(Boolean);
}

// do what the button of a key does; false if there is none
function press(key) {
  const act = table.position && !table.busy && actsOf().find((one) => one.key === key);
  if (!act || act.disabled) return false;
  act.run();
  return true;
}

async function challengePlay() {
  const { judged, challenged } = table.position;
  const wrong = judged ? [] : await wrongWords(challenged);
  if (wrong) attempt(() => table.move("challenge", { wrong }));
}

function openNew() {
  const swap = () => attempt(() => table.swap());
  newGame((...chosen) => table.start(...chosen), table.before !== null, swap);
}

function save() {
  if (!table.position) return;
  const name = table.position.players.map((player) => player.nick.replace(/[^\p{L}\p{N}_-]/gu, "_")).join("-");
  download(`${name}.gcg`, new Blob([table.position.game], { type: "text/plain" }));
}

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function onKey(event) {
  if (!table.position || id("dialog").open || event.target.closest("input, select, textarea")) return;
  const isCommand = event.ctrlKey || event.metaKey;
  const isUndo = isCommand && event.key.toLowerCase() === "z" && table.canUndo;
  if (isUndo) attempt(() => table.undo());
  else if (isCommand || event.altKey || !act(event)) return;
  event.preventDefault();
}

// return whether the key did something
function act(event) {
  const { key } = event;
  const onSquare = event.target.closest(".square");
  const letter = key === "." ? "?" : key.toUpperCase();
  const isTile = key === "." || letter in table.position.values;
  const goOn = () => view.focusSquare();
  if (key === "Enter") {
    if (event.target.closest("button, a")) return false;
    if (!event.repeat) press("main");
  } else if (key === "?") help();
  else if (key === "!") return table.stage !== "cover" && press("challenge");
  else if (draft.exchanging && key === "Escape") draft.exchange(false);
  else if (draft.exchanging && isTile) draft.type(letter).then(goOn);
  else if (!draft.isMoving) return false;
  else if (key in ARROWS) {
    draft.step(...(draft.way || onSquare ? ARROWS[key] : [0, 0]));
    goOn();
  } else if (key === " " && onSquare) draft.tapSquare(draft.focus).then(goOn);
  else if (isTile) draft.type(letter).then(goOn);
  else if (key === "Backspace" && draft.hand.order.length) {
    draft.takeLastBack();
    goOn();
  } else if (key === "Escape") draft.clear();
  else if (key === "-") draft.exchange(true);
  else return false;
  return true;
}

const placeOf = ({ dataset }) => [Number(dataset.row), Number(dataset.column)];
const tileOf = (element) =>
  element?.closest("#rack") ? draft.hand.tiles[Number(element.dataset.tile)] : draft.hand.at(...placeOf(element));

function drop(tile, target) {
  if (!draft.isMoving) return;
  const square = target?.closest(".square");
  if (square) draft.lay(tile, placeOf(square), tile.at ? tile.letter : tile.tile);
  else {
    const other = target?.closest("#rack [data-tile]");
    draft.putBack(tile, other && tileOf(other));
  }
}

// call `act` with the element in `root` that was clicked
const onClick = (root, selector, act) =>
  id(root).addEventListener("click", ({ target }) => {
    const found = target.closest(selector);
    if (found && table.position) act(found);
  });

onClick("board", ".square", (square) => draft.tapSquare(placeOf(square)));
onClick("rack", "[data-tile]", (element) => draft.tapRack(tileOf(element)));
id("new").addEventListener("click", openNew);
id("save").addEventListener("click", save);
id("open").addEventListener("click", () => id("file").click());
id("file").addEventListener("change", async () => {
  const [file] = id("file").files;
  if (file) attempt(async () => table.open(await file.text()));
  id("file").value = "";
});
id("help").addEventListener("click", help);
id("dialog").addEventListener("close", focusTurn);
document.addEventListener("keydown", onKey);
draggable([id("rack"), id("board")], (element) => (draft.isMoving ? tileOf(element) : null), drop);

async function begin() {
  if ((await attempt(() => table.restore())) === false && !table.position && !draft.notice[1]) openNew();
}
document.addEventListener("online-again", () => (table.position ? view.draw() : begin()));
begin();
