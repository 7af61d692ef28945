"use strict";
(() => {
  const { specifications, dark_colours: darkColours } = JSON.parse(document.getElementById("plots").textContent);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const places = [...document.querySelectorAll("[data-plot]")];
  const drawn = new Map();

  /* a specification in the colours and the width of the page */
  function suited(specification, width) {
    const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const ink = colour("--text");
    const own = structuredClone(specification);
    const { config } = own;
    config.background = "transparent";
    Object.assign(config.axis, { labelColor: ink, titleColor: ink, tickColor: ink, domainColor: ink, gridColor: colour("--line") });
    Object.assign(config.legend, { labelColor: ink });
    Object.assign(config.title, { color: ink });
    if (dark.matches) config.range.category = darkColours;
    config.legend.labelLimit = Math.min(config.legend.labelLimit, width - 100);
    if (width < 450) config.axis.labelLimit = 110;
    own.width = "container";
    own.autosize = { type: "fit-x", contains: "padding" };
    return own;
  }

  async function draw() {
    for (const place of places) {
      const before = drawn.get(place);
      if (before) before.finalize();
      /* expressions are interpreted: the page may not make code from text */
      const options = { actions: false, renderer: "svg", ast: true, tooltip: { theme: dark.matches ? "dark" : "light" } };
      const { role, ariaLabel } = place;
      drawn.set(place, await vegaEmbed(place, suited(specifications[place.dataset.plot], place.clientWidth), options));
      /* Vega gives the place a role and a label of its own, and marks a role but no name */
      Object.assign(place, { role, ariaLabel });
      place.querySelector("svg").setAttribute("aria-hidden", "true");
    }
    document.documentElement.dataset.plots = "drawn";
  }

  /* one after the other */
  let drawing = draw();
  dark.addEventListener("change", () => {
    drawing = drawing.then(draw);
  });
})();
