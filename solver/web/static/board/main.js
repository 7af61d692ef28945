// The Scrabble page: what is shown, and what clicks and keys do.

import { request } from "../requests.js";
import { ScrabbleBoard, keyOf } from "../../view/board.js";
import { fill, h, tile as tileOf } from "../../view/dom.js";
import { id, messageOf, refill, say } from "../page.js";
import { help, letterOf, newGame, stepThrough, wrongWords } from "./dialogs.js";
import { draggable } from "./drag.js";
import { Hand, tilesOf, written } from "./hand.js";
import { Table } from "./table.js";

let hand = new Hand();
let board = null;
let cursor = null; // { row, column, across }: where the next tile goes
let focus = [7, 7]; // the square that the Tab key reaches
let exchanging = false;
let notice = ["", false]; // the message, and whether it is about a fault
let play = null; // what the server says of the tiles laid: { place, score, words }
let previews = 0; // only the answer to the last request counts

const table = new Table(changed);

// --- what the server answers

function changed(isNew = false) {
  if (isNew) {
    const { position, stage, kept } = table;
    const keeps = kept?.game === position.game && stage === "move";
    const order = keeps && sorted(kept.tiles) === sorted(position.rack) ? kept.tiles : position.rack;
    hand = stage === "cover" || stage === "over" ? new Hand() : new Hand(order, keeps ? kept.laid : []);
    table.kept = null;
    table.keep({ laid: hand.laid(), tiles: hand.text });
    cursor = play = null;
    previews++; // an answer about the position before no longer counts
    exchanging = false;
    // the heading says that the game is over
    notice = [stage === "over" ? "" : position.messages.join(". "), false];
    if (!board) {
      board = new ScrabbleBoard(position.squares, position.values, true);
      fill(id("board"), board.root);
    }
    board.values = position.values;
    draw();
    say([...position.messages, heading()].join(". "));
    focusTurn();
    if (hand.order.length) laidChanged();
  } else draw();
}

// to where keys go next; a dialog has the focus as long as it is open
function focusTurn() {
  if (!table.position || id("dialog").open) return;
  if (table.stage === "move") focusSquare();
  else id("actions").querySelector(".main")?.focus({ preventScroll: true });
}

const sorted = (text) => written(tilesOf(text ?? "").sort());

async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    notice = [messageOf(error), true];
    if (table.position) draw();
    else id("message").textContent = notice[0];
    return false;
  }
}

// --- what is shown

function heading() {
  const { stage, player, position } = table;
  if (table.busy) return table.busy;
  if (stage === "over") return position.result;
  if (stage === "cover" || stage === "wait") return `${player.name} is next.`;
  if (stage === "accept")
    return `${player.name}: the game ends here${position.challenge ? ", unless you challenge the last play" : ""}.`;
  return exchanging ? `${player.name}: choose the tiles to exchange.` : `${player.name} to move.`;
}

function draw() {
  const { position } = table;
  if (!position) return;
  drawPlayers();
  drawBoard();
  drawRack();
  drawActions();
  const preview = play && !notice[0] ? `${play.place} ${play.words.join(", ")}: ${play.score} points` : "";
  fill(id("message"), h("strong", heading()), " ", h("span", { class: notice[1] ? "bad" : "" }, notice[0] || preview));
  const isOpen = table.stage !== "cover" && table.stage !== "over";
  fill(
    id("unseen"),
    isOpen && [
      h("h2", `Unseen: ${position.bag} in the bag, ${sum(position.unseen) - position.bag} on the other racks`),
      h(
        "p.pool",
        Object.entries(position.unseen).map(([kind, count]) =>
          h("span", kind, count > 1 && h("small", `×${count}`), " "),
        ),
      ),
    ],
  );
  const moves = position.events.map(({ player, text, score, total }) =>
    h(
      "li",
      `${position.players[player].name} ${text} `,
      h("span.points", `${score < 0 ? "−" : "+"}${Math.abs(score)}, ${total}`),
    ),
  );
  // the last one on top, in sight
  fill(id("moves"), moves.length > 0 && [h("h2", "Moves"), h("ol", { reversed: true }, moves.reverse())]);
}

const sum = (counts) => Object.values(counts).reduce((all, count) => all + count, 0);

function drawPlayers() {
  const { position } = table;
  fill(
    id("players"),
    position.players.map((player, at) =>
      h(
        "li",
        {
          class: at === position.turn && table.stage !== "over" ? "current" : "",
          "aria-current": at === position.turn ? "true" : null,
        },
        h("span", { class: "name", title: player.name }, player.name),
        h("span.left", player.rack ? player.rack : player.count < 7 && `${player.count} left`),
        h("strong", player.total),
      ),
    ),
  );
}

function drawBoard() {
  const tiles = new Map();
  for (const [row, column, tile] of table.position.grid) tiles.set(keyOf(row, column), { tile });
  for (const [row, column] of table.position.last)
    Object.assign(tiles.get(keyOf(row, column)), { kind: "fresh", spoken: "just laid" });
  for (const { at, letter } of hand.order)
    tiles.set(keyOf(...at), { tile: letter, kind: "mine", spoken: "not played yet" });
  if (cursor) {
    const key = keyOf(cursor.row, cursor.column);
    const way = cursor.across ? "across" : "down";
    const under = tiles.get(key) ?? {};
    tiles.set(key, {
      ...under,
      kind: `${under.kind ?? ""} cursor ${way}`,
      spoken: [under.spoken, way].filter(Boolean).join(", "),
    });
  }
  board.show(tiles);
  board.cells.flat().forEach((cell) => {
    const { row, column } = place(cell);
    cell.tabIndex = row === focus[0] && column === focus[1] ? 0 : -1;
    cell.toggleAttribute("data-tile", Boolean(hand.at(row, column)));
  });
}

const place = (cell) => ({ row: Number(cell.dataset.row), column: Number(cell.dataset.column) });

function drawRack() {
  const { stage, player, position } = table;
  if (stage === "over" || stage === "cover") id("rack").dataset.state = "";
  if (stage === "over") return fill(id("rack"));
  if (stage === "cover")
    return fill(
      id("rack"),
      Array.from({ length: player.count }, () => h("span", { class: "tile back", "aria-hidden": "true" })),
    );
  const chosen = (tile) => hand.chosen.has(tile);
  // an element that is replaced between the press and the release of a mouse button gets no click
  const state = JSON.stringify([
    position.events.length,
    hand.tiles.map((tile) => [tile.tile, tile.at === null, chosen(tile)]),
  ]);
  if (id("rack").dataset.state === state) return undefined;
  id("rack").dataset.state = state;
  return refill(
    id("rack"),
    hand.tiles.map(
      (tile, at) =>
        tile.at === null &&
        tileOf(tile.tile, position.values[tile.tile] ?? 0, "button", {
          type: "button",
          "data-tile": at,
          "data-key": `tile-${at}`,
          class: chosen(tile) ? "chosen" : "",
          "aria-pressed": String(chosen(tile)),
          onclick: () => tapRack(tile),
        }),
    ),
  );
}

function drawActions() {
  const { stage, player, position } = table;
  const button = (key, text, onclick, { main = false, disabled = false } = {}) =>
    h(
      "button",
      {
        type: "button",
        "data-key": key,
        class: main ? "main" : "",
        disabled: disabled || Boolean(table.busy),
        onclick,
      },
      text,
    );
  const laid = hand.order.length > 0;
  const undo = table.canUndo && !laid && button("undo", "Undo", () => attempt(() => table.undo()));
  // the bot plays only words of its list
  const isAgainstBot = position.players.some((one) => one.bot);
  const challenge = position.challenge && !isAgainstBot && button("challenge", "Challenge", challengePlay);
  const sets = {
    over: () => [
      button("main", "New game", openNew, { main: true }),
      button("step", "Step through the game", () => stepThrough(position.game)),
    ],
    cover: () => [
      button(
        "main",
        position.phase === "count" ? "End the game" : `${player.name}: show my rack`,
        () => attempt(() => table.reveal()),
        { main: true },
      ),
      undo,
    ],
    // pressed only after the server did not answer
    wait: () => [button("main", `Let ${player.name} move`, () => attempt(() => table.reply()), { main: true })],
    accept: () => [button("main", "End the game", () => attempt(() => table.move("count")), { main: true }), challenge],
    move: () => [
      button("main", play ? `Play for ${play.score}` : "Play", makePlay, { main: true, disabled: !laid }),
      laid ? button("clear", "Clear", clear) : button("shuffle", "Shuffle", shuffle),
      button("exchange", "Exchange", () => exchange(true), { disabled: !position.exchange }),
      button("pass", "Pass", () => attempt(() => table.move("pass"))),
      undo,
      challenge,
      position.end && button("end", "End the game", () => attempt(() => table.move("count"))),
    ],
    exchange: () => [
      button("main", hand.chosen.size ? `Exchange ${hand.chosen.size}` : "Exchange", makeExchange, {
        main: true,
        disabled: !hand.chosen.size,
      }),
      button("cancel", "Cancel", () => exchange(false)),
    ],
  };
  const mode = exchanging ? "exchange" : stage;
  const buttons = sets[mode]().filter(Boolean);
  const [state, shown] = [`${mode} ${position.events.length} ${buttons.map((one) => one.dataset.key)}`, id("actions")];
  // see drawRack
  if (shown.dataset.state === state) {
    buttons.forEach((one, at) =>
      Object.assign(shown.children[at], { disabled: one.disabled, textContent: one.textContent }),
    );
  } else refill(shown, buttons);
  shown.dataset.state = state;
}

// --- tiles

function rackChanged() {
  table.keep({ laid: hand.laid(), tiles: hand.text });
  draw();
}

async function laidChanged() {
  const number = ++previews;
  play = null;
  notice = ["", false];
  rackChanged();
  if (!hand.order.length) return;
  try {
    const answer = await request("board/preview", { game: table.position.game, laid: hand.laid() });
    if (number === previews) play = answer;
  } catch (error) {
    // the first tile is rarely a play
    if (number === previews && hand.order.length > 1) notice = [messageOf(error), false];
  }
  if (number === previews) draw();
}

const isFree = (row, column) =>
  row >= 0 &&
  row < board.cells.length &&
  column >= 0 &&
  column < board.cells.length &&
  !hand.at(row, column) &&
  !isTaken(row, column);
const isTaken = (row, column) => table.position.grid.some(([r, c]) => r === row && c === column);
const isMoving = () => table.stage === "move" && !exchanging && !table.busy;

async function lay(tile, row, column, letter = tile.tile) {
  if (!isFree(row, column)) return false;
  if (tile.tile === "?" && letter === "?") letter = await letterOf(Object.keys(table.position.values), false);
  if (!letter || !isMoving() || !hand.tiles.includes(tile) || !isFree(row, column)) return false;
  hand.lay(tile, row, column, letter);
  laidChanged();
  return true;
}

// lay a tile at the cursor, which goes on to the next free square
function layNext(tile, letter) {
  let { row, column, across } = cursor;
  while (!isFree(row, column) && row < board.cells.length && column < board.cells.length) across ? column++ : row++;
  if (!isFree(row, column)) return tell("The board ends here: choose another square.");
  const [atRow, atColumn] = [row, column];
  const advance = () => {
    do across ? column++ : row++;
    while (row < board.cells.length && column < board.cells.length && !isFree(row, column));
    if (isFree(row, column)) setCursor(row, column, across);
  };
  if (tile.tile !== "?" || letter) {
    lay(tile, atRow, atColumn, letter);
    advance();
    return draw();
  }
  return lay(tile, atRow, atColumn).then((done) => {
    if (!done) return;
    advance();
    draw();
  });
}

function setCursor(row, column, across) {
  cursor = { row, column, across };
  focus = [row, column];
}

function tell(text) {
  notice = [text, true];
  draw();
}

function tapRack(tile) {
  if (exchanging) return toggle(tile);
  if (!isMoving()) return undefined;
  if (cursor) return layNext(tile);
  const was = hand.chosen.has(tile);
  hand.chosen.clear();
  if (!was) hand.chosen.add(tile);
  return draw();
}

function toggle(tile) {
  if (!hand.chosen.delete(tile)) hand.chosen.add(tile);
  draw();
}

async function tapSquare(row, column) {
  if (!isMoving()) return;
  focus = [row, column];
  const laid = hand.at(row, column);
  const [chosen] = hand.chosen;
  if (laid) await takeOrChange(laid);
  else if (chosen && isFree(row, column)) await lay(chosen, row, column);
  else if (cursor?.row !== row || cursor.column !== column) setCursor(row, column, true);
  else if (cursor.across) cursor.across = false;
  else cursor = null;
  draw();
}

async function takeOrChange(tile) {
  if (tile.tile !== "?") hand.takeBack(tile);
  else {
    const letter = await letterOf(Object.keys(table.position.values), true);
    if (letter === null || !hand.order.includes(tile)) return;
    if (letter === "") hand.takeBack(tile);
    else tile.letter = letter.toLowerCase();
  }
  laidChanged();
}

function drop(tile, target) {
  if (!isMoving()) return;
  const square = target?.closest(".square");
  if (square) {
    const { row, column } = place(square);
    if (!isFree(row, column)) return;
    lay(tile, row, column, tile.at ? tile.letter : tile.tile);
    return;
  }
  const other = target?.closest("#rack [data-tile]");
  if (other || target?.closest("#rack")) hand.move(tile, other && hand.tiles[Number(other.dataset.tile)]);
  hand.takeBack(tile);
  laidChanged();
}

function shuffle() {
  hand.shuffle();
  rackChanged();
}

function clear() {
  hand.clear();
  laidChanged();
}

// --- moves

const makePlay = () => hand.order.length > 0 && attempt(() => table.move("play", { laid: hand.laid() }));

function exchange(on) {
  if (on && !table.position.exchange) return;
  hand.clear();
  exchanging = on;
  cursor = play = null;
  notice = ["", false];
  rackChanged();
}

const makeExchange = () =>
  hand.chosen.size > 0 &&
  attempt(() => table.move("exchange", { tiles: written([...hand.chosen].map(({ tile }) => tile)) }));

async function challengePlay() {
  const { judged, challenged } = table.position;
  const wrong = judged ? [] : await wrongWords(challenged);
  if (wrong) attempt(() => table.move("challenge", { wrong }));
}

function openNew() {
  newGame(
    (...chosen) => table.start(...chosen),
    table.before !== null,
    () => attempt(() => table.swap()),
  );
}

function save() {
  if (!table.position) return;
  const name = table.position.players.map((player) => player.nick.replace(/[^\p{L}\p{N}_-]/gu, "_")).join("-");
  const link = h("a", {
    href: URL.createObjectURL(new Blob([table.position.game], { type: "text/plain" })),
    download: `${name}.gcg`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// --- keys

function focusSquare() {
  board.cells[focus[0]][focus[1]].focus({ preventScroll: true });
}

function goTo(row, column, across) {
  const most = board.cells.length - 1;
  setCursor(Math.max(0, Math.min(most, row)), Math.max(0, Math.min(most, column)), across);
  draw();
  focusSquare();
}

function typed(letter) {
  if (exchanging) {
    const held = hand.tiles.filter(({ tile }) => tile === letter);
    const tile = held.find((one) => !hand.chosen.has(one)) ?? held[0];
    if (tile) toggle(tile);
    return;
  }
  const tile = hand.forLetter(letter);
  if (!tile) return tell(`The rack has no ${letter} and no blank.`);
  if (!cursor) setCursor(...focus, true);
  layNext(tile, letter === "?" ? undefined : letter);
  focusSquare();
}

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function onKey(event) {
  if (!table.position || id("dialog").open || event.target.closest("input, select, textarea")) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && table.canUndo) {
    attempt(() => table.undo());
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (act(event)) event.preventDefault();
}

// return whether the key did something
function act(event) {
  const onButton = event.target.closest("button, a");
  const onSquare = event.target.closest(".square");
  const letter = event.key.toUpperCase();
  if (event.key === "Enter" && !onButton) {
    if (!event.repeat) id("actions").querySelector(".main:not(:disabled)")?.click();
  } else if (event.key === "?") help();
  else if (event.key === "Escape" && exchanging) exchange(false);
  else if (event.key === "!" && id("actions").querySelector("[data-key=challenge]") && table.stage !== "cover")
    challengePlay();
  else if (exchanging && (letter in table.position.values || event.key === "."))
    typed(event.key === "." ? "?" : letter);
  else if (!isMoving()) return false;
  else if (event.key in ARROWS) {
    const [down, right] = ARROWS[event.key];
    const [row, column] = cursor || onSquare ? [focus[0] + down, focus[1] + right] : focus;
    goTo(row, column, cursor?.across ?? true);
  } else if (event.key === " " && onSquare) tapSquare(...focus).then(focusSquare);
  else if (letter in table.position.values) typed(letter);
  else if (event.key === ".") hand.find("?") ? typed("?") : tell("No blank is on the rack.");
  else if (event.key === "Backspace" && hand.order.length) back();
  else if (event.key === "Escape") clear();
  else if (event.key === "-") exchange(true);
  else return false;
  return true;
}

function back() {
  const last = hand.order.at(-1);
  goTo(...last.at, cursor?.across ?? true);
  hand.takeBack(last);
  laidChanged();
}

// --- start

id("board").addEventListener("click", (event) => {
  const square = event.target.closest(".square");
  if (square && table.position) {
    const { row, column } = place(square);
    tapSquare(row, column);
  }
});
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
draggable(
  [id("rack"), id("board")],
  (element) => {
    if (!isMoving()) return null;
    return element.closest("#rack")
      ? hand.tiles[Number(element.dataset.tile)]
      : hand.at(...Object.values(place(element)));
  },
  drop,
);

async function begin() {
  if ((await attempt(() => table.restore())) === false && !table.position && !notice[1]) openNew();
}
document.addEventListener("online-again", () => (table.position ? draw() : begin()));
begin();
