// The worker in which the page's engine computes. It takes
//   { id, question, values } and answers { id, answer } or { id, error }
//   { id, search: { kind, asked, lines, settings } } and sends { id, event } until one of done or error
//   { id, stop: true }

import { Refused } from "../failures.js";
import { file, once, puzzles } from "./data.js";
import { Desk } from "./desk.js";
import { inflated, Lexicon } from "./lexicon.js";
import { Run, search } from "./searches.js";

const runs = new Map(); // by id

const words = async (name) => new Lexicon(await inflated(await (await file(name)).arrayBuffer()));
const ready = once(async () => {
  const [lexicon, data] = await Promise.all([words("words.bin"), puzzles()]);
  return new Desk(data, lexicon, data.own.hasOwnWords ? await words("own.bin") : lexicon);
});

const failure = (error) => ({ message: error.message, isRefused: error instanceof Refused });

async function answer({ id, question, values }) {
  try {
    const desk = await ready();
    postMessage({ id, answer: desk[question](...values) });
  } catch (error) {
    postMessage({ id, error: failure(error) });
  }
}

async function run({ id, search: { kind, asked, lines, settings } }) {
  const run = new Run((event) => postMessage({ id, event }), settings.seconds);
  runs.set(id, run);
  try {
    const desk = await ready();
    run.post({ event: "started" });
    const problem = desk.problem(asked);
    await search(kind, problem, desk.turnsOf(problem, lines), run, { ...settings, positions: desk.data.positions });
    run.post({ event: "done", seconds: run.elapsed });
  } catch (error) {
    postMessage({ id, error: failure(error) });
  } finally {
    runs.delete(id);
  }
}

ready().catch(() => {}); // whatever comes first, the words will be needed

addEventListener("message", ({ data }) => {
  if (data.stop) {
    const stopped = runs.get(data.id);
    if (stopped) stopped.isStopped = true;
  } else if (data.search) run(data);
  else answer(data);
});
