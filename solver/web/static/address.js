// Addresses of puzzles and games: #challenge/6.s_l_mnize.solemnize/... ; rows without a name as row=..., with _ for ?

export function toFragment(asked, lines) {
  const [[kind, value]] = Object.entries(asked);
  const named = kind === "name" ? encodeURIComponent(value) : `${kind}=${encodeURIComponent(value)}`;
  return [named, ...lines.map((line) => line.split(" ").join(".").replaceAll("?", "_"))].join("/");
}

export function fromFragment(fragment) {
  const [named, ...lines] = fragment.replace(/^#/, "").split("/");
  const [, kind, value] = /^(?:(row|seed|own)=)?(.*)$/.exec(named);
  let asked;
  try {
    const text = decodeURIComponent(value);
    asked = { row: { row: text.replaceAll("_", "?") }, seed: { seed: Number(text) }, own: { own: true } }[kind] ?? {
      name: text,
    };
  } catch {
    return null; // not an address of ours
  }
  return named
    ? { asked, lines: lines.filter(Boolean).map((line) => line.replaceAll("_", "?").split(".").join(" ")) }
    : null;
}
