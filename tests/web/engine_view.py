"""The page's own engine in a browser, for tests that compare it with the solver."""

from typing import TYPE_CHECKING, Any

from solver.index.problem import Problem
from solver.model.puzzle import Puzzle
from solver.model.solution import Solution
from solver.search.beam import Beam, BeamParameters
from solver.search.run import Run
from verify import judge

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# a desk of the engine in the page itself, so that a test reaches its parts
_DESK = """
const [code, values, done] = arguments;
const load = (name) => import(new URL(`static/engine/${name}.js`, location.href));
const file = (name) => fetch(new URL(`static/data/${name}`, location.href));
const bytes = async (name) => (await file(name)).arrayBuffer();
const run = async () => {
  const [{ Desk }, { inflated, Lexicon }] = await Promise.all([load("desk"), load("lexicon")]);
  const data = async () => JSON.parse(new TextDecoder().decode(await bytes("puzzles.json")));
  window.desk ??= new Desk(await data(), new Lexicon(await inflated(await bytes("words.bin"))));
  const body = new (Object.getPrototypeOf(run).constructor)("desk", "load", "values", code);
  return await body(window.desk, load, values);
};
run().then(done, (error) => done({ failed: `${error.stack}` }));
"""


def engine(page: "Chrome", code: str, values: Any = None) -> Any:
    """What the body of an async function returns that may use `desk`, `load` and `values`."""
    found = page.execute_async_script(_DESK, code, values)
    assert not isinstance(found, dict) or "failed" not in found, found["failed"]
    return found


def beam_of_solver(puzzle: Puzzle, width: int) -> Solution:
    run = Run()
    Beam(BeamParameters(width)).search(Problem(puzzle), run)
    return run.incumbent


BEAM = """
const { Run, search } = await load("searches");
let best;
const run = new Run((event) => { if (event.event === "better") best = event; });
const settings = { strategy: `beam:width=${values.width}`, positions: desk.data.positions };
await search("solve", desk.problem(values.asked), [], run, settings);
return { score: best.score, turns: best.turns };
"""


_GAMES = """
const { Run, search } = await load("searches");
const games = [];
const problem = desk.problem({ name: "challenge" });
const run = new Run((event) => games.push(event));
const turns = desk.turnsOf(problem, values.turns);
await search(values.kind, problem, turns, run, { positions: desk.data.positions });
return games;
"""


def games_of(page: "Chrome", kind: str, turns: list[str]) -> list[dict[str, Any]]:
    """The games of a search on the challenge, each as valid as it says."""
    games: list[dict[str, Any]] = engine(page, _GAMES, {"kind": kind, "turns": turns})
    for game in games:
        verdict = judge("\n".join(game["turns"]))
        assert (game["event"], verdict.valid, verdict.score) == ("game", True, game["score"])
    return games
