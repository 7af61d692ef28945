// The files of data, as the page and its workers load them.

// what `load` returns, loaded at the first question, or again if that failed
export function once(load) {
  let loading = null;
  return () => {
    loading ??= load();
    loading.catch(() => (loading = null));
    return loading;
  };
}

export async function file(name) {
  const answer = await fetch(new URL(`../data/${name}`, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: the host answered ${answer.status}`);
  return answer;
}

// { puzzles: by name { row, rack, values, bonus, bound, turns }, own: the puzzle that the page opens with, either
// { asked: its name or row } or likewise, with its `name`, `words` and `comments`, words: the name and digest of the
// word list, positions, otherCopies }
export const puzzles = once(async () => (await file("puzzles.json")).json());
