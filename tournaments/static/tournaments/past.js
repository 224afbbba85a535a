/* Moves a board through its past without a reload: each stop of the slider swaps the board's part. The page works
   without it: the select and the button then ask for the same pages. */
(() => {
  "use strict";
  const form = document.querySelector("[data-past]");
  if (!form) return;
  const select = form.querySelector("select");
  const range = form.querySelector("[data-past-range]");
  const lost = document.querySelector("[data-past-lost]");
  const PATIENCE_MS = 90;
  const KEPT = 60;
  const kept = new Map();
  let timer = 0;
  let asking = null;

  const moment = () => (form.elements.view.value === "known" ? `known:${select.value}` : select.value);
  const told = () => {
    range.value = String(select.selectedIndex);
    range.setAttribute("aria-valuetext", select.selectedOptions[0]?.textContent ?? "");
  };

  const draw = (html, at) => {
    const board = document.getElementById("board");
    const part = new DOMParser().parseFromString(html, "text/html").getElementById("board");
    if (!board || !part) return;
    const scrolled = board.querySelector("[data-keep-scroll]")?.scrollLeft ?? 0;
    board.replaceWith(part);
    const box = part.querySelector("[data-keep-scroll]");
    if (box) box.scrollLeft = scrolled;
    history.replaceState(null, "", `${form.dataset.page}?at=${at}`);
    lost.hidden = true;
  };

  const show = async () => {
    const at = moment();
    asking?.abort();
    if (kept.has(at)) return draw(kept.get(at), at);
    asking = new AbortController();
    try {
      const answer = await fetch(`${form.dataset.part}?at=${at}`, { signal: asking.signal, credentials: "same-origin" });
      if (!answer.ok) throw new Error(String(answer.status));
      const html = await answer.text();
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
      kept.set(at, html);
      if (at === moment()) draw(html, at);
    } catch (error) {
      if (error.name !== "AbortError") lost.hidden = false;
    }
  };

  const soon = () => {
    told();
    clearTimeout(timer);
    timer = setTimeout(show, PATIENCE_MS);
  };
  const to = (index) => {
    select.selectedIndex = Math.min(Math.max(index, 0), select.options.length - 1);
    soon();
  };

  range.addEventListener("input", () => to(Number(range.value)));
  form.addEventListener("change", (event) => {
    if (event.target !== range) soon();
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-past-by]");
    if (button) to(select.selectedIndex + Number(button.dataset.pastBy));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show();
  });

  form.querySelector("[data-past-track]").hidden = false;
  form.querySelector("[data-past-submit]").hidden = true;
  told();
})();
