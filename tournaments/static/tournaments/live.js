/* Keeps a board or a sheet fresh: asks with the tag of what is shown, marks what changed, says so politely, and
   tells when the connection is lost. The page works without it and is then refreshed by the browser. */
(() => {
  "use strict";
  const shown = () => document.querySelector("[data-live]");
  const lost = document.querySelector("[data-live-lost]");
  const said = document.querySelector("[data-live-summary]");
  let before = new Map();
  let places = new Map();
  let opened = [];
  let wanted = "";

  const rows = () => document.querySelectorAll("[data-live] [data-key]");
  const keyOf = (row) => `${row.closest("section")?.getAttribute("aria-labelledby")}/${row.dataset.key}`;

  /* The tag goes out by hand: the browser would answer an unchanged part from its own cache, and we would draw it
     again each time. */
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt !== shown()) return;
    event.detail.headers["If-None-Match"] = event.detail.elt.dataset.tag;
  });

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (document.hidden && event.detail.elt === shown()) event.preventDefault();
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.elt !== shown() || event.detail.xhr.status !== 200) return;
    opened = Array.from(document.querySelectorAll("[data-keep-open][open]"), (part) => part.dataset.keepOpen);
    before = new Map(Array.from(rows(), (row) => [keyOf(row), row.textContent]));
    places = new Map(
      Array.from(document.querySelectorAll("[data-keep-scroll]"), (box) => [
        box.dataset.keepScroll,
        [box.scrollLeft, box.scrollTop],
      ]),
    );
  });

  document.addEventListener("htmx:afterSettle", () => {
    if (before.size === 0 && places.size === 0) return;
    for (const box of document.querySelectorAll("[data-keep-scroll]")) {
      const [left, top] = places.get(box.dataset.keepScroll) ?? [0, 0];
      box.scrollLeft = left;
      box.scrollTop = top;
    }
    for (const part of document.querySelectorAll("[data-keep-open]")) part.open = opened.includes(part.dataset.keepOpen);
    for (const row of rows()) {
      if (before.get(keyOf(row)) !== row.textContent) row.classList.add("is-fresh");
    }
    if (said && shown()) said.textContent = shown().dataset.summary;
    places = new Map();
    before = new Map();
    offerFind();
  });

  /* Connection */
  const lose = (event) => {
    if (event.detail.elt !== shown() || !lost) return;
    const asOf = shown().dataset.asOf;
    lost.textContent = `Connection lost. Shown as of ${asOf || "an earlier moment"}, trying again.`;
    lost.hidden = false;
  };
  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) document.addEventListener(name, lose);
  document.addEventListener("htmx:afterRequest", (event) => {
    const status = event.detail.xhr?.status ?? 0;
    if (lost && (status === 200 || status === 304)) lost.hidden = true;
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && shown() && window.htmx) window.htmx.trigger(shown(), "look");
  });

  /* Find a player */
  const find = () => {
    const text = wanted.trim().toLocaleLowerCase();
    for (const row of document.querySelectorAll("#board .standings tbody tr")) {
      row.hidden = text !== "" && !row.querySelector(".c-name").textContent.toLocaleLowerCase().includes(text);
    }
  };
  const offerFind = () => {
    const place = document.querySelector("[data-find]");
    const input = document.querySelector("[data-find-input]");
    if (!place || !input) return;
    place.hidden = false;
    input.value = wanted;
    find();
  };
  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-find-input]")) return;
    wanted = event.target.value;
    find();
  });
  offerFind();
})();
