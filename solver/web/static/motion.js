// Motion, for those who have not asked for less of it.

const still = matchMedia("(prefers-reduced-motion: reduce)");

// let an element come from the place `from`, a rectangle; at once without one
export function fly(element, from) {
  if (still.matches || !from) return;
  const to = element.getBoundingClientRect();
  if (Math.min(from.x, to.x) > innerWidth) return; // out of sight before and after
  const start = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / (to.width || 1)})`;
  element.animate(
    [
      { transform: start, transformOrigin: "0 0", zIndex: 2 },
      { transform: "none", transformOrigin: "0 0", zIndex: 2 },
    ],
    { duration: 220, easing: "ease-out" },
  );
}

// a word that the referee refuses
export function shake(element) {
  if (still.matches) return;
  const at = (x) => ({ transform: `translateX(${x}px)` });
  element.animate([at(0), at(-7), at(6), at(-4), at(2), at(0)], { duration: 350 });
}

const counting = new WeakMap(); // by element: the number that it counts to

// let a number count up or down to `value`
export function count(element, value) {
  const from = Number(element.textContent) || 0;
  counting.set(element, value);
  const began = performance.now();
  const step = (now) => {
    if (counting.get(element) !== value) return;
    const part = Math.min(1, (now - began) / 450);
    element.textContent = String(Math.round(from + (value - from) * part));
    if (part < 1) requestAnimationFrame(step);
  };
  if (still.matches || from === value || document.hidden) element.textContent = String(value);
  else requestAnimationFrame(step);
}
