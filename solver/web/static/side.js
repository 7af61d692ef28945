// The panels next to the row, and the searches whose games they show.

import { Game } from "./game.js";
import { Plays } from "./plays.js";
import { failure, id } from "./page.js";
import { fill, h } from "../view/dom.js";
import { review, stopReview } from "./review.js";
import { Searcher } from "./searcher.js";
import { showGames } from "./show.js";
import { showLosses, showTurns } from "./turns.js";

const PAUSE = 300; // milliseconds before a search begins, so that quick steps through a game start only one

export class Side {
  // startOver: begins the row again; isSealed: returns whether the best plays are not to be shown yet
  constructor(play, { startOver, isSealed }) {
    Object.assign(this, { play, startOver, isSealed });
    this.searcher = new Searcher();
    this.visit = 0; // the number of the position shown: answers for an earlier one are dropped
    this.done = new Set(); // searches that are complete
    this.plays = new Plays(play);
    this.whole = null; // the game with the turns that were taken back
    this.showing = "turns";
  }

  show(name) {
    this.showing = name;
    this.refresh();
  }

  // the page is hidden
  stop() {
    this.visit++;
    this.searcher.stop();
    stopReview();
  }

  // a position or another panel is shown
  refresh() {
    this.stop();
    const { game } = this.play;
    // Points lost goes on showing the turns that were taken back
    this.whole = new Game(game.puzzle, [...game.turns, ...game.undone.toReversed()]);
    this.update();
    if (document.hidden) return;
    const visit = this.visit;
    const isOn = () => visit === this.visit;
    this.look(isOn).catch((error) => isOn() && this.failed(error));
  }

  // more is known
  update() {
    const { known } = this.play;
    if (this.showing === "turns")
      showTurns(this.play, this.isSealed(), { step: () => this.step(), startOver: this.startOver });
    else if (this.isSealed())
      fill(id(`side-${this.showing}`), h("p", "The best plays of a daily row are shown once your game is over."));
    else if (this.showing === "plays") this.plays.update();
    else showLosses(this.whole, known, (number) => this.goBack(number));
  }

  failed(error) {
    id(`side-${this.showing}`).append(failure(error));
  }

  async look(isOn) {
    const { asked, game, known, isOver } = this.play;
    const isListed = this.showing === "plays" && !this.isSealed();
    if (isListed) await this.plays.show();
    await new Promise((done) => setTimeout(done, PAUSE));
    if (!isOn() || !game.puzzle.solvable) return;
    if (isListed && !isOver) await this.search("plays", game.lines());
    else await review(asked, known, this.whole);
    if (isOn() && known.bound === null) await this.search("bound", []);
  }

  async search(kind, lines) {
    const { asked, known } = this.play;
    const key = JSON.stringify([kind, asked, lines]);
    if (this.done.has(key)) return;
    const isDone = await this.searcher.run(kind, asked, lines, (event) => {
      if (event.event === "game") known.learn(event.turns);
      if (event.event === "bound") known.limit(event.bound);
    });
    if (isDone) this.done.add(key);
  }

  // the game so far, turn by turn
  step() {
    const { asked, game } = this.play;
    const whole = { name: "Your game", asked, lines: game.lines() };
    showGames([whole], (lines) => this.play.goTo(game.turns, lines.length, "Redo brings the later turns back."));
  }

  goBack(number) {
    const { turns } = this.whole;
    const { better } = this.play.known.losses(this.whole)[number];
    this.play.goTo(turns, number, "");
    this.play.suggest(better);
    this.play.tell(`Before turn ${number + 1}: this would have lost less. Redo brings your turns back.`);
  }
}
