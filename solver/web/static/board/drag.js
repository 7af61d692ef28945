// Tiles dragged by mouse, pen or finger: from the rack, and from the board until the play is made.

const FAR = 7; // pixels: less is a click

// tileAt: returns the tile of an element, or null; drop: called with the tile and the element below it, or null
export function draggable(roots, tileAt, drop) {
  let drag = null;
  let dropped = false;

  function start(event) {
    const source = event.target.closest("[data-tile]");
    const tile = source && event.button === 0 ? tileAt(source) : null;
    if (tile)
      drag = { tile, source, pointer: event.pointerId, x: event.clientX, y: event.clientY, ghost: null, target: null };
  }

  function move(event) {
    if (drag?.pointer !== event.pointerId) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
      drag.ghost = ghostOf(drag.source);
    }
    drag.ghost.style.transform = `translate(${event.clientX - 22}px, ${event.clientY - 30}px)`;
    mark(under(event));
  }

  function end(event) {
    if (drag?.pointer !== event.pointerId) return;
    const { tile, ghost } = drag;
    mark(null);
    ghost?.remove();
    drag = null;
    if (!ghost) return;
    dropped = true;
    setTimeout(() => (dropped = false)); // the click that follows a drag chooses nothing
    drop(tile, event.type === "pointerup" ? under(event) : null);
  }

  function mark(target) {
    const square = target?.closest(".square") ?? null;
    if (drag.target === square) return;
    drag.target?.classList.remove("target");
    square?.classList.add("target");
    drag.target = square;
  }

  for (const root of roots) root.addEventListener("pointerdown", start);
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
  document.addEventListener("click", (event) => dropped && event.stopPropagation(), true);
}

const under = (event) => document.elementFromPoint(event.clientX, event.clientY);

function ghostOf(source) {
  const ghost = document.createElement("span");
  ghost.className = "tile ghost";
  ghost.setAttribute("aria-hidden", "true");
  ghost.textContent = source.querySelector(".letter")?.textContent ?? "";
  document.body.append(ghost);
  return ghost;
}
