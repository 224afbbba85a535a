/* Places that change on a board: rows move to where they belong, and a sentence or two tells those who listen.

   Nothing moves for a visitor who asked for less motion. What is said waits until the last sentence has had its time;
   its words come with the board. A part that names what it tells of (`data-told`) is silent until that is another. */
(() => {
  "use strict";
  const PAUSE = 6000;
  const DURATION = 600;
  const MOST_TOLD = 2;
  const wantsRest = matchMedia("(prefers-reduced-motion: reduce)");
  let tops = new Map();
  let told = new Map();
  let lastSaid = -PAUSE;
  let waiting = 0;
  let subject;

  const part = () => document.querySelector("[data-live][data-summary]");
  const rows = () => Array.from(document.querySelectorAll("[data-live] .standings tbody tr[data-key]"));
  const placeOf = (row) => row.querySelector(".c-place")?.textContent.trim() ?? "";
  const numberOf = (place) => Number(place.match(/\d+/)?.[0] ?? Infinity);
  const standing = () => new Map(rows().map((row) => [row.dataset.key, numberOf(placeOf(row))]));

  /* Motion: from where a row stood to where it stands, at most a screen away. */
  const isNear = (top, height) => top + height > 0 && top < innerHeight;
  const slide = (row, from) => {
    const now = row.getBoundingClientRect();
    const way = from - row.offsetTop;
    if (way === 0 || !(isNear(now.top, now.height) || isNear(now.top + way, now.height))) return;
    const start = Math.max(-innerHeight, Math.min(innerHeight, way));
    row.classList.add("is-moving");
    row
      .animate([{ transform: `translateY(${start}px)` }, { transform: "none" }], { duration: DURATION, easing: "ease-in-out" })
      .finished.catch(() => {})
      .then(() => row.classList.remove("is-moving"));
  };
  const move = () => {
    if (wantsRest.matches) return;
    for (const row of rows()) {
      const from = tops.get(row.dataset.key);
      if (from !== undefined) slide(row, from);
    }
  };

  /* Words */
  const sentences = () => {
    const words = part().dataset.moved;
    if (!words) return [];
    return rows()
      .filter((row) => numberOf(placeOf(row)) < (told.get(row.dataset.key) ?? 0))
      .slice(0, MOST_TOLD)
      .map((row) =>
        words
          .replace("{name}", () => row.querySelector("bdi").textContent)
          .replace("{place}", () => placeOf(row)),
      );
  };
  const say = () => {
    waiting = 0;
    const line = document.querySelector("[data-live-summary]");
    if (!line || !part() || (subject && subject === part().dataset.told)) return;
    subject = part().dataset.told;
    line.textContent = [part().dataset.summary, ...sentences()].join(" ");
    told = standing();
    lastSaid = performance.now();
  };
  const saySoon = () => {
    if (!waiting) waiting = setTimeout(say, Math.max(0, lastSaid + PAUSE - performance.now()));
  };

  document.addEventListener("live:before", () => {
    tops = new Map(rows().map((row) => [row.dataset.key, row.offsetTop]));
  });
  document.addEventListener("live:after", () => {
    move();
    saySoon();
  });
  told = standing();
  subject = part()?.dataset.told;
})();
