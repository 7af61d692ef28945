// The game on the page: the position that the server returned, who has seen it, and what the browser keeps.

import { request } from "../requests.js";
import { isTable } from "../schema.js";
import { read, write } from "../store.js";

const KEPT = "rowdraw-scrabble";
const BEFORE = "rowdraw-scrabble-before";

export class Table {
  // changed: called with whether there is a new position; it then calls `keep`
  constructor(changed) {
    this.changed = changed;
    this.position = null;
    this.seen = 0; // the number of events that the player on turn has seen; -1: no player has looked yet
    this.busy = "";
    addEventListener("storage", (event) => event.key === KEPT && !this.busy && this.restore());
  }

  get humans() {
    return this.position.players.filter((player) => !player.bot).length;
  }

  get player() {
    return this.position.players[this.position.turn];
  }

  // over; wait: for the bot; cover: the next player has not looked yet; accept: the last play stands or is challenged;
  // move
  get stage() {
    const { phase, events } = this.position;
    if (phase === "over") return "over";
    if (this.player.bot) return "wait";
    if (events.length > this.seen && this.humans > 1) return "cover";
    return phase === "move" ? "move" : "accept";
  }

  get canUndo() {
    const { events } = this.position;
    // of a game against the bot, the bot's reply is taken back, too
    if (this.humans === 1) return this.stage === "move" && events.length > 0;
    return this.stage === "cover" && this.seen >= 0 && events.length > this.seen;
  }

  // one request at a time; `what` is shown while it runs
  async request(what, path, fields, seen) {
    if (this.busy) return false;
    this.busy = what;
    this.changed();
    try {
      let answer = await request(`board/${path}`, fields);
      // the first time, the bot reads its words
      while (answer.stage) {
        this.busy = `${what} First: ${answer.stage}.`;
        this.changed();
        answer = await request(`board/${path}`, fields);
      }
      this.position = answer;
      this.seen = seen(answer);
    } finally {
      this.busy = "";
    }
    this.changed(true);
    await this.reply();
    return true;
  }

  // what needs no decision of a person: the bot's move, and the end of a game against it, which plays only words
  async reply() {
    const { player, position, humans, stage } = this;
    const { game } = position;
    const seen = (answer) => answer.events.length;
    if (stage === "wait") await this.request(`${player.name} is thinking …`, "bot", { game }, seen);
    else if (stage === "accept" && humans === 1 && position.players.length > 1)
      await this.request("…", "move", { game, kind: "count" }, seen);
  }

  async start(names, tiles, against) {
    const kept = keptIn(KEPT);
    const started = await this.request("Dealing …", "start", { names, tiles, against }, () =>
      names.length > 1 ? -1 : 0,
    );
    if (started && kept) write(BEFORE, kept);
  }

  move(kind, fields = {}) {
    // a challenge and the end are seen by the player on turn; any other move only by its player
    const ofTurn = kind === "challenge" || kind === "count";
    const before = this.position.events.length;
    return this.request("…", "move", { game: this.position.game, kind, ...fields }, (answer) =>
      ofTurn ? answer.events.length : before,
    );
  }

  undo() {
    return this.request("…", "undo", { game: this.position.game }, (answer) => answer.events.length);
  }

  // the next player looks
  reveal() {
    const { phase, events } = this.position;
    if (phase === "count") return this.move("count");
    this.seen = events.length;
    this.changed(true);
    return true;
  }

  // a saved game; its tiles are covered where several people play
  async open(game) {
    const kept = keptIn(KEPT);
    const opened = await this.request("Opening …", "view", { game }, (answer) =>
      answer.players.some((player) => player.bot) ? answer.events.length : -1,
    );
    if (opened && kept && kept.game !== game) write(BEFORE, kept);
  }

  get before() {
    return keptIn(BEFORE);
  }

  async swap() {
    const [now, before] = [keptIn(KEPT), keptIn(BEFORE)];
    if (!before) return;
    write(KEPT, before);
    await this.restore();
    if (now) write(BEFORE, now);
  }

  // the game of the last visit with the tiles laid then; return whether the browser has one
  async restore() {
    const kept = keptIn(KEPT);
    if (!kept) return false;
    this.kept = kept;
    await this.request("Opening …", "view", { game: kept.game }, () => kept.seen);
    return true;
  }

  // laid: the tiles on the board until the play is made; tiles: the order of the rack
  keep({ laid = [], tiles = "" }) {
    if (this.position) write(KEPT, { game: this.position.game, seen: this.seen, laid, tiles });
  }
}

function keptIn(slot) {
  const kept = read(slot);
  return isTable(kept) ? kept : null;
}
