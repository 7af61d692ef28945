// The worker in which the page's engine computes. It takes { id, question, values } and answers { id, answer } or { id, error }; or
// { id, search: { kind, asked, lines, settings } } and sends { id, event } until one of done or error; or { id, stop: true }.

import { Desk, RequestError } from "./desk.js";
import { inflated, Lexicon } from "./lexicon.js";
import { Run, search } from "./searches.js";

const runs = new Map(); // by id

async function loaded() {
  const file = async (name) => {
    const answer = await fetch(new URL(`../data/${name}`, import.meta.url));
    if (!answer.ok) throw new Error(`${name}: the host answered ${answer.status}`);
    return answer;
  };
  const words = async (name) => new Lexicon(await inflated(await (await file(name)).arrayBuffer()));
  const [lexicon, data] = await Promise.all([words("words.bin"), file("puzzles.json").then((answer) => answer.json())]);
  return new Desk(data, lexicon, data.own?.hasOwnWords ? await words("own.bin") : lexicon);
}

let loading = null;

// the desk, loaded at the first question, or again if that failed
function ready() {
  loading ??= loaded();
  loading.catch(() => (loading = null));
  return loading;
}

const failure = (error) => ({ message: error.message, isRefused: error instanceof RequestError });

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

addEventListener("message", ({ data }) => {
  if (data.stop) {
    const stopped = runs.get(data.id);
    if (stopped) stopped.isStopped = true;
  } else if (data.search) run(data);
  else answer(data);
});
