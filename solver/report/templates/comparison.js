"use strict";
(() => {
  /* the number that a cell begins with; words sort after numbers */
  const number = (text) => {
    const found = text.replaceAll(",", "").match(/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?/);
    return found ? Number(found[0]) : NaN;
  };
  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a.localeCompare(b);
    return x - y;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.querySelectorAll("th")];
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const upwards = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
        const body = table.tBodies[0];
        const rows = [...body.rows].sort((a, b) => compare(a.cells[column].textContent, b.cells[column].textContent));
        body.append(...(upwards ? rows : rows.reverse()));
      });
    });
  }
  /* a table without room for its columns shows each row as a card */
  const fit = (box) => {
    const table = box.querySelector("table");
    table.classList.remove("stacked");
    table.classList.toggle("stacked", table.offsetWidth > box.clientWidth);
  };
  const boxes = new ResizeObserver((entries) => entries.forEach(({ target }) => fit(target)));
  document.querySelectorAll(".scroll:has(> .sortable)").forEach((box) => boxes.observe(box));
})();
